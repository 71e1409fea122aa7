/** Whole columns that are cut off where nothing is below. */
import type { FormulaValue } from '../values/matrix.ts';

/** How far down whole columns are taken to go while a call is calculated. */
export interface Clip {
  rows: number;
  /** Something came to an array of its own length. */
  isBroken: boolean;
  /** The call's arguments. */
  values: FormulaValue[];
}
