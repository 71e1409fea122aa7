/** The view of an input grid: filters, column widths and frozen columns. It is never part of the value. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import { displayCell } from '#shared/codecs/cell-text.ts';
import { isUntouched, type CellBlock, type GridRows, type GridShape } from './grid-rows.ts';
import type { GridSelection } from './grid-selection.ts';

export interface GridLayout {
  /** By column: the cell texts that the filter lets through. */
  filters: ReadonlyMap<number, ReadonlySet<string>>;
  /**
   * The rows that pass the filter, ascending; null if there is no filter. As in Excel, changed rows stay until the
   * filter is applied again.
   */
  shown: readonly number[] | null;
  /** Widths in pixels that the user has chosen. */
  widths: ReadonlyMap<number, number>;
  /** Number of frozen columns at the left. */
  frozen: number;
}

export const PLAIN_LAYOUT: GridLayout = { filters: new Map(), shown: null, widths: new Map(), frozen: 0 };

/** Returns the formula result for a cell that is not filled in; null if there is none. */
export type SuggestionAt = (row: number, col: number) => FormCell;

/** Returns the text that a cell shows: its own value, else the formula result. */
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

/** Returns the distinct texts of a column, in cell order. */
export function columnTexts(rows: GridRows, col: number, shape: GridShape, suggestionAt: SuggestionAt): string[] {
  const texts = new Set<string>();
  for (let row = 0; row < rows.length; row += 1) {
    if (!isRowToTypeIn(rows, row, shape)) texts.add(shownText(rows, row, col, shape, suggestionAt));
  }
  return [...texts];
}

/** True for the empty last row of a grid with variable rows, which is not part of the value. */
export const isRowToTypeIn = (rows: GridRows, row: number, shape: GridShape): boolean =>
  shape.rowsVariable && row === rows.length - 1 && isUntouched(rows[row]!);

/** Returns the rows that pass all filters, plus the empty row for typing. */
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

/** Applies the filters to the current rows. */
export const withFilters = (
  layout: GridLayout,
  filters: GridLayout['filters'],
  rows: GridRows,
  { shape, suggestionAt }: { shape: GridShape; suggestionAt: SuggestionAt },
): GridLayout => ({ ...layout, filters, shown: filteredRows(rows, filters, shape, suggestionAt) });

/** Updates the visible rows: rows added at the end are shown, removed rows are dropped. */
export function shownAfter(shown: GridLayout['shown'], before: number, after: number): GridLayout['shown'] {
  if (!shown || before === after) return shown;
  if (after < before) return shown.filter((row) => row < after);
  return [...shown, ...Array.from({ length: after - before }, (_, at) => before + at)];
}

/** Updates the visible rows after `count` rows were inserted before `at`. The new rows are shown. */
export function shownAfterInsert(shown: GridLayout['shown'], at: number, count: number): GridLayout['shown'] {
  if (!shown) return null;
  return [
    ...shown.filter((row) => row < at),
    ...Array.from({ length: count }, (_, index) => at + index),
    ...shown.filter((row) => row >= at).map((row) => row + count),
  ];
}

/** Updates the visible rows after rows were removed (ascending). */
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

/** Returns the number of visible rows. */
export const shownCount = (rows: GridRows, shown: GridLayout['shown']): number => shown?.length ?? rows.length;

/** Returns the row at a screen position. Positions beyond the last row map to rows that do not exist yet. */
export function rowAt(screenRow: number, rows: GridRows, shown: GridLayout['shown']): number {
  if (!shown || screenRow < 0) return screenRow;
  return shown[screenRow] ?? rows.length + screenRow - shown.length;
}

/** Returns the screen position of a row; for a hidden row, the position of the next visible one. */
export function screenRowOf(row: number, rows: GridRows, shown: GridLayout['shown']): number {
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

/** Converts the rows of a selection to screen positions, or back. */
export const mapSelection = ({ active, anchor }: GridSelection, map: (row: number) => number): GridSelection => ({
  active: { row: map(active.row), col: active.col },
  anchor: { row: map(anchor.row), col: anchor.col },
});

/** Returns the visible rows of a block. */
export function rowsOfBlock(
  block: Pick<CellBlock, 'top' | 'bottom'>,
  rows: GridRows,
  shown: GridLayout['shown'],
): number[] {
  const bottom = Math.min(block.bottom, rows.length - 1);
  if (!shown) return Array.from({ length: Math.max(0, bottom - block.top + 1) }, (_, at) => block.top + at);
  return shown.slice(screenRowOf(block.top, rows, shown), screenRowOf(bottom + 1, rows, shown));
}
