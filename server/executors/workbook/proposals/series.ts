/** Finds adjacent typed-in numbers that are one list or matrix rather than single values. */
import { intersectBlocks } from '#server/calculation/syntax/areas.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { leftLabel } from './labels.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

const MIN_ACROSS = 3;
const MIN_DOWN = 3;
/** Fewer values than this that each have a label are single inputs. */
const MIN_LABELLED = 4;
/** Maximum number of cells examined per block to see how it is read. */
const MAX_SAMPLE = 500;

/** Returns blocks of values that are not claimed yet, and claims them. */
export function valueSeries(grid: SheetGrid, named: readonly CellBlock[]): CellBlock[] {
  const own = named.filter((block) => isNamedSeries(grid, block) && !isOfNamedCells(block, named));
  for (const block of own) grid.claim(block);
  const across = stacked(grid, rowRuns(grid)).filter((block) => isSeriesAcross(grid, block));
  for (const block of across) grid.claim(block);
  const down = columnRuns(grid).filter((block) => isSeriesDown(grid, block));
  for (const block of down) grid.claim(block);
  return [...own, ...across, ...down];
}

/** Returns true if all cells of a block that the author named are values. */
function isNamedSeries(grid: SheetGrid, { top, left, bottom, right }: CellBlock): boolean {
  const cells = (bottom - top + 1) * (right - left + 1);
  if (cells < 2 || cells > MAX_SAMPLE) return false;
  for (let row = top; row <= bottom; row++) {
    for (let col = left; col <= right; col++) {
      const at = grid.at(row, col);
      if (at < 0 || !isOpen(grid, at)) return false;
    }
  }
  return true;
}

/** Returns true if cells of the block have names of their own: the name of the block then only groups single inputs. */
function isOfNamedCells(block: CellBlock, named: readonly CellBlock[]): boolean {
  return named.some(
    (cell) => cell.top === cell.bottom && cell.left === cell.right && intersectBlocks(cell, block) !== null,
  );
}

/** Returns true if a value can be part of a series. */
const isOpen = (grid: SheetGrid, at: number): boolean => grid.claimed[at] === 0 && grid.isValue(at);

function rowRuns(grid: SheetGrid): CellBlock[] {
  const runs: CellBlock[] = [];
  for (let at = 0; at < grid.count; at++) {
    if (!isOpen(grid, at)) continue;
    const row = grid.row(at);
    const last = runs.at(-1);
    if (last && last.top === row && last.right === grid.col(at) - 1) last.right++;
    else runs.push({ top: row, bottom: row, left: grid.col(at), right: grid.col(at) });
  }
  return runs.filter(({ left, right }) => right - left + 1 >= MIN_ACROSS);
}

/** Joins runs with the same columns in adjacent rows to one block. A row of years above them stays separate. */
function stacked(grid: SheetGrid, runs: readonly CellBlock[]): CellBlock[] {
  const open = new Map<string, CellBlock>();
  const blocks: CellBlock[] = [];
  for (const run of runs) {
    const key = `${run.left}:${run.right}`;
    const above = open.get(key);
    if (above && above.bottom === run.top - 1 && isPeriodRow(grid, above) === isPeriodRow(grid, run)) {
      above.bottom = run.bottom;
      continue;
    }
    const block = { ...run };
    open.set(key, block);
    blocks.push(block);
  }
  return blocks;
}

/** Returns true for years, dates or a count: 2021, 2022, 2023. */
export function isPeriodRow(grid: SheetGrid, { top, left, right }: CellBlock): boolean {
  let previous: number | null = null;
  for (let col = left; col <= right; col++) {
    const number = grid.number(grid.at(top, col));
    if (number === null || (previous !== null && number <= previous)) return false;
    if (previous !== null && grid.contentAt(top, col) === Content.Number && number !== previous + 1) return false;
    if (!Number.isInteger(number)) return false;
    previous = number;
  }
  return true;
}

/** A row of values that formulas read individually is several inputs. */
function isSeriesAcross(grid: SheetGrid, block: CellBlock): boolean {
  const { top: row, left, right, bottom } = block;
  const use = readingOf(grid, block);
  if (bottom > row) return use.fixed < 0.6 * use.cells;
  if (use.fixed > 0.5 * use.cells && use.swept < use.fixed) return false;
  return use.swept + use.range > 0 || right - left + 1 > 3;
}

/** Counts the cells that formulas read exactly, sweep over, or read as part of a range. */
function readingOf(
  grid: SheetGrid,
  { top, left, bottom, right }: CellBlock,
): Record<'fixed' | 'swept' | 'range' | 'cells', number> {
  const use = { fixed: 0, swept: 0, range: 0, cells: 0 };
  for (let row = top; row <= bottom && use.cells < MAX_SAMPLE; row++) {
    for (let col = left; col <= right; col++) {
      const at = grid.at(row, col);
      use.cells++;
      if (at < 0) continue;
      if (grid.sweptReads[at]! > 0) use.swept++;
      else if (grid.fixedReads[at]! > 0) use.fixed++;
      if (grid.rangeReads[at]! + grid.lookupReads[at]! > 0) use.range++;
    }
  }
  return use;
}

function columnRuns(grid: SheetGrid): CellBlock[] {
  const open = new Map<number, CellBlock>();
  const runs: CellBlock[] = [];
  for (let at = 0; at < grid.count; at++) {
    if (!isOpen(grid, at)) continue;
    const row = grid.row(at);
    const col = grid.col(at);
    const above = open.get(col);
    if (above && above.bottom === row - 1) {
      above.bottom = row;
      continue;
    }
    const run = { top: row, bottom: row, left: col, right: col };
    open.set(col, run);
    runs.push(run);
  }
  return runs.filter(({ top, bottom }) => bottom - top + 1 >= MIN_DOWN);
}

/** A column of values that each have a label is several inputs, unless formulas sweep over it or read it as a whole. */
function isSeriesDown(grid: SheetGrid, block: CellBlock): boolean {
  const { top, bottom, left: col } = block;
  const height = bottom - top + 1;
  const sample = Math.min(height, MAX_SAMPLE);
  const labels = new Set<string>();
  const formats = new Set<string>();
  for (let row = top; row < top + sample; row++) {
    formats.add(grid.format(grid.at(row, col)));
    labels.add(leftLabel(grid, row, col)?.text ?? '');
  }
  labels.delete('');
  const use = readingOf(grid, block);
  if (use.fixed > 0.5 * use.cells) return false;
  const isMixed = formats.size >= Math.max(2, height / 3);
  if (labels.size >= sample * 0.8 && ((isMixed && height <= 20) || height < MIN_LABELLED)) return false;
  if (labels.size < sample * 0.8 || height > 25 || use.swept > 0.5 * use.cells) return true;
  return use.range > 0.8 * use.cells && use.fixed === 0 && formats.size === 1 && height >= 4;
}
