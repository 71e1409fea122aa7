/** Sorting the rows of an input grid: as in Excel it changes their order, which goes with the run. */
import { readDecimal, type Decimal } from '#shared/codecs/exact-number.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { createTextOrder, type OrderedText, type TextOrder } from '#renderer/language/text-order.ts';
import { currentLocale } from '#renderer/language/translate.ts';
import type { GridRow, GridRows, GridShape } from '../grid-rows.ts';
import { isRowToTypeIn, type GridLayout } from './grid-layout.ts';

/** As in Excel: numbers before texts before FALSE and TRUE. */
function rank(cell: FormCell, isExact: boolean): number {
  if (typeof cell === 'number' || (isExact && readDecimal(String(cell)) !== null)) return 0;
  return typeof cell === 'string' ? 1 : 2;
}

/** By value, also of numbers with more digits than a double has. */
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
  texts: TextOrder;
}

interface Sorted {
  row: GridRow;
  cell: FormCell;
  /** 0 for numbers, 1 for texts, 2 for FALSE and TRUE. */
  group: number;
  text: OrderedText | null;
}

function prepare(row: GridRow, col: number, { isExact, texts }: Order): Sorted {
  const cell = row[col] ?? null;
  const group = isBlank(cell) ? 0 : rank(cell, isExact);
  return { row, cell, group, text: group === 1 ? texts.prepare(String(cell)) : null };
}

function compareCells(a: Sorted, b: Sorted, { descending, texts }: Order): number {
  // Blanks come last in both directions.
  if (isBlank(a.cell) || isBlank(b.cell)) return Number(isBlank(a.cell)) - Number(isBlank(b.cell));
  const sign = descending ? -1 : 1;
  if (a.group !== b.group) return sign * (a.group - b.group);
  return sign * (a.text && b.text ? texts.compare(a.text, b.text) : compareNumbers(a.cell, b.cell));
}

/**
 * The rows in the order of a column. Rows that a filter hides stay where they are, as in Excel, and so does the empty one to type into; rows
 * that are equal keep their order.
 */
export function sortRows(
  rows: GridRows,
  col: number,
  descending: boolean,
  { shape, shown }: { shape: GridShape; shown: GridLayout['shown'] },
): GridRows {
  const places = (shown ?? rows.map((_, row) => row)).filter((row) => !isRowToTypeIn(rows, row, shape));
  const isExact = shape.kind(0, col).isExact === true;
  // Letter case does not count in Excel's order.
  const order = { descending, isExact, texts: createTextOrder(currentLocale()) };
  const sorted = places
    .map((row) => prepare(rows[row]!, col, order))
    .toSorted((a, b) => compareCells(a, b, order))
    .map(({ row }) => row);
  if (sorted.every((row, at) => row === rows[places[at]!])) return rows;
  const next = rows.slice();
  for (const [at, row] of places.entries()) next[row] = sorted[at]!;
  return next;
}
