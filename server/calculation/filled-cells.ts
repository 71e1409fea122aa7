/** The cells that a formula fills: those of an array formula, a dynamic array or a what-if table. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';

/** Maximum number of cells compared for one array formula. */
const MAX_ARRAY_CELLS = 100_000;

/** Returns true if only the first cells of the block are compared. */
export function isTooLarge({ top, left, bottom, right }: CellBlock): boolean {
  return (bottom - top + 1) * (right - left + 1) > MAX_ARRAY_CELLS;
}

/** Yields the cell of a formula, then the other cells it fills, as far as they are compared. */
export function* resultCells(block: CellBlock | undefined, row: number, col: number): Generator<CellPosition> {
  yield { row, col };
  if (!block) return;
  let count = 1;
  for (let y = block.top; y <= block.bottom; y += 1) {
    for (let x = block.left; x <= block.right; x += 1) {
      if (y === row && x === col) continue;
      count += 1;
      if (count > MAX_ARRAY_CELLS) return;
      yield { row: y, col: x };
    }
  }
}
