/** Visits formulas along their precedents, each once, without recursion. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { FormulaColumn, FormulaIndex } from './formula-index.ts';
import type { Precedents } from './precedents.ts';
import type { SheetBlock } from './scope.ts';

/** The formula cells not taken yet. Finding them by block takes time independent of the number of taken ones. */
class Remaining {
  private readonly index: FormulaIndex;
  private readonly taken: Uint8Array;
  /** By column: the next position that may still be free (union-find with path halving). */
  private readonly next = new Map<FormulaColumn, Int32Array>();

  constructor(index: FormulaIndex) {
    this.index = index;
    this.taken = new Uint8Array(index.cells.length);
  }

  isTaken(id: number): boolean {
    return this.taken[id] === 1;
  }

  take(id: number): void {
    this.taken[id] = 1;
  }

  /** Returns the number of a free formula in the block, or -1. */
  first(sheet: number, block: CellBlock): number {
    let found = -1;
    this.index.scan(sheet, block, (column, from, to) => {
      if (found >= 0) return;
      const next = this.nextOf(column);
      let at = find(next, from);
      while (at < to && this.taken[column.ids[at]!] === 1) {
        next[at] = at + 1;
        at = find(next, at);
      }
      if (at < to) found = column.ids[at]!;
    });
    return found;
  }

  private nextOf(column: FormulaColumn): Int32Array {
    let next = this.next.get(column);
    if (!next) this.next.set(column, (next = Int32Array.from({ length: column.rows.length + 1 }, (_, at) => at)));
    return next;
  }
}

function find(next: Int32Array, from: number): number {
  let at = from;
  while (next[at] !== at) {
    next[at] = next[next[at]!]!;
    at = next[at]!;
  }
  return at;
}

/**
 * Returns an order in which formulas can be calculated, each after what it reads; circular references are cut
 * somewhere. `depth` is the recursion depth of an engine that calculates cells row by row and their precedents on
 * demand.
 */
export function calculationOrder(index: FormulaIndex): { order: Int32Array; depth: number } {
  const remaining = new Remaining(index);
  const order = new Int32Array(index.cells.length);
  let done = 0;
  let depth = 0;
  const stack: { id: number; areas: SheetBlock[]; at: number }[] = [];
  const push = (id: number): void => {
    remaining.take(id);
    stack.push({ id, areas: index.precedents(id).areas, at: 0 });
    depth = Math.max(depth, stack.length);
  };
  for (let root = 0; root < index.cells.length; root += 1) {
    if (remaining.isTaken(root)) continue;
    push(root);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const area = top.areas[top.at];
      if (!area) {
        order[done++] = top.id;
        stack.pop();
        continue;
      }
      const id = remaining.first(area.sheet, area.block);
      if (id < 0) top.at += 1;
      else push(id);
    }
  }
  return { order, depth };
}

/**
 * Determines for every formula cell whether one of the blocks depends on it. If a formula on the way computes its
 * references at run time, every cell may feed it and `all` is true.
 */
export function feeding(
  index: FormulaIndex,
  outputs: SheetBlock[],
  read: (id: number) => Precedents = (id) => index.precedents(id),
): { feeds: (id: number) => boolean; all: boolean } {
  const remaining = new Remaining(index);
  const open = [...outputs];
  for (let area = open.pop(); area; area = open.pop()) {
    for (let id = remaining.first(area.sheet, area.block); id >= 0; id = remaining.first(area.sheet, area.block)) {
      remaining.take(id);
      const { areas, unknown } = read(id);
      if (unknown) return { feeds: () => true, all: true };
      open.push(...areas);
    }
  }
  return { feeds: (id) => remaining.isTaken(id), all: false };
}
