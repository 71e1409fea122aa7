/**
 * SUMPRODUCT(B$2:B9,E$2:E9) filled down: a range that begins where the one before began has that one's sum to go on from, as the
 * products are added in the order of the rows.
 */
import { FEW_CELLS } from '#server/calculation/kernels/range-totals.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { numberColumn, type NumberColumn, type ShiftedColumn } from './number-column.ts';

/** What the products of some columns come to up to a row. */
interface Sum {
  /** The columns behind the first, and where the ranges begin in all. */
  others: readonly NumberColumn[];
  shifts: readonly number[];
  rows: number;
  sum: number;
}

/** A column has other contents when one of its cells has changed. */
const sumsOf = new WeakMap<NumberColumn, Sum[]>();
/** Sums with one column that are gone on from. */
const MOST_SUMS = 8;

/** The sum over columns of one height; null where it has to be added up anew, or an error stands in one. */
export function growingProducts(ranges: readonly Range[], context: CallContext): number | null {
  const { rows } = ranges[0]!;
  if (ranges.length < 2 || rows < FEW_CELLS || ranges.some(({ cols }) => cols !== 1)) return null;
  const columns = ranges.map((range) => numberColumn(range, context));
  if (columns.some(({ column }) => column.errors.size > 0)) return null;
  const end = Math.min(rows, ...ranges.map((range) => range.used().rows));
  const known = knownSum(columns);
  if (known.rows > end) Object.assign(known, { rows: 0, sum: 0 });
  context.spend((end - known.rows) * columns.length);
  known.sum = added(known.sum, columns, known.rows, end);
  known.rows = end;
  return known.sum;
}

function knownSum(columns: readonly ShiftedColumn[]): Sum {
  const [first, ...others] = columns;
  let sums = sumsOf.get(first!.column);
  if (!sums) sumsOf.set(first!.column, (sums = []));
  const known = sums.find(
    (own) =>
      own.others.length === others.length &&
      columns.every(({ shift }, at) => own.shifts[at] === shift) &&
      others.every(({ column }, at) => own.others[at] === column),
  );
  if (known) return known;
  const fresh: Sum = {
    others: others.map(({ column }) => column),
    shifts: columns.map(({ shift }) => shift),
    rows: 0,
    sum: 0,
  };
  sums.unshift(fresh);
  if (sums.length > MOST_SUMS) sums.pop();
  return fresh;
}

/** What is no number counts as 0, and is one in the column. */
function added(start: number, columns: readonly ShiftedColumn[], from: number, end: number): number {
  let sum = start;
  const [first, second] = columns as [ShiftedColumn, ShiftedColumn];
  if (columns.length === 2) {
    const [a, b] = [first.column.numbers, second.column.numbers];
    const [x, y] = [first.shift, second.shift];
    for (let at = from; at < end; at += 1) sum += a[at + x]! * b[at + y]!;
    return sum;
  }
  for (let at = from; at < end; at += 1) {
    let product = first.column.numbers[at + first.shift]!;
    for (let index = 1; index < columns.length; index += 1) {
      const { column, shift } = columns[index]!;
      product *= column.numbers[at + shift]!;
    }
    sum += product;
  }
  return sum;
}
