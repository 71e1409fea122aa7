/** Defined names follow resized tables as formulas do. A print area also grows if it contained a whole table. */
import type { DefinedName, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { moveReference, referenceBlock } from '#server/calculation/syntax/areas.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { mapChildren } from '#server/calculation/syntax/traverse.ts';
import { NO_CELL, parseReference } from './charts/reference-areas.ts';
import { followTables, referencedSheet } from './grown-references.ts';
import type { ResizedTable } from './grown-references.ts';

const PRINT_AREA = '_xlnm.print_area';

/** Returns the new text of a name; null if it does not change. */
export function followName(
  { name, text, sheet }: DefinedName,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): string | null {
  const followed = followTables(text, NO_CELL, sheet, model, resized);
  if (name.toLowerCase() !== PRINT_AREA) return followed;
  return growAround(followed ?? text, sheet, model, resized) ?? followed;
}

function growAround(
  text: string,
  sheet: number | null,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): string | null {
  const tree = parseReference(text);
  if (!tree) return null;
  const change = (node: Node): Node => {
    if (node.type !== 'reference') return mapChildren(node, change);
    if (node.shape !== 'range') return node;
    const target = referencedSheet(node, sheet, model);
    const block = referenceBlock(node, NO_CELL);
    const bottoms = resized.flatMap(({ table, oldBottom, newBottom }) => {
      const { left, right, top } = table.block;
      const isInside = block.left <= left && block.right >= right && block.top <= top && block.bottom >= oldBottom;
      return table.sheet === target && isInside ? [newBottom] : [];
    });
    const bottom = Math.max(block.bottom, ...bottoms);
    return bottom === block.bottom ? node : moveReference(node, { ...block, bottom }, NO_CELL);
  };
  const changed = change(tree);
  return changed === tree ? null : printFormula(changed, NO_CELL);
}
