/** The types of values that formulas distinguish. */
export type ValueKind = 'Number' | 'Date' | 'Boolean' | 'Text';

/** The cell of a formula. */
export interface FormulaPosition {
  sheet: number;
  row: number;
  col: number;
}

/** Returns the type of a cell by its own contents; null if there is no evidence. */
export interface CellTypes {
  /** Uses the value and the number format. */
  ofCell(sheet: number, row: number, col: number): ValueKind | null;
  /** Uses only the number format. */
  ofFormat(sheet: number, row: number, col: number): ValueKind | null;
}
