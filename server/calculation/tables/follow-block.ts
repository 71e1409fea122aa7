/** Where a block lies after a table has got another number of rows, in files and in engines alike. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { TableShape } from '../graph/scope.ts';

/** The part of a table that decides it: rows are those from before. */
export type TableExtent = Pick<TableShape, 'block' | 'headerRows' | 'totalsRows'>;

/**
 * What covered all data rows of some of its columns (with or without header, totals) still does, and what was on its totals moves with
 * them. New rows come before the totals: a block around that place grows, as around inserted cells. `isRange`: a single cell in the
 * data is that cell, and no column of one row. The same object where the block stays.
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
