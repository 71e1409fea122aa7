/** Determines which cells a formula reads, as blocks. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { BinaryNode, Node } from '../syntax/ast.ts';
import { intersectBlocks, referenceBlock } from '../syntax/areas.ts';
import { cornerNodes, walk } from '../syntax/traverse.ts';
import { isOtherBook } from './scope.ts';
import type { Scope, SheetBlock } from './scope.ts';

export interface Precedents {
  areas: SheetBlock[];
  /** True if a function computes its references at run time (INDIRECT, OFFSET): any cell may feed the formula. */
  unknown: boolean;
}

const UNKNOWN_READERS = new Set(['INDIRECT', 'OFFSET']);
/** Maximum length of a chain of names; a longer one is circular or malicious. */
const MAX_NAMES = 200;

/** Returns what the formula in cell `at` of `sheet` reads, without cells of other books. */
export function precedents(tree: Node, sheet: number, at: CellPosition, scope: Scope): Precedents {
  const found: Precedents = { areas: [], unknown: false };
  const open: Node[] = [tree];
  const seen = new Set<Node>();
  for (let root = open.pop(); root; root = open.pop()) {
    if (seen.has(root) || seen.size > MAX_NAMES) continue;
    seen.add(root);
    walk(root, (node) => {
      if (node.type === 'binary' && (node.operator === ':' || node.operator === ' ')) {
        const areas = joinedAreas(node, sheet, at, scope);
        if (areas) {
          found.areas.push(...areas);
          return false;
        }
      }
      const name = nameOf(node);
      if (node.type === 'call' && UNKNOWN_READERS.has(node.name)) {
        found.unknown = true;
      } else if (name) {
        const meaning = scope.name(name, sheet);
        if (meaning?.tree) open.push(meaning.tree);
      } else {
        found.areas.push(...ownAreas(node, sheet, at, scope));
      }
      return true;
    });
  }
  return found;
}

/** Returns the defined name that a node may refer to, including that of a called LAMBDA. */
export function nameOf(node: Node): Extract<Node, { type: 'name' }> | null {
  if (node.type === 'name') return node.variable ? null : node;
  // A call of something that is not a function may be a name that holds a LAMBDA.
  if (node.type === 'call' && node.filePrefix === '') {
    return { type: 'name', prefix: null, name: node.name, variable: false, isFunction: true };
  }
  return null;
}

function ownAreas(node: Node, sheet: number, at: CellPosition, scope: Scope): SheetBlock[] {
  if (node.type === 'reference') {
    if (isOtherBook(node.prefix)) return [];
    const block = referenceBlock(node, at);
    return (scope.prefixSheets(node.prefix, sheet) ?? []).map((own) => ({ sheet: own, block }));
  }
  if (node.type === 'structured') {
    const area = scope.structured(node, sheet, at);
    return typeof area === 'string' ? [] : [area];
  }
  return [];
}

/** 'a:b' covers everything between its sides, 'a b' their intersection; null if that is unknown. */
function joinedAreas(node: BinaryNode, sheet: number, at: CellPosition, scope: Scope): SheetBlock[] | null {
  const whole = [node.left, node.right].map((side) => precedents(side, sheet, at, scope));
  const sides = [node.left, node.right].map((side) => {
    const parts = cornerNodes(side).map((part) => precedents(part, sheet, at, scope));
    return { areas: parts.flatMap((part) => part.areas) };
  });
  const areas = sides.flatMap((side) => side.areas);
  const first = areas[0];
  if (whole.some((side) => side.unknown) || sides.some((side) => side.areas.length === 0)) return null;
  if (!first || areas.some((area) => area.sheet !== first.sheet)) return null;
  if (node.operator === ' ') {
    if (areas.length !== 2 || [node.left, node.right].some((side) => side.type === 'call')) return null;
    const shared = intersectBlocks(first.block, areas[1]!.block);
    return shared ? [{ sheet: first.sheet, block: shared }] : [];
  }
  const block = {
    top: Math.min(...areas.map((area) => area.block.top)),
    left: Math.min(...areas.map((area) => area.block.left)),
    bottom: Math.max(...areas.map((area) => area.block.bottom)),
    right: Math.max(...areas.map((area) => area.block.right)),
  };
  return [{ sheet: first.sheet, block }, ...whole.flatMap((side) => side.areas)];
}
