/**
 * Stores a number per formula cell and finds the maximum within a block, with segment trees over the columns of an
 * index.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { FILLS_BLOCK } from './formula-index.ts';
import type { FormulaColumn, FormulaIndex } from './formula-index.ts';

export class BlockMax {
  private readonly index: FormulaIndex;
  private readonly trees = new Map<FormulaColumn, Uint32Array>();

  constructor(index: FormulaIndex) {
    this.index = index;
  }

  /** Sets the number of a formula (for all cells of its array). Numbers never decrease. */
  raise(id: number, value: number): void {
    const { sheet, row, col, formula } = this.index.cells[id]!;
    const block = (FILLS_BLOCK.has(formula.kind) ? formula.block : undefined) ?? {
      top: row,
      left: col,
      bottom: row,
      right: col,
    };
    this.index.scan(sheet, block, (column, from, to) => {
      const tree = this.tree(column);
      const size = column.rows.length;
      for (let at = from; at < to; at += 1) {
        if (column.ids[at] !== id) continue;
        for (let node = at + size; node >= 1 && tree[node]! < value; node >>= 1) tree[node] = value;
      }
    });
  }

  /** Returns the maximum in the block; 0 if there is none. */
  max(sheet: number, block: CellBlock): number {
    let result = 0;
    this.index.scan(sheet, block, (column, from, to) => {
      const tree = this.trees.get(column);
      if (!tree) return;
      const size = column.rows.length;
      let low = from + size;
      let high = to + size;
      while (low < high) {
        if (low & 1) result = Math.max(result, tree[low++]!);
        if (high & 1) result = Math.max(result, tree[--high]!);
        low >>= 1;
        high >>= 1;
      }
    });
    return result;
  }

  private tree(column: FormulaColumn): Uint32Array {
    let tree = this.trees.get(column);
    if (!tree) this.trees.set(column, (tree = new Uint32Array(2 * column.rows.length)));
    return tree;
  }
}
