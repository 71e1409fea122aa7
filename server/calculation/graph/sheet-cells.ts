/** A block of cells on one sheet. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';

export interface SheetCells {
  sheet: number;
  block: CellBlock;
}
