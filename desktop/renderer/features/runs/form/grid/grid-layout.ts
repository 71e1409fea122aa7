/** How a person looks at an input grid: which rows a filter leaves, widths of columns, frozen ones. Never part of the value. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import { displayCell } from '#shared/codecs/cell-text.ts';
import { isUntouched, type CellBlock, type GridRows, type GridShape } from '../grid-rows.ts';
import type { GridSelection } from '../grid-selection.ts';

export interface GridLayout {
  /** By column: the texts of its cells that are shown. */
  filters: ReadonlyMap<number, ReadonlySet<string>>;
  /** The rows a filter leaves, ascending; null where nothing is filtered. Rows changed since stay until it is applied again, as in Excel. */
  shown: readonly number[] | null;
  /** Pixels, where a person has chosen them. */
  widths: ReadonlyMap<number, number>;
  /** How many columns stay at the left. */
  frozen: number;
}

export const PLAIN_LAYOUT: GridLayout = { filters: new Map(), shown: null, widths: new Map(), frozen: 0 };

/** What a formula gives in a cell that nobody fills in; null where none does. */
export type SuggestionAt = (row: number, col: number) => FormCell;

/** What a cell shows: its own value, else what a formula gives. */
export function shownText(
  rows: GridRows,
  row: number,
  col: number,
  shape: GridShape,
  suggestionAt: SuggestionAt,
): string {
  const own = rows[row]?.[col] ?? null;
  const kind = shape.kind(row, col);
  const isOwn = !shape.isReadOnly(row, col) && own !== null && own !== '' && own !== false;
  return displayCell(isOwn ? own : (suggestionAt(row, col) ?? own), kind);
}

/** The different texts of a column, in the order of its cells. */
export function columnTexts(rows: GridRows, col: number, shape: GridShape, suggestionAt: SuggestionAt): string[] {
  const texts = new Set<string>();
  for (let row = 0; row < rows.length; row += 1) {
    if (!isRowToTypeIn(rows, row, shape)) texts.add(shownText(rows, row, col, shape, suggestionAt));
  }
  return [...texts];
}

/** The empty last row of a grid whose rows vary: it is no row of the value. */
export const isRowToTypeIn = (rows: GridRows, row: number, shape: GridShape): boolean =>
  shape.rowsVariable && row === rows.length - 1 && isUntouched(rows[row]!);

/** The rows that all filters let through, and the one to type into. */
export function filteredRows(
  rows: GridRows,
  filters: GridLayout['filters'],
  shape: GridShape,
  suggestionAt: SuggestionAt,
): readonly number[] | null {
  if (filters.size === 0) return null;
  const shown: number[] = [];
  for (let row = 0; row < rows.length; row += 1) {
    const passes = [...filters].every(([col, texts]) => texts.has(shownText(rows, row, col, shape, suggestionAt)));
    if (passes || isRowToTypeIn(rows, row, shape)) shown.push(row);
  }
  return shown;
}

/** The layout after its filters were applied to the rows as they are now. */
export const withFilters = (
  layout: GridLayout,
  filters: GridLayout['filters'],
  rows: GridRows,
  { shape, suggestionAt }: { shape: GridShape; suggestionAt: SuggestionAt },
): GridLayout => ({ ...layout, filters, shown: filteredRows(rows, filters, shape, suggestionAt) });

/** Rows that came at the end are shown, those that are no more are not. */
export function shownAfter(shown: GridLayout['shown'], before: number, after: number): GridLayout['shown'] {
  if (!shown || before === after) return shown;
  if (after < before) return shown.filter((row) => row < after);
  return [...shown, ...Array.from({ length: after - before }, (_, at) => before + at)];
}

/** After `count` rows were put in before `at`: they are shown. */
export function shownAfterInsert(shown: GridLayout['shown'], at: number, count: number): GridLayout['shown'] {
  if (!shown) return null;
  return [
    ...shown.filter((row) => row < at),
    ...Array.from({ length: count }, (_, index) => at + index),
    ...shown.filter((row) => row >= at).map((row) => row + count),
  ];
}

/** After rows were taken out (ascending). */
export function shownAfterRemoval(shown: GridLayout['shown'], removed: readonly number[]): GridLayout['shown'] {
  if (!shown) return null;
  const gone = new Set(removed);
  let passed = 0;
  const left: number[] = [];
  for (const row of shown) {
    while (passed < removed.length && removed[passed]! < row) passed += 1;
    if (!gone.has(row)) left.push(row - passed);
  }
  return left;
}

/** How many rows are in sight. */
export const shownCount = (rows: GridRows, shown: GridLayout['shown']): number => shown?.length ?? rows.length;

/** The row at a place on the screen; beyond the last one those that would come. */
export function rowAt(place: number, rows: GridRows, shown: GridLayout['shown']): number {
  if (!shown || place < 0) return place;
  return shown[place] ?? rows.length + place - shown.length;
}

/** Where a row is on the screen; for one that is hidden where the next one is. */
export function placeOf(row: number, rows: GridRows, shown: GridLayout['shown']): number {
  if (!shown) return row;
  if (row >= rows.length) return shown.length + row - rows.length;
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The selection with places on the screen for rows, or back. */
export const mapSelection = ({ active, anchor }: GridSelection, map: (row: number) => number): GridSelection => ({
  active: { row: map(active.row), col: active.col },
  anchor: { row: map(anchor.row), col: anchor.col },
});

/** The rows of a block that are in sight. */
export function rowsOfBlock(
  block: Pick<CellBlock, 'top' | 'bottom'>,
  rows: GridRows,
  shown: GridLayout['shown'],
): number[] {
  const bottom = Math.min(block.bottom, rows.length - 1);
  if (!shown) return Array.from({ length: Math.max(0, bottom - block.top + 1) }, (_, at) => block.top + at);
  return shown.slice(placeOf(block.top, rows, shown), placeOf(bottom + 1, rows, shown));
}
