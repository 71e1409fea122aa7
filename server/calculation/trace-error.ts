/** Finds where an error in a cell originated: formulas pass errors on unchanged. */
import type { CellFormula } from './cell-formula.ts';
import type { CalculationModel } from './engine.ts';
import { CellError } from './values/cell-value.ts';

/** The required methods of a calculated model. */
export type TracedModel = Pick<CalculationModel, 'value' | 'formulaAt'>;

export interface ErrorOrigin {
  sheet: number;
  row: number;
  col: number;
  /** Its formula as Excel shows it; null if the error is a constant. */
  formula: string | null;
}

/** Maximum number of cells examined. If it is exceeded, the result is the last cell reached, with `isComplete` false. */
const MAX_CELLS = 500_000;

export interface ErrorTrace {
  origin: ErrorOrigin;
  /** The formula of the cell where the trace started; null for a constant. */
  formula: string | null;
  /** False if the path was too long to follow to its end. */
  isComplete: boolean;
}

/**
 * Follows the error of a cell back to the first cell that causes it. Undefined if the cell has no error, or if the
 * engine does not know its formulas. `isComplete` is true if the search was complete.
 */
export function traceError(model: TracedModel, sheet: number, row: number, col: number): ErrorTrace | undefined {
  const start = model.value(sheet, row, col);
  if (!(start instanceof CellError) || !model.formulaAt) return undefined;
  const seen = new Set<string>();
  let at = { sheet, row, col };
  let formula = model.formulaAt(sheet, row, col);
  const first = formula?.text ?? null;
  const search = new Search(model, start.code);
  for (;;) {
    seen.add(`${at.sheet}:${at.row}:${at.col}`);
    const next = formula && search.readError(formula, seen);
    if (!next) break;
    at = next;
    formula = model.formulaAt(at.sheet, at.row, at.col);
  }
  if (formula) at = { sheet: formula.sheet, row: formula.row, col: formula.col };
  return { origin: { ...at, formula: formula?.text ?? null }, formula: first, isComplete: search.cellsLeft > 0 };
}

class Search {
  cellsLeft = MAX_CELLS;
  private readonly model: TracedModel;
  private readonly code: string;

  constructor(model: TracedModel, code: string) {
    this.model = model;
    this.code = code;
  }

  /** Returns the first cell a formula reads that has the same error and has not been visited. */
  readError({ reads }: CellFormula, seen: ReadonlySet<string>): { sheet: number; row: number; col: number } | null {
    for (const { sheet, block } of reads) {
      for (let row = block.top; row <= block.bottom; row += 1) {
        for (let col = block.left; col <= block.right; col += 1) {
          if ((this.cellsLeft -= 1) <= 0) return null;
          const value = this.model.value(sheet, row, col);
          const isSame = value instanceof CellError && value.code === this.code;
          if (isSame && !seen.has(`${sheet}:${row}:${col}`)) return { sheet, row, col };
        }
      }
    }
    return null;
  }
}
