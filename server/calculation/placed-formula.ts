/** Formulas that stand in no cell, such as those of data validations. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellValue } from './values/cell-value.ts';

/** A formula with the cell that its relative references are written for. */
export interface PlacedFormula {
  text: string;
  sheet: number;
  base: CellPosition;
}

export interface PlacedResult {
  /** Of a range or an array all of its values, row by row; of anything else the one. Blank cells are null. */
  values: CellValue[];
  /** Where a range is what it comes to. */
  range: { sheet: number; top: number; left: number; bottom: number; right: number } | null;
  /** Whether a single cell that the formula names, other than the one it is calculated for, is blank. */
  namesBlankCell: boolean;
}
