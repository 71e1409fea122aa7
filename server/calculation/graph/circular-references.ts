/** Finds formulas that close circular references. */
import { BlockMax } from './block-max.ts';
import type { FormulaIndex } from './formula-index.ts';

/**
 * Returns formulas that close a circular reference: they directly read themselves, or something later in the order.
 * Every circular reference contains one. References that formulas compute at run time are not considered.
 */
export function circularReferenceCells(index: FormulaIndex, order: Int32Array): number[] {
  const positions = new BlockMax(index);
  order.forEach((id, position) => positions.raise(id, position + 1));
  const cells: number[] = [];
  order.forEach((id, position) => {
    const closes = index.precedents(id).areas.some(({ sheet, block }) => positions.max(sheet, block) > position);
    if (closes) cells.push(id);
  });
  return cells;
}
