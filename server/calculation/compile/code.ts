/** The compiled form of formulas. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CallContext } from '../functions/function.ts';
import type { CellSource, FormulaValue } from '../values/matrix.ts';

/** The calculation that a formula runs in: the context of its functions, and what its own constructs need. */
export interface Evaluation extends CallContext, CellSource {
  /** Values of the variables of LET and LAMBDA, by slot. */
  frame: Frame;
  /** Nesting depth of LAMBDAs and names being calculated. */
  calls: number;
  /** Returns true if the formula of this cell is being calculated. */
  isBusy(sheet: number, row: number, col: number): boolean;
  /**
   * Returns the range that the array formula in a cell fills, and calculates the formula first if it is outdated; null
   * if there is none.
   */
  spillOf(sheet: number, row: number, col: number): CellBlock | null;
}

export type Code = (c: Evaluation) => FormulaValue;

export type Frame = (FormulaValue | PendingValue)[];

/** A variable of LET that may not be needed. It is calculated on first use. */
export class PendingValue {
  private readonly frame: Frame;
  private code: Code | null;
  private value: FormulaValue = undefined;
  constructor(code: Code, frame: Frame) {
    this.code = code;
    this.frame = frame;
  }
  of(c: Evaluation): FormulaValue {
    if (this.code) {
      const outer = c.frame;
      c.frame = this.frame;
      const value = this.code(c);
      this.value = value === undefined ? 0 : value;
      // No cleanup on errors: an error ends the whole formula, and a new attempt starts with a new frame.
      c.frame = outer;
      this.code = null;
    }
    return this.value;
  }
}

/**
 * How a formula handles a range or array in place of a single value:
 * - scalar: intersects a range with the formula's row or column, and takes the first element of an array (legacy
 * formulas);
 * - forced: calculates each element, inside an argument that expects an array (SUMPRODUCT), in a legacy formula;
 * - array: calculates each element (array formulas and dynamic array formulas).
 */
export type Mode = 'scalar' | 'forced' | 'array';

/** What a node must yield: a single value (always, in mode scalar), anything, or a reference if it is one. */
export type Want = 'value' | 'any' | 'reference';
