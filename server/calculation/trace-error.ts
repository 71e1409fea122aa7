/** Where an error that stands in a cell arose first: errors travel from formula to formula unchanged. */
import type { CellFormula } from './cell-formula.ts';
import type { CalculationModel } from './engine.ts';
import { CellError } from './values/cell-value.ts';

/** What is asked of a calculated model. */
export type TracedModel = Pick<CalculationModel, 'value' | 'formulaAt'>;

export interface ErrorOrigin {
  sheet: number;
  row: number;
  col: number;
  /** Its formula as Excel shows it, or null where the error is a constant. */
  formula: string | null;
}

/** More cells are not looked at on the way; the last cell reached then is the answer, and `isWhole` false. */
const MAX_CELLS = 500_000;

export interface ErrorTrace {
  origin: ErrorOrigin;
  /** The formula of the cell the trace began at; null for a constant. */
  formula: string | null;
  /** False where the way was too long to follow to its end. */
  isWhole: boolean;
}

/**
 * Follows the error of a cell back to the first cell that has it of its own. Undefined where the cell holds no error, or the engine
 * cannot tell its formulas. `isWhole` where nothing was left to look at.
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
  return { origin: { ...at, formula: formula?.text ?? null }, formula: first, isWhole: search.cellsLeft > 0 };
}

class Search {
  cellsLeft = MAX_CELLS;
  private readonly model: TracedModel;
  private readonly code: string;

  constructor(model: TracedModel, code: string) {
    this.model = model;
    this.code = code;
  }

  /** The first cell a formula reads that has the same error and has not been seen. */
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
