/** Circular references of formulas. */
import { BlockMax } from './block-max.ts';
import type { FormulaIndex } from './formula-index.ts';

/**
 * Formulas that close a circular reference: they read, directly, what in the order comes after them, or themselves. Every circular reference has
 * one. Formulas that work out what they read are not looked through.
 */
export function circularReferenceCells(index: FormulaIndex, order: Int32Array): number[] {
  const places = new BlockMax(index);
  order.forEach((id, place) => places.raise(id, place + 1));
  const cells: number[] = [];
  order.forEach((id, place) => {
    const closes = index.precedents(id).areas.some(({ sheet, block }) => places.max(sheet, block) > place);
    if (closes) cells.push(id);
  });
  return cells;
}
