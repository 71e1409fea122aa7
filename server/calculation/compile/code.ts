/** What formulas are compiled to. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CallContext } from '../functions/function.ts';
import type { CellSource, FormulaValue } from '../values/matrix.ts';

/** The calculation a formula runs in: the context of its functions, and what its own constructs need. */
export interface Evaluation extends CallContext, CellSource {
  /** Values of the variables of LET and LAMBDA, by slot. */
  frame: Frame;
  /** LAMBDAs and names that are being calculated inside one another. */
  calls: number;
  /** Whether the formula of this cell is being calculated. */
  isBusy(sheet: number, row: number, col: number): boolean;
  /** What the array formula in a cell fills, calculated first where it is out of date; null where there is none. */
  spillOf(sheet: number, row: number, col: number): CellBlock | null;
}

export type Code = (c: Evaluation) => FormulaValue;

export type Frame = (FormulaValue | PendingValue)[];

/** A variable of LET that may turn out not to be needed: it is calculated when it is first asked for. */
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
      // what is thrown ends the whole formula, and whoever begins it again begins with a new frame
      c.frame = outer;
      this.code = null;
    }
    return this.value;
  }
}

/**
 * How a formula calculates where a range or array stands in the place of one value:
 * - scalar: a range is intersected with the formula's row or column, of an array the first element counts (formulas of the old kind);
 * - forced: for each element, inside an argument that expects an array (SUMPRODUCT) of a formula of the old kind;
 * - array: for each element (array formulas and dynamic ones).
 */
export type Mode = 'scalar' | 'forced' | 'array';

/** What is expected of a node: one value (in mode scalar nothing else comes), anything, or a reference where it is one. */
export type Want = 'value' | 'any' | 'reference';
