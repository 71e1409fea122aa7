/** Calculates formulas of data validations, with the engine of the version where it can, else with ours. */
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { CalculationModel } from '#server/calculation/engine.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { createCalculation } from './calculation.ts';
import type { Calculation } from './calculation.ts';
import type { Evaluate } from './value-rules.ts';

const ours = new WeakMap<WorkbookModel, CalculationModel>();

/** `timeLimit`: milliseconds of one recalculation, and of all formulas together. */
export function ruleEvaluation(calculation: Calculation, timeLimit: number): Evaluate {
  let own = calculation.evaluate ? calculation : null;
  const end = performance.now() + timeLimit;
  return (formula, at) => {
    own ??= sameInOurs(calculation, timeLimit);
    return own.evaluate!(formula, at, Math.max(1, end - performance.now()));
  };
}

/** The workbook as it is filled in now, in our own engine: another one cannot tell what a formula would come to that stands in no cell. */
function sameInOurs(calculation: Calculation, timeLimit: number): Calculation {
  const { layout } = calculation;
  let base = ours.get(layout.model);
  if (!base) ours.set(layout.model, (base = createRunsheetEngine().load(layout.model)));
  // Its tables have the room that they need, so that none has to be made.
  const same = createCalculation({ ...layout, base }, timeLimit);
  for (const { table, block } of calculation.resized()) {
    same.resize(table.name, block.bottom - block.top + 1 - table.headerRows - table.totalsRows);
  }
  same.write(calculation.constants());
  return same;
}
