/** Updates defined names around an insertion of cells. */
import type { DefinedName } from '#server/calculation/reader/workbook-model.ts';
import type { CellInsertion, SheetNames } from '#server/calculation/tables/insert-cells.ts';
import { tearsBlock } from '#server/calculation/tables/insert-cells.ts';
import { moveReference, referenceBlock } from '#server/calculation/syntax/areas.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { mapChildren } from '#server/calculation/syntax/traverse.ts';
import { MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { NO_CELL } from '../charts/reference-areas.ts';
import { movedText } from './moved-references.ts';
import { treeOf } from './placed-records.ts';

const PRINT_AREA = '_xlnm.print_area';

/**
 * Returns the new text of a name; null if it does not change. A print area that is wider than the new cells grows, so
 * that it still shows what has moved.
 */
export function movedName(
  { name, text, sheet }: DefinedName,
  insertion: CellInsertion,
  names: SheetNames,
): string | null {
  const moved = movedText(text, sheet, insertion, names);
  if (name.toLowerCase() !== PRINT_AREA) return moved;
  const tree = treeOf(moved ?? text, NO_CELL);
  if (!tree) return moved;
  const change = (node: Node): Node => {
    if (node.type !== 'reference') return mapChildren(node, change);
    if (node.shape === 'columns' || names.prefixSheets(node.prefix, sheet ?? -1)?.[0] !== insertion.sheet) return node;
    const block = referenceBlock(node, NO_CELL);
    if (!tearsBlock(block, insertion) || block.top > insertion.row) return node;
    const bottom = Math.min(block.bottom + insertion.count, MAX_ROWS - 1);
    return moveReference(node, { ...block, bottom }, NO_CELL);
  };
  const grown = change(tree);
  return grown === tree ? moved : printFormula(grown, NO_CELL);
}

/** Names that Excel itself defines, which show or repeat cells and calculate nothing. */
export const isBuiltIn = ({ name }: DefinedName): boolean => name.toLowerCase().startsWith('_xlnm.');
