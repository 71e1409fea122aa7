/**
 * Trim references ('A1.:.B9'). Files contain them as calls of a function that has no other use, and so do trees.
 * Source: workbooks saved by Excel.
 */
import type { CallNode, Node, ReferenceNode } from './ast.ts';

const NAMES = new Set(['_TRO_ALL', '_TRO_LEADING', '_TRO_TRAILING']);

/** Returns the tree of a trim reference: without the blank rows and columns before the values, after them, or both. */
export function trimReference(range: ReferenceNode, isLeading: boolean, isTrailing: boolean): CallNode {
  const name = isLeading && isTrailing ? '_TRO_ALL' : isLeading ? '_TRO_LEADING' : '_TRO_TRAILING';
  return { type: 'call', name, filePrefix: '_xlfn.', args: [range] };
}

/** Returns the reference that a trim reference is part of, with its blank rows and columns; null for other nodes. */
export function untrimmedReference(node: Node): ReferenceNode | null {
  const range = node.type === 'call' && NAMES.has(node.name) ? node.args[0] : undefined;
  return range?.type === 'reference' ? range : null;
}
