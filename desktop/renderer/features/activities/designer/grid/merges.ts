/** Index of the merged cells of a sheet by row. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { blocksMeet, isInBlock, isSameBlock, unionOfBlocks } from './blocks.ts';

export interface Merges {
  at: (row: number, col: number) => CellBlock | null;
  /** Returns the merges that share a cell with the block. */
  in: (block: CellBlock) => CellBlock[];
}

const ROWS_PER_BUCKET = 256;

/** @param merges [top, left, bottom, right], counted from 0 */
export function createMerges(merges: readonly (readonly number[])[]): Merges {
  const blocks = merges.map(([top, left, bottom, right]) => ({ top, left, bottom, right }) as CellBlock);
  const buckets = new Map<number, CellBlock[]>();
  const bucketOf = (row: number): number => Math.floor(row / ROWS_PER_BUCKET);
  for (const block of blocks) {
    for (let bucket = bucketOf(block.top); bucket <= bucketOf(block.bottom); bucket += 1) {
      const list = buckets.get(bucket);
      if (list) list.push(block);
      else buckets.set(bucket, [block]);
    }
  }
  return {
    at: (row, col) => buckets.get(bucketOf(row))?.find((block) => isInBlock(block, row, col)) ?? null,
    in: (wanted) => {
      const found = new Set<CellBlock>();
      for (let bucket = bucketOf(wanted.top); bucket <= bucketOf(wanted.bottom); bucket += 1) {
        for (const block of buckets.get(bucket) ?? []) if (blocksMeet(block, wanted)) found.add(block);
      }
      return [...found];
    },
  };
}

/** Returns the block extended by all merged cells that it intersects, as Excel selects them. */
export function withWholeMerges(block: CellBlock, merges: Merges): CellBlock {
  let whole = block;
  for (;;) {
    const next = merges.in(whole).reduce(unionOfBlocks, whole);
    if (isSameBlock(next, whole)) return whole;
    whole = next;
  }
}
