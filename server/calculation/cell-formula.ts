/** The formula behind a cell, for people. */
import type { SheetBlock } from './graph/scope.ts';

export interface CellFormula {
  /** Where it stands: elsewhere than the cell, where an array formula fills it. */
  sheet: number;
  row: number;
  col: number;
  /** As Excel shows it, with '='. */
  text: string;
  /** What it reads, as far as it can be told without calculating it, within the cells in use. */
  reads: SheetBlock[];
}
