/** Finds cells of a sheet by address. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CellError, cellError, ERROR_CODES } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { CellKind } from './workbook-model.ts';
import type { SheetCells } from './workbook-model.ts';

/** Returns the index of the first stored cell at or after an address, in reading order; `count` if there is none. */
export function firstCellFrom(cells: SheetCells, row: number, col: number): number {
  let low = 0;
  let high = cells.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = cells.rows[middle]! < row || (cells.rows[middle] === row && cells.cols[middle]! < col);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of a stored cell in the arrays of its sheet, or -1. */
export function cellAt(cells: SheetCells, row: number, col: number): number {
  const at = firstCellFrom(cells, row, col);
  return at < cells.count && cells.rows[at] === row && cells.cols[at] === col ? at : -1;
}

/** Returns the value saved with a stored cell. */
export function savedValue(cells: SheetCells, at: number, strings: readonly string[]): CellValue {
  const value = cells.values[at]!;
  switch (cells.kinds[at]) {
    case CellKind.Number:
      return value;
    case CellKind.Text:
      return strings[value] ?? '';
    case CellKind.Boolean:
      return value !== 0;
    case CellKind.Error:
      return cellError(ERROR_CODES[value] ?? '#VALUE!') ?? null;
    default:
      return null;
  }
}

/** Returns true if a cell displays both values in the same way. */
export function sameValue(a: CellValue, b: CellValue): boolean {
  return a === b || (a instanceof CellError && b instanceof CellError && a.code === b.code);
}

/** Yields the indexes of the stored cells in a block, in reading order. */
export function* cellsIn(cells: SheetCells, block: CellBlock): Generator<number> {
  for (let at = firstCellFrom(cells, block.top, block.left); at < cells.count; at++) {
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    if (row > block.bottom) return;
    if (col >= block.left && col <= block.right) yield at;
    // On wide sheets, skip to the next row.
    else if (col > block.right) at = firstCellFrom(cells, row + 1, block.left) - 1;
  }
}
