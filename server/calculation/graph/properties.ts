/** Finds properties of formulas that decide how their results can be compared. */
import type { ExternalBooks } from './external-books.ts';
import { isOtherBook } from './scope.ts';
import type { SheetBlock } from './scope.ts';
import { BlockMax } from './block-max.ts';
import { nameOf } from './precedents.ts';
import type { FormulaIndex } from './formula-index.ts';
import type { Node } from '../syntax/ast.ts';
import { walk } from '../syntax/traverse.ts';

/** Functions whose result depends on time, chance or the machine. OFFSET and INDIRECT are volatile, but repeatable. */
const ENVIRONMENT_FUNCTIONS = new Set(['NOW', 'TODAY', 'RAND', 'RANDBETWEEN', 'RANDARRAY', 'CELL', 'INFO']);
const MAX_NAMES = 200;

/**
 * Returns for every formula its functions (including those in its names) whose results a second calculation does not
 * repeat.
 */
export function listEnvironmentFunctions(index: FormulaIndex): string[][] {
  const known = new Map<Node, string[]>();
  return index.cells.map(({ tree, sheet }) => {
    if (!tree) return [];
    let found = known.get(tree);
    if (!found) {
      const names = new Set<string>();
      walkWithNames(index, tree, sheet, (node) => {
        if (node.type === 'call' && ENVIRONMENT_FUNCTIONS.has(node.name)) names.add(node.name);
      });
      known.set(tree, (found = [...names]));
    }
    return found;
  });
}

/**
 * Returns the first other workbook that the formula, or a name it uses, refers to. Workbooks without saved values come
 * before those with saved values.
 */
export function linkedBook(
  index: FormulaIndex,
  id: number,
  books: ExternalBooks,
): { target: string; isSaved: boolean } | null {
  const { tree, sheet } = index.cells[id]!;
  let found: { target: string; isSaved: boolean } | null = null;
  if (!tree) return found;
  walkWithNames(index, tree, sheet, (node) => {
    if (found?.isSaved === false) return;
    if (node.type !== 'reference' && node.type !== 'name' && node.type !== 'structured') return;
    if (!isOtherBook(node.prefix)) return;
    const { prefix } = node;
    const isSaved =
      node.type === 'name'
        ? books.name(node)?.tree != null
        : node.type === 'reference' && books.sheets(prefix!) !== null;
    found = { target: books.target(prefix!.book!), isSaved };
  });
  return found;
}

function walkWithNames(index: FormulaIndex, tree: Node, sheet: number, visit: (node: Node) => void): void {
  const open = [tree];
  const seen = new Set<Node>();
  for (let root = open.pop(); root; root = open.pop()) {
    if (seen.has(root) || seen.size > MAX_NAMES) continue;
    seen.add(root);
    walk(root, (node) => {
      visit(node);
      const name = nameOf(node);
      const meaning = name && index.scope.name(name, sheet)?.tree;
      if (meaning) open.push(meaning);
    });
  }
}

/**
 * Returns the formulas that have a property and all their dependents, each with a formula that has the property. `made`
 * returns the references that a formula creates at run time; they may point to formulas later in `order`.
 */
export function transitiveDependents(
  index: FormulaIndex,
  order: Int32Array,
  has: (id: number) => boolean,
  createdReferences: (id: number) => readonly SheetBlock[],
): Map<number, number> {
  const dependents = new Map<number, number>();
  const marks = new BlockMax(index);
  const rootIn = (areas: readonly SheetBlock[]): number =>
    areas.reduce((root, { sheet, block }) => (root >= 0 ? root : marks.max(sheet, block) - 1), -1);
  for (let before = -1; before < dependents.size;) {
    before = dependents.size;
    for (const id of order) {
      if (dependents.has(id)) continue;
      const own = has(id);
      if (!own && dependents.size === 0) continue;
      const root = own ? id : rootOf(index, id, rootIn, createdReferences);
      if (root < 0) continue;
      dependents.set(id, root);
      marks.raise(id, root + 1);
    }
  }
  return dependents;
}

function rootOf(
  index: FormulaIndex,
  id: number,
  rootIn: (areas: readonly SheetBlock[]) => number,
  createdReferences: (id: number) => readonly SheetBlock[],
): number {
  const { areas, unknown } = index.precedents(id);
  const root = rootIn(areas);
  return root < 0 && unknown ? rootIn(createdReferences(id)) : root;
}
