/**
 * Implicit intersection: an ordinary formula that is given a range where one value is expected takes the cell of its own
 * row or column. Files leave it unsaid; IronCalc would calculate an array instead, so it is told with '@'.
 */
import { argumentKind, REFERENCE_FUNCTIONS } from '../functions/argument-kinds.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { mapChildren } from '../syntax/traverse.ts';

type Expected = 'value' | 'reference' | 'array';

/** The formula of an ordinary cell with every intersection said. */
export function sayIntersections(tree: Node): Node {
  return expect(tree, 'value');
}

function expect(node: Node, expected: Expected): Node {
  switch (node.type) {
    case 'reference':
      return expected === 'value' && node.shape !== 'cell' ? intersected(node) : node;
    case 'call':
      return call(node, expected);
    case 'binary': {
      if (node.operator === ':') return expected === 'value' ? intersected(node) : node;
      const inside = expected === 'array' ? 'array' : 'value';
      return mapChildren(node, (child) => expect(child, inside));
    }
    case 'unary':
      return node.operator === '@'
        ? node
        : mapChildren(node, (child) => expect(child, expected === 'array' ? 'array' : 'value'));
    case 'postfix':
      return node.operator === '#'
        ? node
        : mapChildren(node, (child) => expect(child, expected === 'array' ? 'array' : 'value'));
    default:
      // LAMBDA and what is called by it handle arrays
      return node;
  }
}

function call(node: CallNode, expected: Expected): Node {
  const args = node.args.map((arg, index) => {
    const kind = argumentKind(node.name, index);
    if (kind === 'inherit') return expect(arg, expected);
    return expect(arg, expected === 'array' || kind === 'array' ? 'array' : kind);
  });
  const result: Node = { ...node, args };
  return expected === 'value' && REFERENCE_FUNCTIONS.has(node.name) ? intersected(result) : result;
}

function intersected(operand: Node): Node {
  return { type: 'unary', operator: '@', operand };
}
