/** What formulas are compiled to. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CallContext } from '../functions/function.ts';
import type { CellSource, FormulaValue } from '../values/matrix.ts';

/** The calculation a formula runs in: the context of its functions, and what its own constructs need. */
export interface Evaluation extends CallContext, CellSource {
  /** Values of the variables of LET and LAMBDA, by slot. */
  frame: FormulaValue[];
  /** LAMBDAs and names that are being calculated inside one another. */
  calls: number;
  /** What the array formula in a cell fills, calculated first where it is out of date; null where there is none. */
  spillOf(sheet: number, row: number, col: number): CellBlock | null;
}

export type Code = (c: Evaluation) => FormulaValue;

/**
 * How a formula calculates where a range or array stands in the place of one value:
 * - scalar: a range is intersected with the formula's row or column, of an array the first element counts (formulas of the old kind);
 * - forced: for each element, inside an argument that expects an array (SUMPRODUCT) of a formula of the old kind;
 * - array: for each element (array formulas and dynamic ones).
 */
export type Mode = 'scalar' | 'forced' | 'array';

/** What is expected of a node: one value (in mode scalar nothing else comes), anything, or a reference where it is one. */
export type Want = 'value' | 'any' | 'reference';
