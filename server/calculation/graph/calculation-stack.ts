/** The cells being calculated now, innermost last; what each waits for is above it. */
import { Flag } from '../kernels/chunk.ts';
import type { Store } from '../kernels/store.ts';
import type { CellValue } from '../values/cell-value.ts';

export interface SheetCell {
  sheet: number;
  row: number;
  col: number;
}

/** Thrown where formulas call for each other too deeply: the cell is to be calculated first, from the ground. */
export class PutOff {
  readonly sheet: number;
  readonly row: number;
  readonly col: number;
  constructor(sheet: number, row: number, col: number) {
    this.sheet = sheet;
    this.row = row;
    this.col = col;
  }
}

export class CalculationStack {
  /** How many cells are being calculated. */
  level = 0;
  /** Nested nodes of their formulas. */
  nested = 0;
  /** Cells that wait, from the ground, for one that was put off. */
  readonly waiting: SheetCell[] = [];
  /** Cells found to depend on themselves, by circular reference. */
  readonly circularReferences: SheetCell[][] = [];
  private noted = 0;
  /** Circular references were met since this was last set to false. */
  metCircularReference = false;
  /** The book calculates circular references again and again: what waits for itself has its former value. */
  iterates = false;
  /** Nothing has been changed since the file was saved. */
  isAsSaved = false;
  /** Cells of circular references that still changed when the book had calculated them as often as it does. */
  readonly unsettled: SheetCell[] = [];
  private readonly cells: SheetCell[] = [];

  /** Forgets circular references met before. */
  forgetCircularReferences(): void {
    this.circularReferences.length = 0;
    this.noted = 0;
    this.metCircularReference = false;
  }

  push(sheet: number, row: number, col: number): void {
    const cell = this.cells[this.level];
    if (cell) {
      cell.sheet = sheet;
      cell.row = row;
      cell.col = col;
    } else this.cells.push({ sheet, row, col });
    this.level += 1;
  }

  /** The innermost cell, or null. */
  top(): SheetCell | null {
    return this.level > 0 ? { ...this.cells[this.level - 1]! } : null;
  }

  /** A cell that waits for its own value: notes the circular reference; Excel shows 0 then. */
  circularReference(store: Store, sheet: number, row: number, col: number): CellValue {
    this.metCircularReference = true;
    const isIt = (cell: SheetCell): boolean => cell.row === row && cell.col === col && cell.sheet === sheet;
    const open = this.cells.slice(0, this.level);
    const from = open.findIndex(isIt);
    const around = from >= 0 ? open.slice(from) : [...this.waiting.slice(this.waiting.findIndex(isIt)), ...open];
    if (this.noted < MOST_CELLS)
      this.circularReferences.push(around.slice(0, MOST_CELLS - this.noted).map((cell) => ({ ...cell })));
    this.noted += around.length;
    return this.iterates ? (store.value(sheet, row, col) ?? 0) : 0;
  }

  /** After something was thrown: nothing is being calculated any more. */
  unwind(store: Store): void {
    for (let at = 0; at < this.level; at += 1) {
      const { sheet, row, col } = this.cells[at]!;
      store.clearFlags(sheet, row, col, Flag.Busy);
    }
    this.level = 0;
    this.nested = 0;
  }
}

/** In all circular references of a calculation that are noted. */
const MOST_CELLS = 20_000;
