/** Copies the formula groups of a model and replaces some of them. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CHUNK_MASK } from '../kernels/chunk.ts';
import type { Store } from '../kernels/store.ts';
import type { FormulaGroup } from './formula-groups.ts';
import type { FormulaRecord } from './formula-trees.ts';

const NOWHERE = { top: 0, left: 0, bottom: -1, right: -1 };

export class Regrouping {
  readonly groups: FormulaGroup[];
  /** Numbers of the new groups. */
  readonly added: number[] = [];
  private readonly store: Store;

  constructor(groups: readonly FormulaGroup[], store: Store) {
    this.groups = groups.slice();
    this.store = store;
  }

  /** Writes a formula into cells, whatever they contained. */
  place(sheet: number, record: FormulaRecord, block: CellBlock): void {
    const number = this.add(sheet, record, block);
    for (let col = block.left; col <= block.right; col += 1) {
      for (let row = block.top; row <= block.bottom; row += 1) this.store.setFormula(sheet, row, col, number + 1);
    }
  }

  /** Replaces the formulas of a group's cells; cells that no longer belong to the group stay as they are. */
  replace(number: number, parts: readonly { block: CellBlock; record: FormulaRecord }[]): void {
    const { sheet } = this.groups[number]!;
    for (const { block, record } of parts) {
      const next = this.add(sheet, record, block);
      for (let col = block.left; col <= block.right; col += 1) {
        for (let row = block.top; row <= block.bottom; row += 1) {
          if (this.store.chunk(sheet, row, col)?.formula(row & CHUNK_MASK) !== number + 1) continue;
          this.store.setFormula(sheet, row, col, next + 1);
        }
      }
    }
    this.groups[number] = { ...this.groups[number]!, ...NOWHERE, spill: null };
  }

  private add(sheet: number, record: FormulaRecord, { top, left, bottom, right }: CellBlock): number {
    const number = this.groups.push({ sheet, record, top, left, bottom, right, spill: null }) - 1;
    this.added.push(number);
    return number;
  }
}
