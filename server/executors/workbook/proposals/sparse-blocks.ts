/** Finds blocks that formulas add up strip by strip and in which people fill in only some cells. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { intersects } from '../definitions/blocks.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

const MIN_ACROSS = 2;
const MIN_DOWN = 2;
const MIN_CELLS = 6;
const MAX_CELLS = 5_000;
/** Maximum number of cells examined per sheet. */
const MAX_EXAMINED = 200_000;
/** Minimum share of blank cells. Other rules find full blocks. */
const MIN_BLANK = 0.1;
/** Minimum share of rows with something beside them, or of columns with something above them. */
const MIN_LABELLED = 0.8;

/** Returns blocks without formulas and texts whose rows or columns are labelled, and claims them. */
export function sparseBlocks(grid: SheetGrid): CellBlock[] {
  const strips = distinct(grid.rangeBlocks);
  let left = MAX_EXAMINED;
  const found = [...joined(strips, 'across'), ...joined(strips, 'down')]
    .filter((block) => isOfSize(block) && (left -= sizeOf(block)) >= 0 && isSparse(grid, block))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const chosen: CellBlock[] = [];
  for (const block of found) {
    if (chosen.some((other) => intersects(other, block))) continue;
    chosen.push(block);
    grid.claim(block);
  }
  return chosen;
}

const sizeOf = ({ top, left, bottom, right }: CellBlock): number => (bottom - top + 1) * (right - left + 1);

const distinct = (blocks: readonly CellBlock[]): CellBlock[] => [
  ...new Map(blocks.map((block) => [`${block.top}:${block.left}:${block.bottom}:${block.right}`, block])).values(),
];

/** Joins strips that have the same rows and adjacent columns, or the other way round. */
function joined(strips: readonly CellBlock[], direction: 'across' | 'down'): CellBlock[] {
  const isAcross = direction === 'across';
  const keyed = Map.groupBy(strips, ({ top, left, bottom, right }) =>
    isAcross ? `${top}:${bottom}` : `${left}:${right}`,
  );
  return [...keyed.values()].flatMap((own) => {
    const blocks: CellBlock[] = [];
    for (const strip of own.toSorted((a, b) => a.left - b.left || a.top - b.top)) {
      const last = blocks.at(-1);
      if (last && isAcross && strip.left <= last.right + 1) last.right = Math.max(last.right, strip.right);
      else if (last && !isAcross && strip.top <= last.bottom + 1) last.bottom = Math.max(last.bottom, strip.bottom);
      else blocks.push({ ...strip });
    }
    return blocks;
  });
}

function isOfSize(block: CellBlock): boolean {
  const { top, left, bottom, right } = block;
  const cells = sizeOf(block);
  return bottom - top + 1 >= MIN_DOWN && right - left + 1 >= MIN_ACROSS && cells >= MIN_CELLS && cells <= MAX_CELLS;
}

function isSparse(grid: SheetGrid, block: CellBlock): boolean {
  const { top, left, bottom, right } = block;
  let blank = 0;
  for (let row = top; row <= bottom; row++) {
    for (let col = left; col <= right; col++) {
      const at = grid.at(row, col);
      if (grid.claimed[at] === 1) return false;
      if (grid.content(at) === Content.Blank) blank++;
      else if (!grid.isValue(at)) return false;
    }
  }
  return blank >= MIN_BLANK * sizeOf(block) && isLabelled(grid, block);
}

function isLabelled(grid: SheetGrid, { top, left, bottom, right }: CellBlock): boolean {
  let rows = 0;
  for (let row = top; row <= bottom; row++) if (grid.contentAt(row, left - 1) === Content.Text) rows++;
  if (rows >= MIN_LABELLED * (bottom - top + 1)) return true;
  let cols = 0;
  for (let col = left; col <= right; col++) if (grid.contentAt(top - 1, col) !== Content.Blank) cols++;
  return cols >= MIN_LABELLED * (right - left + 1);
}
