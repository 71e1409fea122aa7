/** Formulas that are not in a cell, such as those of data validations. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellValue } from './values/cell-value.ts';

/** A formula with the cell to which its relative references refer. */
export interface PlacedFormula {
  text: string;
  sheet: number;
  base: CellPosition;
}

export interface PlacedResult {
  /** All values of a range or array, row by row; a single value otherwise. Blank cells are null. */
  values: CellValue[];
  /** Number of values per row. */
  width: number;
  /** The range, if the result is a range; null otherwise. */
  range: { sheet: number; top: number; left: number; bottom: number; right: number } | null;
  /** True if a single cell that the formula names, other than the one it is evaluated for, is blank. */
  namesBlankCell: boolean;
}
