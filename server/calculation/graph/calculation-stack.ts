/** The cells being calculated, innermost last. Each waits for the cell above it. */
import { Flag } from '../kernels/chunk.ts';
import type { Store } from '../kernels/store.ts';
import type { CellValue } from '../values/cell-value.ts';

export interface SheetCell {
  sheet: number;
  row: number;
  col: number;
}

/** Thrown if formulas depend on each other too deeply: this cell must be calculated first, with an empty stack. */
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
  /** Number of cells being calculated. */
  level = 0;
  /** Total nesting depth of their formulas. */
  nested = 0;
  /** Cells that wait for one that was put off, outermost first. */
  readonly waiting: SheetCell[] = [];
  /** Cells that depend on themselves by a circular reference. */
  readonly circularReferences: SheetCell[][] = [];
  private noted = 0;
  /** True if circular references were found since this was last set to false. */
  metCircularReference = false;
  /**
   * True if the book calculates circular references iteratively: a cell that waits for itself then has its previous
   * value.
   */
  iterates = false;
  /** True if nothing has changed since the file was saved. */
  isAsSaved = false;
  /** Cells of circular references that still changed after the maximum number of iterations. */
  readonly nonConverged: SheetCell[] = [];
  private readonly cells: SheetCell[] = [];

  /** Clears the recorded circular references. */
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

  /** Returns the innermost cell, or null. */
  top(): SheetCell | null {
    return this.level > 0 ? { ...this.cells[this.level - 1]! } : null;
  }

  /**
   * Handles a cell that waits for its own value: records the circular reference and returns 0, as Excel does, or the
   * previous value if the book iterates.
   */
  circularReference(store: Store, sheet: number, row: number, col: number): CellValue {
    this.metCircularReference = true;
    const isIt = (cell: SheetCell): boolean => cell.row === row && cell.col === col && cell.sheet === sheet;
    const open = this.cells.slice(0, this.level);
    const from = open.findIndex(isIt);
    const around = from >= 0 ? open.slice(from) : [...this.waiting.slice(this.waiting.findIndex(isIt)), ...open];
    if (this.noted < MAX_RECORDED_CELLS)
      this.circularReferences.push(around.slice(0, MAX_RECORDED_CELLS - this.noted).map((cell) => ({ ...cell })));
    this.noted += around.length;
    return this.iterates ? (store.value(sheet, row, col) ?? 0) : 0;
  }

  /** Resets the stack after an error: nothing is being calculated any more. */
  unwind(store: Store): void {
    for (let at = 0; at < this.level; at += 1) {
      const { sheet, row, col } = this.cells[at]!;
      store.clearFlags(sheet, row, col, Flag.Busy);
    }
    this.level = 0;
    this.nested = 0;
  }
}

/** Maximum number of recorded cells in all circular references of a calculation. */
const MAX_RECORDED_CELLS = 20_000;
