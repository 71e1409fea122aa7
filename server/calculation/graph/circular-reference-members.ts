/**
 * Finds which cells of a component depend on themselves: its groups read each other, but few of their cells may be
 * circular.
 */
import type { Book } from './book.ts';
import type { SheetCell } from './calculation-stack.ts';
import { strongComponents } from './components.ts';
import { coveredBlock } from './reads.ts';
import type { SheetCells } from './sheet-cells.ts';
import type { Store } from '../kernels/store.ts';

/** Maximum number of examined dependencies; beyond it, all cells count as members. */
const MAX_EDGES = 2_000_000;

export interface CircularReferenceMembers {
  /**
   * Cells in circular references and on paths between them, in the order in which Excel iterates: sheet by sheet, row
   * by row, from the left.
   */
  members: SheetCell[];
  /** The other cells of the component, which may depend on the members; null if every cell counts as a member. */
  others: SheetCell[] | null;
}

/** `cells` are blocks of formulas that read each other. */
export function circularReferenceMembers(
  book: Book,
  store: Store,
  cells: readonly SheetCells[],
): CircularReferenceMembers {
  const all = formulaCells(store, cells);
  const edges = edgesAmong(book, store, all);
  if (!edges) return { members: all, others: null };
  const isMember = membersOf(edges);
  return { members: all.filter((_, at) => isMember[at]), others: all.filter((_, at) => !isMember[at]) };
}

/** Marks cells of circular references, and those on a path from one circular reference to another. */
function membersOf(edges: readonly number[][]): boolean[] {
  const found = strongComponents(edges.length, edges);
  const isCircular = edges.map(() => false);
  for (const cells of found) {
    if (cells.length > 1 || edges[cells[0]!]!.includes(cells[0]!)) for (const at of cells) isCircular[at] = true;
  }
  const isBehind = [...isCircular];
  const isBefore = [...isCircular];
  const order = found.flat();
  for (const at of order) if (edges[at]!.some((read) => isBehind[read])) isBehind[at] = true;
  for (const at of order.toReversed()) if (isBefore[at]) for (const read of edges[at]!) isBefore[read] = true;
  return edges.map((_, at) => isBehind[at] === true && isBefore[at] === true);
}

function formulaCells(store: Store, cells: readonly SheetCells[]): SheetCell[] {
  const found = new Map<number, SheetCell>();
  for (const { sheet, block } of cells) {
    for (let row = block.top; row <= block.bottom; row += 1) {
      for (let col = block.left; col <= block.right; col += 1) {
        if (store.formula(sheet, row, col) > 0) found.set(keyOf(sheet, row, col), { sheet, row, col });
      }
    }
  }
  return [...found.values()].sort((a, b) => a.sheet - b.sheet || a.row - b.row || a.col - b.col);
}

const keyOf = (sheet: number, row: number, col: number): number => (sheet * 2 ** 20 + row) * 2 ** 14 + col;

/**
 * Returns for each cell the cells of the list that it reads; null if that is unknown for one cell, or if there are too
 * many.
 */
function edgesAmong(book: Book, store: Store, all: readonly SheetCell[]): number[][] | null {
  const rows = new Map<number, { cols: number[]; from: number }>();
  all.forEach(({ sheet, row, col }, at) => {
    const key = sheet * 2 ** 20 + row;
    const known = rows.get(key);
    if (known) known.cols.push(col);
    else rows.set(key, { cols: [col], from: at });
  });
  const edges: number[][] = [];
  let spent = 0;
  for (const { sheet, row, col } of all) {
    const { record } = book.groups[store.formula(sheet, row, col) - 1]!;
    const { reads, unknown } = book.readsOf(record);
    if (unknown || record.kind !== 'cells') return null;
    const own: number[] = [];
    for (const read of reads) {
      const block = coveredBlock(read, { top: row, left: col, bottom: row, right: col });
      const bottom = Math.min(block.bottom, store.sheets[read.sheet]!.usedRows - 1);
      for (let y = block.top; y <= bottom; y += 1) {
        spent += 1;
        const line = rows.get(read.sheet * 2 ** 20 + y);
        if (!line) continue;
        line.cols.forEach((x, at) => {
          if (x >= block.left && x <= block.right) own.push(line.from + at);
        });
        spent += line.cols.length;
      }
      if (spent > MAX_EDGES) return null;
    }
    edges.push(own);
  }
  return edges;
}
