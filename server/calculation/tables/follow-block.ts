/** Moves blocks after the number of rows of a table changed; used for files and by all engines. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { TableShape } from '../graph/scope.ts';

/** The relevant part of a table; rows are those before the change. */
export type TableExtent = Pick<TableShape, 'block' | 'headerRows' | 'totalsRows'>;

/**
 * Returns the new position of a block, or the same object if it does not move.
 * A block that covered all data rows of some columns (with or without header and totals) still does, and blocks in the
 * totals rows move with them. New rows are inserted before the totals; a block around that position grows, as when
 * cells are inserted. `isRange` distinguishes a single cell in the data from a column with one row.
 */
export function followTableBlock(
  block: CellBlock,
  isRange: boolean,
  { block: old, headerRows, totalsRows }: TableExtent,
  newBottom: number,
): CellBlock {
  const delta = newBottom - old.bottom;
  if (block.left < old.left || block.right > old.right || delta === 0) return block;
  const dataTop = old.top + headerRows;
  const dataBottom = old.bottom - totalsRows;
  if (block.top > dataBottom && block.bottom <= old.bottom) {
    return { ...block, top: block.top + delta, bottom: block.bottom + delta };
  }
  if (!isRange) return block;
  const startsAtData = block.top >= old.top && block.top <= dataTop;
  const endsAtData = block.bottom >= dataBottom && block.bottom <= old.bottom;
  if (startsAtData && endsAtData) return { ...block, bottom: block.bottom + delta };
  if (totalsRows === 0 || delta < 0) return block;
  if (block.top <= dataBottom && block.bottom > dataBottom && block.bottom <= old.bottom)
    return { ...block, bottom: block.bottom + delta };
  const beginsInTotals = block.top > dataBottom && block.top <= old.bottom;
  return beginsInTotals && block.top + delta <= block.bottom ? { ...block, top: block.top + delta } : block;
}
