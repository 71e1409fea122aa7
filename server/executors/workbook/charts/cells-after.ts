/** Reads the cells of a workbook as they will be after the changes of a run are written. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { cellAt, cellsIn, savedValue } from '#server/calculation/reader/cell-index.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { ChangeSet } from '../change-set.ts';

export interface CellAfter {
  row: number;
  col: number;
  value: CellValue;
  /** The cell's number format code. */
  format: string;
}

/** Returns the first `most` non-blank cells of a block, in reading order. */
export function cellsAfter(changes: ChangeSet, sheet: number, block: CellBlock, limit: number): CellAfter[] {
  const stored = storedCells(changes, sheet, block, limit);
  const added = addedCells(changes, sheet, block);
  if (added.length === 0) return stored;
  const all = [...stored, ...added].sort((a, b) => a.row - b.row || a.col - b.col);
  return all.slice(0, limit);
}

function storedCells(changes: ChangeSet, sheet: number, block: CellBlock, limit: number): CellAfter[] {
  const { sheets, strings } = changes.model;
  const { cells } = sheets[sheet]!;
  const rows = changes.sheets.get(sheet);
  const found: CellAfter[] = [];
  for (const at of cellsIn(cells, block)) {
    if (found.length >= limit) break;
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    const change = rows?.get(row)?.get(col);
    const value = change?.value === undefined ? savedValue(cells, at, strings) : change.value;
    if (value !== null) found.push({ row, col, value, format: formatOf(changes, change?.style ?? cells.styles[at]!) });
  }
  return found;
}

/** Returns cells that the file does not have yet. */
function addedCells(changes: ChangeSet, sheet: number, block: CellBlock): CellAfter[] {
  const rows = changes.sheets.get(sheet);
  if (!rows) return [];
  const { cells } = changes.model.sheets[sheet]!;
  const found: CellAfter[] = [];
  const numbers = block.bottom - block.top < rows.size ? rowsOf(block) : rows.keys();
  for (const row of numbers) {
    if (row < block.top || row > block.bottom) continue;
    for (const [col, { value, style }] of rows.get(row) ?? []) {
      if (col < block.left || col > block.right || (value ?? null) === null || cellAt(cells, row, col) >= 0) continue;
      found.push({ row, col, value: value!, format: formatOf(changes, style ?? changes.style(sheet, row, col)) });
    }
  }
  return found;
}

function* rowsOf({ top, bottom }: CellBlock): Generator<number> {
  for (let row = top; row <= bottom; row++) yield row;
}

const formatOf = ({ model }: ChangeSet, style: number): string => model.numberFormats[style] ?? 'General';
