/** Traverses the trees of formulas. */
import type { BinaryNode, Node } from './ast.ts';

/**
 * Calls `visit` for a node and all its descendants, parents first, without recursion. If it returns `false`, the
 * descendants are skipped.
 */
export function walk(root: Node, visit: (node: Node) => boolean | void): void {
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (visit(node) === false) continue;
    switch (node.type) {
      case 'call':
        for (let i = node.args.length - 1; i >= 0; i -= 1) open.push(node.args[i]!);
        break;
      case 'invoke':
        for (let i = node.args.length - 1; i >= 0; i -= 1) open.push(node.args[i]!);
        open.push(node.callee);
        break;
      case 'unary':
      case 'postfix':
        open.push(node.operand);
        break;
      case 'binary':
        open.push(node.right, node.left);
        break;
      default:
    }
  }
}

/**
 * Returns a tree with `change` applied to each child of the node; the node itself if nothing changes. To go deeper,
 * `change` calls mapChildren itself. The left spine of operators is walked without recursion.
 */
export function mapChildren(node: Node, change: (child: Node) => Node): Node {
  switch (node.type) {
    case 'call': {
      const args = mapAll(node.args, change);
      return args === node.args ? node : { ...node, args };
    }
    case 'invoke': {
      const args = mapAll(node.args, change);
      const callee = change(node.callee);
      return args === node.args && callee === node.callee ? node : { ...node, callee, args };
    }
    case 'unary': {
      const operand = change(node.operand);
      return operand === node.operand ? node : { ...node, operand };
    }
    case 'postfix': {
      const operand = change(node.operand);
      return operand === node.operand ? node : { ...node, operand };
    }
    case 'binary':
      return mapSpine(node, change);
    default:
      return node;
  }
}

function mapAll(nodes: Node[], change: (child: Node) => Node): Node[] {
  let changed: Node[] | null = null;
  nodes.forEach((child, index) => {
    const next = change(child);
    if (next !== child) (changed ??= nodes.slice())[index] = next;
  });
  return changed ?? nodes;
}

/**
 * Only spines of arithmetic operators are long; reference operators (':', ' ', ',') are passed to `change` as they are.
 */
function mapSpine(node: BinaryNode, change: (child: Node) => Node): Node {
  const spine: BinaryNode[] = [];
  let left: Node = node;
  do {
    spine.push(left);
    left = left.left;
  } while (left.type === 'binary' && !isReferenceOperator(left));
  let result = change(left);
  for (const step of spine.reverse()) {
    const right = change(step.right);
    result = result === step.left && right === step.right ? step : { ...step, left: result, right };
  }
  return result;
}

/** Returns true if the node combines references to a reference. */
export function isReferenceOperator(node: Node): boolean {
  return node.type === 'binary' && (node.operator === ':' || node.operator === ' ' || node.operator === ',');
}

/** Arguments that functions return as references: index range [from, to). */
const RETURNED_ARGUMENTS: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['INDEX', [0, 1]],
  ['IF', [1, 3]],
  ['CHOOSE', [1, Infinity]],
  ['XLOOKUP', [2, 4]],
]);

/**
 * Returns the parts of a side of 'a:b' that contain its corner: for A1:INDEX(B1:B9,C1) not C1, which is only a number.
 */
export function cornerNodes(side: Node): Node[] {
  const returned = side.type === 'call' ? RETURNED_ARGUMENTS.get(side.name) : undefined;
  if (side.type !== 'call' || !returned || side.args.length <= returned[0]) return [side];
  return side.args.slice(returned[0], returned[1]).flatMap(cornerNodes);
}

/** Returns the number of levels of a tree; a chain of operators counts as one. */
export function depthOf(root: Node): number {
  let deepest = 1;
  const open: { node: Node; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (depth > deepest) deepest = depth;
    switch (node.type) {
      case 'call':
        for (const arg of node.args) open.push({ node: arg, depth: depth + 1 });
        break;
      case 'invoke':
        for (const arg of node.args) open.push({ node: arg, depth: depth + 1 });
        open.push({ node: node.callee, depth: depth + 1 });
        break;
      case 'unary':
      case 'postfix':
        open.push({ node: node.operand, depth: depth + 1 });
        break;
      case 'binary':
        open.push({ node: node.left, depth }, { node: node.right, depth: depth + 1 });
        break;
      default:
    }
  }
  return deepest;
}
