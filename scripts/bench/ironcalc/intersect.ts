/**
 * Implicit intersection: an ordinary formula with a range where one value is expected uses the cell in its own row or
 * column. Files do not mark this, and IronCalc would calculate an array instead, so the formula gets an explicit '@'.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { argumentKind, REFERENCE_FUNCTIONS } from './argument-kinds.ts';
import { blockReference, moveReference, referenceBlock } from '#server/calculation/syntax/areas.ts';
import { Absolute } from '#server/calculation/syntax/ast.ts';
import type { ArrayItem, CallNode, Node, ReferenceNode } from '#server/calculation/syntax/ast.ts';
import { mapChildren } from '#server/calculation/syntax/traverse.ts';

type Expected = 'value' | 'reference' | 'array';

/** Returns the formula of an ordinary cell `at` with every intersection made explicit. */
export function sayIntersections(tree: Node, at: CellPosition): Node {
  // If the whole formula is an array constant, the cell shows its first item.
  if (tree.type === 'array') return itemNode(tree.rows[0]![0]!);
  return expect(tree, 'value', at);
}

function expect(node: Node, expected: Expected, at: CellPosition): Node {
  switch (node.type) {
    case 'reference':
      return expected === 'value' && node.shape !== 'cell' ? ownCell(node, at) : node;
    case 'call':
      return call(node, expected, at);
    case 'binary': {
      if (node.operator === ':') return expected === 'value' ? intersected(node) : node;
      const inside = expected === 'array' ? 'array' : 'value';
      return mapChildren(node, (child) => expect(child, inside, at));
    }
    case 'unary':
    case 'postfix': {
      if (node.operator === '@') return node.operand.type === 'reference' ? ownCell(node.operand, at) : node;
      if (node.operator === '#') return node;
      const inside = expected === 'array' ? 'array' : 'value';
      return mapChildren(node, (child) => expect(child, inside, at));
    }
    default:
      // LAMBDA and its calls handle arrays.
      return node;
  }
}

function call(node: CallNode, expected: Expected, at: CellPosition): Node {
  const args = node.args.map((arg, index) => {
    const kind = argumentKind(node.name, index);
    if (kind === 'inherit') return expect(arg, expected, at);
    return expect(arg, expected === 'array' || kind === 'array' ? 'array' : kind, at);
  });
  const result: Node = { ...node, args };
  return expected === 'value' && REFERENCE_FUNCTIONS.has(node.name) ? intersected(result) : result;
}

/**
 * Returns the cell of a block in the formula's row or column, because IronCalc finds none on another sheet. A relative
 * reference stays relative, so that a filled-down formula stays one formula.
 */
function ownCell(node: ReferenceNode, at: CellPosition): Node {
  const block = referenceBlock(node, at);
  const { row1, row2, col1, col2 } = Absolute;
  if (block.top === block.bottom && block.left === block.right) return blockReference(block, node.prefix);
  if (block.left === block.right && at.row >= block.top && at.row <= block.bottom) {
    const cell = { ...block, top: at.row, bottom: at.row };
    const isRelative = (node.absolute & (col1 | col2)) === 0;
    return moveReference({ ...node, shape: 'cell', absolute: isRelative ? 0 : col1 | col2 }, cell, at);
  }
  if (block.top === block.bottom && at.col >= block.left && at.col <= block.right) {
    const cell = { ...block, left: at.col, right: at.col };
    const isRelative = (node.absolute & (row1 | row2)) === 0;
    return moveReference({ ...node, shape: 'cell', absolute: isRelative ? 0 : row1 | row2 }, cell, at);
  }
  return { type: 'error', code: '#VALUE!' };
}

function itemNode(item: ArrayItem): Node {
  if (typeof item === 'number') return { type: 'number', value: item };
  if (typeof item === 'string') return { type: 'text', value: item };
  if (typeof item === 'boolean') return { type: 'boolean', value: item };
  return { type: 'error', code: item.error };
}

function intersected(operand: Node): Node {
  return { type: 'unary', operator: '@', operand };
}
