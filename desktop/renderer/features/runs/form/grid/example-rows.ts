/** The rows that the workbook has as examples: those that follow pasted rows would go to the run beside them. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { GridRow, GridRows, GridShape } from '../grid-rows.ts';
import { isRowToTypeIn } from './grid-layout.ts';

/**
 * How many rows from `from` on are the workbook's own, up to the end of the grid. 0 where others are among them, where rows cannot be
 * removed, and where the rows above are the workbook's as well: then nothing was pasted, or that was undone.
 */
export function exampleRowsFrom(from: number, rows: GridRows, examples: GridRows, shape: GridShape): number {
  if (!shape.rowsVariable || rows.length === 0) return 0;
  const end = rows.length - (isRowToTypeIn(rows, rows.length - 1, shape) ? 1 : 0);
  const isExample = (row: GridRow, at: number): boolean => at < examples.length && hasCells(row, examples[at]!);
  if (from >= end || !rows.slice(from, end).every((row, at) => isExample(row, from + at))) return 0;
  return rows.slice(0, from).every(isExample) ? 0 : end - from;
}

/** A grid may have grown by columns that are blank in the rows of the workbook. */
function hasCells(row: GridRow, wanted: GridRow): boolean {
  for (let col = 0; col < Math.max(row.length, wanted.length); col += 1)
    if (plain(row[col]) !== plain(wanted[col])) return false;
  return true;
}

const plain = (cell: FormCell | undefined): FormCell =>
  cell === undefined || cell === '' || cell === false ? null : cell;
