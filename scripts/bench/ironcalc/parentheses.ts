/**
 * IronCalc stores formulas as text, and drops some parentheses that they need: ("a"&1)+2 becomes "a"&1+2 when a model
 * is copied. Such operands are wrapped in a call, IF(TRUE,…), which returns them unchanged. Source:
 * base/src/expressions/parser/stringify.rs of IronCalc 0.8.
 */
import { BINARY_BINDING, BINDING } from '#server/calculation/syntax/ast.ts';
import type { BinaryNode, Node } from '#server/calculation/syntax/ast.ts';
import { isReferenceOperator, mapChildren } from '#server/calculation/syntax/traverse.ts';

export function keepParentheses(node: Node): Node {
  switch (node.type) {
    case 'binary':
      return isReferenceOperator(node) ? node : keepInBinary(node);
    case 'unary': {
      const operand = keepParentheses(node.operand);
      const loses = operand.type === 'binary' && (node.operator === '@' || loseable(operand));
      return { ...node, operand: loses ? held(operand) : operand };
    }
    case 'postfix': {
      const operand = keepParentheses(node.operand);
      return { ...node, operand: operand.type === 'binary' ? held(operand) : operand };
    }
    default:
      return mapChildren(node, keepParentheses);
  }
}

/** Walks the left spine with a loop instead of recursion, because it may be thousands of operators long. */
function keepInBinary(node: BinaryNode): Node {
  const spine: BinaryNode[] = [];
  let left: Node = node;
  while (left.type === 'binary' && !isReferenceOperator(left)) {
    spine.push(left);
    left = left.left;
  }
  let result = keepParentheses(left);
  for (const step of spine.reverse()) {
    const right = keepParentheses(step.right);
    result = {
      ...step,
      left: loses(step, result, false) ? held(result) : result,
      right: loses(step, right, true) ? held(right) : right,
    };
  }
  return result;
}

function loses(parent: BinaryNode, child: Node, isRight: boolean): boolean {
  if (child.type !== 'binary') return false;
  const inside = BINARY_BINDING[child.operator];
  const around = BINARY_BINDING[parent.operator];
  if (inside < around) return loseable(child);
  return isRight && inside === around && inside === BINDING.comparison;
}

function loseable({ operator }: BinaryNode): boolean {
  const binding = BINARY_BINDING[operator];
  return binding === BINDING.comparison || binding === BINDING.concatenation;
}

function held(node: Node): Node {
  return { type: 'call', name: 'IF', filePrefix: '', args: [{ type: 'boolean', value: true }, node] };
}
