/** Finds the workbook's example rows that remain after a paste. Otherwise they would be sent with the pasted rows. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { GridRow, GridRows, GridShape } from './grid-rows.ts';
import { isRowToTypeIn } from './grid-layout.ts';

/**
 * Returns how many rows from `from` to the end of the grid are the workbook's own. Returns 0 if other rows are among
 * them or rows cannot be removed. It also returns 0 if the rows above are the workbook's own: then nothing was pasted,
 * or the paste was undone.
 */
export function exampleRowsFrom(from: number, rows: GridRows, examples: GridRows, shape: GridShape): number {
  if (!shape.rowsVariable || rows.length === 0) return 0;
  const end = rows.length - (isRowToTypeIn(rows, rows.length - 1, shape) ? 1 : 0);
  const isExample = (row: GridRow, at: number): boolean => at < examples.length && hasCells(row, examples[at]!);
  if (from >= end || !rows.slice(from, end).every((row, at) => isExample(row, from + at))) return 0;
  return rows.slice(0, from).every(isExample) ? 0 : end - from;
}

/** Compares cells. Columns that the grid has gained count as blank in the workbook's rows. */
function hasCells(row: GridRow, wanted: GridRow): boolean {
  for (let col = 0; col < Math.max(row.length, wanted.length); col += 1)
    if (plain(row[col]) !== plain(wanted[col])) return false;
  return true;
}

const plain = (cell: FormCell | undefined): FormCell =>
  cell === undefined || cell === '' || cell === false ? null : cell;
