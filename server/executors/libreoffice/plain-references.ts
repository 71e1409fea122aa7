/** Replaces table references with cell references, because LibreOffice can read only some forms of table references. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { Scope } from '#server/calculation/graph/scope.ts';
import { Absolute } from '#server/calculation/syntax/ast.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { mapChildren } from '#server/calculation/syntax/traverse.ts';

/** Returns the formula of a cell with each table reference replaced by the cells it refers to at that position. */
export function withPlainReferences(tree: Node, scope: Scope, sheet: number, at: CellPosition): Node {
  const change = (node: Node): Node => {
    if (node.type !== 'structured') return mapChildren(node, change);
    const area = scope.structured(node, sheet, at);
    if (typeof area === 'string') return { type: 'error', code: area };
    const { top, left, bottom, right } = area.block;
    return {
      type: 'reference',
      prefix: { book: null, first: scope.sheetNames[area.sheet]!, last: null },
      shape: top === bottom && left === right ? 'cell' : 'range',
      row1: top,
      col1: left,
      row2: bottom,
      col2: right,
      absolute: Absolute.row1 | Absolute.col1 | Absolute.row2 | Absolute.col2,
    };
  };
  return change(tree);
}
