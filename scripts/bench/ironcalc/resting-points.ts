/** Returns cells to calculate first, in this order, so that a recursive engine never recurses deeper than `limit`. */
import { BlockMax } from '#server/calculation/graph/block-max.ts';
import type { FormulaIndex } from '#server/calculation/graph/formula-index.ts';

export function restingPoints(index: FormulaIndex, order: Int32Array, limit: number): number[] {
  const points: number[] = [];
  const depths = new BlockMax(index);
  for (const id of order) {
    let below = 0;
    for (const { sheet, block } of index.precedents(id).areas) below = Math.max(below, depths.max(sheet, block));
    if (below + 1 > limit) points.push(id);
    else depths.raise(id, below + 1);
  }
  return points;
}
