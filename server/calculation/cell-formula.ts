/** The formula of a cell, for display. */
import type { SheetBlock } from './graph/scope.ts';

export interface CellFormula {
  /** The cell that contains the formula; another cell if an array formula fills the requested one. */
  sheet: number;
  row: number;
  col: number;
  /** As Excel shows it, with '='. */
  text: string;
  /** The used cells that it reads, as far as this is known without calculating it. */
  reads: SheetBlock[];
}
