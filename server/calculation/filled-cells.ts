/** The cells that a formula fills: those of an array formula, of a dynamic array or of a what-if table. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';

/** Of an array formula that fills more cells, the first ones are compared. */
const MAX_ARRAY_CELLS = 100_000;

/** Whether only the first cells of the block are compared. */
export function isTooLarge({ top, left, bottom, right }: CellBlock): boolean {
  return (bottom - top + 1) * (right - left + 1) > MAX_ARRAY_CELLS;
}

/** The cell of a formula first, then the others it fills, as far as they are compared. */
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
