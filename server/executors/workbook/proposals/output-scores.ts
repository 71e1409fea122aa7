/** Scores how likely a formula is a result, independently of its label. */
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { coveredBlock } from '#server/calculation/graph/reads.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { intersectBlocks } from '#server/calculation/syntax/areas.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { GroupReads } from './cell-reads.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { OUTPUT_WEIGHTS as W } from './weights.ts';

export interface OutputContext {
  grids: readonly SheetGrid[];
  groups: ReadonlyMap<FormulaGroup, GroupReads>;
  depths: ReadonlyMap<FormulaGroup, number>;
  charted: readonly SheetBlock[];
}

/** Maximum number of formula cells examined per block. */
const MAX_SAMPLE = 500;
/** A cell that repeats another one more than this many rows away sums up the sheet. */
const FAR_ROWS = 12;

/** Returns true if a chart shows cells of the block. */
export const isCharted = (grid: SheetGrid, block: CellBlock, { charted }: OutputContext): boolean =>
  charted.some(({ sheet, block: shown }) => sheet === grid.index && intersectBlocks(shown, block) !== null);

/**
 * Returns the share (0 to 1) of the block's first MAX_SAMPLE cells that no formula uses. Formulas that only repeat a
 * cell do not count.
 */
export function unreadShare(grid: SheetGrid, block: CellBlock): number {
  let cells = 0;
  let unread = 0;
  for (const at of cellsIn(grid.model.cells, block)) {
    if (at >= grid.count || cells >= MAX_SAMPLE) break;
    cells++;
    if (!grid.isRead(at)) unread++;
  }
  return cells === 0 ? 0 : unread / cells;
}

/**
 * Scores how a formula depends on others. Results build on other formulas; a formula that only repeats a cell or reads
 * none is not a result.
 */
export function dependsScore(group: FormulaGroup, { grids, groups, depths }: OutputContext): number {
  if (group.record.kind === 'dataTable') return W.onFormulas;
  const reads = groups.get(group)?.reads ?? [];
  if (reads.length === 0) return W.readsNothing;
  let onFormula = false;
  let onValue = false;
  for (const read of reads.slice(0, 40)) {
    const grid = grids[read.sheet]!;
    const block = coveredBlock(read, group);
    let seen = 0;
    for (const at of cellsIn(grid.model.cells, block)) {
      if (at >= grid.count || ++seen > 50) break;
      if (grid.content(at) === Content.Formula) onFormula = true;
      else if (grid.isValue(at)) onValue = true;
    }
  }
  const { tree } = group.record;
  const isEcho = tree?.type === 'reference' || tree?.type === 'name';
  if (isEcho) {
    const isFar = reads.some(
      (read) => read.sheet !== group.sheet || Math.abs(coveredBlock(read, group).top - group.top) > FAR_ROWS,
    );
    return onFormula ? (isFar ? W.repeatsFar : W.repeatsNear) : W.repeatsValue;
  }
  const depth = depths.get(group) ?? 0;
  if (!onFormula) return onValue ? 0 : -W.onFormulas;
  return W.onFormulas + W.depth * Math.min(5, depth);
}
