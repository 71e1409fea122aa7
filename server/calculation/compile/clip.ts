/** Whole columns that are truncated below the last cell in use. */
import type { FormulaValue } from '../values/matrix.ts';

/** The state of a call that is calculated with whole columns truncated to `rows` rows. */
export interface Clip {
  rows: number;
  /** True if the calculation yielded an array with a different length. */
  isBroken: boolean;
  /** The arguments of the call. */
  values: FormulaValue[];
}
