/**
 * Optimizes SUMPRODUCT(B$2:B9,E$2:E9) filled down. A range with the same start as the previous one continues its sum,
 * because products are added in row order.
 */
import { FEW_CELLS } from '#server/calculation/kernels/range-totals.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { numberColumn, type NumberColumn, type ShiftedColumn } from './number-column.ts';

/** The sum of the products of some columns up to a row. */
interface Sum {
  /** The columns after the first one, and the start of the range in each column. */
  others: readonly NumberColumn[];
  shifts: readonly number[];
  rows: number;
  sum: number;
}

/** Keyed by column object: when a cell changes, the column is a new object. */
const sumsOf = new WeakMap<NumberColumn, Sum[]>();
/** Maximum number of sums cached per first column. */
const MAX_SUMS = 8;

/**
 * Returns the sum over columns of the same height; null if it must be calculated in full, or if a column contains an
 * error.
 */
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
  if (sums.length > MAX_SUMS) sums.pop();
  return fresh;
}

/** Values that are not numbers count as 0, and are 0 in the column. */
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
