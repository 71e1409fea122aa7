/** Tracks which cells of which groups must be recalculated, and what a change affects. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CHUNK_MASK, Flag, nextVersion } from '../kernels/chunk.ts';
import type { Store } from '../kernels/store.ts';
import { intersectBlocks } from '../syntax/areas.ts';
import type { Book } from './book.ts';
import type { Component } from './components.ts';
import type { FormulaGroup } from './formula-groups.ts';
import type { SheetCells } from './sheet-cells.ts';
import type { Spills } from './spills.ts';

/** Beyond this number, the blocks of a group are merged into one. */
const MAX_BLOCKS = 64;

/** The last change: programs that calculate many variants change the same cells again and again. */
interface RememberedChange {
  book: Book;
  key: string;
  /** Marked blocks by group. */
  marked: [number, CellBlock[]][];
}

const keyOf = (changes: readonly SheetCells[]): string =>
  changes
    .map(({ sheet, block: { top, left, bottom, right } }) => `${sheet},${top},${left},${bottom},${right}`)
    .join(';');

export class OutOfDate {
  /** By group: blocks of its cells, which may overlap. */
  readonly blocks: Map<number, CellBlock[]>;
  book: Book;
  private readonly store: Store;
  private readonly spills: Spills;
  private readonly open: SheetCells[] = [];
  private last: RememberedChange | null = null;

  constructor(book: Book, store: Store, spills: Spills, blocks = new Map<number, CellBlock[]>()) {
    this.book = book;
    this.store = store;
    this.spills = spills;
    this.blocks = blocks;
  }

  markAll(): void {
    this.book.groups.forEach((group, number) => {
      if (group.record.kind === 'dataTable') return;
      const { top, left, bottom, right } = group;
      this.blocks.set(number, [{ top, left, bottom, right }]);
      markCells(this.store, group.sheet, group, number + 1);
      this.markSpill(number);
    });
  }

  /** Marks everything that depends on changed blocks. Calls `onChanged` after each of them. */
  changedAll(changes: readonly SheetCells[], onChanged: (change: SheetCells) => void): void {
    // What a change marks depends only on the formulas, as long as no array spills and nothing else is marked.
    const isRepeatable = this.blocks.size === 0 && this.spills.isEmpty;
    const key = isRepeatable ? keyOf(changes) : '';
    if (isRepeatable && this.last?.book === this.book && this.last.key === key) return this.markAgain(this.last.marked);
    for (const change of changes) {
      this.changed(change.sheet, change.block);
      onChanged(change);
    }
    if (!isRepeatable) return;
    // Copies, because the lists may still grow: what is marked later has also marked others.
    this.last = { book: this.book, key, marked: [...this.blocks].map(([number, own]) => [number, own.slice()]) };
  }

  private markAgain(marked: RememberedChange['marked']): void {
    for (const [number, blocks] of marked) {
      this.blocks.set(number, blocks.slice());
      for (const block of blocks) markCells(this.store, this.book.groups[number]!.sheet, block, number + 1);
    }
  }

  /** Marks everything that depends on a changed block, directly or transitively. */
  changed(sheet: number, block: CellBlock): void {
    this.open.push({ sheet, block });
    this.spread();
  }

  /** Marks cells of a group, and everything that depends on them. */
  mark(group: number, cells: CellBlock): void {
    this.markDependent(group, cells);
    this.spread();
  }

  private spread(): void {
    for (let next = this.open.pop(); next; next = this.open.pop()) {
      this.book.dependents.visit(next.sheet, next.block, (group, cells) => this.markDependent(group, cells));
    }
  }

  private markDependent(number: number, cells: CellBlock): void {
    const { components, of } = this.book.order;
    const component = components[of[number]!]!;
    // Cells that are already marked have affected the others of their component before.
    if (!this.add(number, cells) || !component.isCircular) return;
    const box = reachWithin(component, cells);
    for (const member of component.groups) {
      const own = intersectBlocks(this.book.groups[member]!, box);
      if (own) this.add(member, own);
    }
  }

  /** Returns true if some of the cells were not marked yet. */
  private add(number: number, cells: CellBlock): boolean {
    const group = this.book.groups[number]!;
    if (group.record.kind === 'dataTable') return false;
    const block = group.record.kind === 'array' ? blockOf(group) : cells;
    let own = this.blocks.get(number);
    if (!own) this.blocks.set(number, (own = []));
    if (own.some((other) => contains(other, block))) return false;
    if (own.length >= MAX_BLOCKS) own.splice(0, own.length, around([...own, block]));
    else own.push(block);
    const marked = own.at(-1)!;
    markCells(this.store, group.sheet, marked, number + 1);
    this.open.push({ sheet: group.sheet, block: marked });
    this.markSpill(number);
    return true;
  }

  private markSpill(number: number): void {
    const spill = this.spills.get(number);
    if (!spill?.block) return;
    markCells(this.store, spill.sheet, spill.block, -1 - number);
    this.open.push({ sheet: spill.sheet, block: spill.block });
  }
}

/** Returns the area that a change of `cells` may affect within a component whose cells read each other. */
function reachWithin({ rows, cols }: Component, cells: CellBlock): CellBlock {
  return {
    top: rows === -1 || rows === 0 ? cells.top : 0,
    bottom: rows === 1 || rows === 0 ? cells.bottom : Infinity,
    left: cols === -1 || cols === 0 ? cells.left : 0,
    right: cols === 1 || cols === 0 ? cells.right : Infinity,
  };
}

const blockOf = ({ top, left, bottom, right }: FormulaGroup): CellBlock => ({ top, left, bottom, right });

const contains = (outer: CellBlock, inner: CellBlock): boolean =>
  inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right;

function around(blocks: readonly CellBlock[]): CellBlock {
  return {
    top: Math.min(...blocks.map(({ top }) => top)),
    left: Math.min(...blocks.map(({ left }) => left)),
    bottom: Math.max(...blocks.map(({ bottom }) => bottom)),
    right: Math.max(...blocks.map(({ right }) => right)),
  };
}

/** Flags the cells of a block that have this formula number. */
function markCells(store: Store, sheet: number, block: CellBlock, formula: number): void {
  for (let col = block.left; col <= block.right; col += 1) {
    for (let row = block.top; row <= block.bottom;) {
      const last = Math.min(block.bottom, row | CHUNK_MASK);
      if (store.chunk(sheet, row, col)?.formulas) {
        const chunk = store.writable(sheet, row, col);
        const { formulas, kinds } = chunk;
        const end = Math.min(last & CHUNK_MASK, chunk.size - 1);
        for (let at = row & CHUNK_MASK; at <= end; at += 1) if (formulas![at] === formula) kinds[at]! |= Flag.Dirty;
        chunk.version = nextVersion();
      }
      row = last + 1;
    }
  }
}
