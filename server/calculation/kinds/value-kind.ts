/** Kinds of values that formulas tell apart. */
export type ValueKind = 'Number' | 'Date' | 'Boolean' | 'Text';

/** Where a formula stands. */
export interface FormulaPlace {
  sheet: number;
  row: number;
  col: number;
}

/** What cells say of themselves; null where nothing speaks. */
export interface CellKinds {
  /** By its value and number format. */
  ofCell(sheet: number, row: number, col: number): ValueKind | null;
  /** By its number format alone. */
  ofFormat(sheet: number, row: number, col: number): ValueKind | null;
}
