/** Sorts the rows of an input grid. As in Excel, this changes their order, and the run receives the new order. */
import { readDecimal, type Decimal } from '#shared/codecs/exact-number.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { currentLocale } from '#renderer/language/translate.ts';
import type { GridRow, GridRows, GridShape } from './grid-rows.ts';
import { isRowToTypeIn, type GridLayout } from './grid-layout.ts';

/** As in Excel: numbers before texts before FALSE and TRUE. */
function rank(cell: FormCell, isExact: boolean): number {
  if (typeof cell === 'number' || (isExact && readDecimal(String(cell)) !== null)) return 0;
  return typeof cell === 'string' ? 1 : 2;
}

/** Compares by value, including numbers with more digits than a double holds. */
function compareNumbers(a: FormCell, b: FormCell): number {
  const difference = Number(a) - Number(b);
  if (difference !== 0 || (typeof a === 'number' && typeof b === 'number')) return difference;
  const [first, second] = [readDecimal(String(a))!, readDecimal(String(b))!];
  const exponent = Math.min(first.exponent, second.exponent);
  const whole = ({ isNegative, digits, exponent: own }: Decimal): bigint =>
    BigInt(`${isNegative ? '-' : ''}${digits || '0'}${'0'.repeat(own - exponent)}`);
  const [x, y] = [whole(first), whole(second)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const isBlank = (cell: FormCell): boolean => cell === null || cell === '';

interface Order {
  descending: boolean;
  isExact: boolean;
  texts: Intl.Collator;
}

function compareCells(a: FormCell, b: FormCell, { descending, isExact, texts }: Order): number {
  // Blanks come last in both directions.
  if (isBlank(a) || isBlank(b)) return Number(isBlank(a)) - Number(isBlank(b));
  const sign = descending ? -1 : 1;
  const group = rank(a, isExact);
  if (group !== rank(b, isExact)) return sign * (group - rank(b, isExact));
  return sign * (group === 1 ? texts.compare(String(a), String(b)) : compareNumbers(a, b));
}

/**
 * Sorts the rows by a column. As in Excel, rows hidden by a filter stay in place, and so does the empty row for typing.
 * Equal rows keep their order.
 */
export function sortRows(
  rows: GridRows,
  col: number,
  descending: boolean,
  { shape, shown }: { shape: GridShape; shown: GridLayout['shown'] },
): GridRows {
  const rowIndexes = (shown ?? rows.map((_, row) => row)).filter((row) => !isRowToTypeIn(rows, row, shape));
  const isExact = shape.kind(0, col).isExact === true;
  // Excel's order ignores case.
  const order = { descending, isExact, texts: new Intl.Collator(currentLocale(), { sensitivity: 'accent' }) };
  const sorted = rowIndexes
    .map((row): GridRow => rows[row]!)
    .toSorted((a, b) => compareCells(a[col] ?? null, b[col] ?? null, order));
  if (sorted.every((row, at) => row === rows[rowIndexes[at]!])) return rows;
  const next = rows.slice();
  for (const [at, row] of rowIndexes.entries()) next[row] = sorted[at]!;
  return next;
}
