/** Evaluates formulas of data validations with the version's engine if it supports that, otherwise with our own. */
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { CalculationModel } from '#server/calculation/engine.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { createCalculation } from './calculation.ts';
import type { Calculation } from './calculation.ts';
import type { Evaluate } from './value-rules.ts';

const ours = new WeakMap<WorkbookModel, CalculationModel>();

/** `timeLimit` is the maximum milliseconds per recalculation, and for all formulas together. */
export function ruleEvaluation(calculation: Calculation, timeLimit: number): Evaluate {
  let own = calculation.evaluate ? calculation : null;
  const end = performance.now() + timeLimit;
  return (formula, at) => {
    own ??= sameInOurs(calculation, timeLimit);
    return own.evaluate!(formula, at, Math.max(1, end - performance.now()));
  };
}

/**
 * Loads the workbook in its current state into our own engine, because other engines cannot evaluate a formula that is
 * not in a cell.
 */
function sameInOurs(calculation: Calculation, timeLimit: number): Calculation {
  const { layout } = calculation;
  let base = ours.get(layout.model);
  if (!base) ours.set(layout.model, (base = createRunsheetEngine().load(layout.model)));
  // The layout already has room for its tables.
  const same = createCalculation({ ...layout, base }, timeLimit);
  for (const { table, block } of calculation.resized()) {
    same.resize(table.name, block.bottom - block.top + 1 - table.headerRows - table.totalsRows);
  }
  same.write(calculation.constants());
  return same;
}
