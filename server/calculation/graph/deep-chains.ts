/** Cells that, calculated first and in this order, keep an engine that recurses from going deeper than `limit`. */
import { BlockMax } from './block-max.ts';
import type { FormulaIndex } from './formula-index.ts';

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

/**
 * Formulas that close a circle: they read, directly, what in the order comes after them, or themselves. Every circle has
 * one. Formulas that work out what they read are not looked through.
 */
export function circleCells(index: FormulaIndex, order: Int32Array): number[] {
  const places = new BlockMax(index);
  order.forEach((id, place) => places.raise(id, place + 1));
  const cells: number[] = [];
  order.forEach((id, place) => {
    const closes = index.precedents(id).areas.some(({ sheet, block }) => places.max(sheet, block) > place);
    if (closes) cells.push(id);
  });
  return cells;
}
