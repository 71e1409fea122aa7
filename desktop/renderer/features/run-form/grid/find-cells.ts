/** Finds texts in an input grid. */
import { editText } from '#shared/codecs/cell-text.ts';
import { shownColumns, type GridRows, type GridShape } from './grid-rows.ts';
import type { GridPosition } from './grid-selection.ts';
import { rowsOfBlock, shownText, type GridLayout, type SuggestionAt } from './grid-layout.ts';

export interface FindContext {
  shape: GridShape;
  shown: GridLayout['shown'];
  suggestionAt: SuggestionAt;
}

/** Returns the rows to search for a text. As in Excel, rows hidden by a filter are excluded. */
export const linesToSearch = (rows: GridRows, text: string, { shown }: FindContext): number[] =>
  text === '' ? [] : rowsOfBlock({ top: 0, bottom: rows.length - 1 }, rows, shown);

/** Returns the cells of these rows that show or contain the text, by row and ignoring case. */
export function findInRows(
  rows: GridRows,
  lines: readonly number[],
  text: string,
  { shape, suggestionAt }: FindContext,
): GridPosition[] {
  const wanted = text.toLowerCase();
  const columns = shownColumns(shape, 0, shape.width - 1);
  const found: GridPosition[] = [];
  for (const row of lines) {
    for (const col of columns) {
      const isFound =
        shownText(rows, row, col, shape, suggestionAt).toLowerCase().includes(wanted) ||
        editText(rows[row]![col] ?? null, shape.kind(row, col))
          .toLowerCase()
          .includes(wanted);
      if (isFound) found.push({ row, col });
    }
  }
  return found;
}

/** Returns the index of the next found cell from a position, wrapping around; -1 if nothing was found. */
export function nextFound(found: readonly GridPosition[], from: GridPosition, step: 1 | -1): number {
  if (found.length === 0) return -1;
  const order = ({ row, col }: GridPosition): number => row * 100_000 + col;
  const here = order(from);
  if (step === 1) {
    const after = found.findIndex((cell) => order(cell) > here);
    return after < 0 ? 0 : after;
  }
  const before = found.findLastIndex((cell) => order(cell) < here);
  return before < 0 ? found.length - 1 : before;
}
