/** Iterates over the cells of a block, using their chunks for speed. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellValue } from '../values/cell-value.ts';
import { CHUNK_BITS, CHUNK_MASK, Flag } from './chunk.ts';
import type { Chunk } from './chunk.ts';
import type { CellSource } from '../values/matrix.ts';
import type { Store } from './store.ts';

/** `settle` returns the value of a cell that is out of date; it may replace the chunk. */
export type Settle = (row: number, col: number) => CellValue;

type Visit = (value: CellValue, row: number, col: number) => boolean | void;

/** Visits non-blank cells row by row from left to right; stops when `visit` returns true. */
export function walkCells(store: Store, sheet: number, block: CellBlock, visit: Visit, settle: Settle): void {
  const { columns, usedRows, usedCols } = store.sheets[sheet]!;
  const bottom = Math.min(block.bottom, usedRows - 1);
  const right = Math.min(block.right, usedCols - 1);
  const cols: number[] = [];
  for (let col = block.left; col <= right; col += 1) if (columns[col]) cols.push(col);
  const chunks: (Chunk | undefined)[] = [];
  for (let row = block.top; row <= bottom;) {
    const last = Math.min(bottom, row | CHUNK_MASK);
    let isBlank = true;
    for (let at = 0; at < cols.length; at += 1) {
      // Read the column from the sheet again: a column that grows during the iteration is replaced there.
      const chunk = store.sheets[sheet]!.columns[cols[at]!]!.chunks[row >> CHUNK_BITS];
      chunks[at] = chunk;
      if (chunk) isBlank = false;
    }
    if (isBlank) row = last + 1;
    for (; row <= last; row += 1) {
      const index = row & CHUNK_MASK;
      for (let at = 0; at < chunks.length; at += 1) {
        const chunk = chunks[at];
        if (chunk === undefined || index >= chunk.size) continue;
        const kind = chunk.kinds[index]!;
        if (kind === 0) continue;
        let value: CellValue;
        if (kind >= Flag.Dirty) {
          value = settle(row, cols[at]!);
          chunks[at] = store.chunk(sheet, row, cols[at]!);
          if (value === null) continue;
        } else value = chunk.value(index);
        if (visit(value, row, cols[at]!) === true) return;
      }
    }
  }
}

/** Does the same for few cells, for which single reads cost less than finding their chunks. */
export function walkHandful(cells: CellSource, sheet: number, block: CellBlock, visit: Visit): void {
  const bottom = Math.min(block.bottom + 1, cells.usedRows(sheet));
  const right = Math.min(block.right + 1, cells.usedCols(sheet));
  for (let row = block.top; row < bottom; row += 1) {
    for (let col = block.left; col < right; col += 1) {
      const value = cells.cell(sheet, row, col);
      if (value !== null && visit(value, row, col) === true) return;
    }
  }
}
