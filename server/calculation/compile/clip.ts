/** Whole columns that are truncated below the last cell in use. */
import type { FormulaValue } from '../values/matrix.ts';

/** Truncation of whole columns while a call is calculated: to `rows` rows. */
export interface Clip {
  rows: number;
  /** True if the calculation yielded an array with a different length. */
  isBroken: boolean;
  /** The arguments of the call. */
  values: FormulaValue[];
}
