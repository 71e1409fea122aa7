/** Calculates one row of values as a run would: checks of the workbook, steps that only look at cells, outputs. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { ActivityDefinition, OutputDefinition, StepDefinition } from '#server/executors/activity-definition.ts';
import { isExecuted } from '#server/executors/evaluable.ts';
import { NO_SERVICES } from '#server/executors/step-services.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { EvaluateError } from '#shared/contract/evaluate.ts';
import { Category } from '#shared/rules/log-codes.ts';
import { InputValueError } from '../run/input-cells.ts';
import { readOutputValue } from '../run/outputs.ts';
import { checkSupplied, isCheckedByWorkbook } from '../run/refuse-values.ts';
import { RunEnded } from '../run/run-ended.ts';
import { createRunLog } from '../run/run-log.ts';
import { runStep } from '../run/steps.ts';
import type { RowInput } from './row-inputs.ts';
import type { RowModel, RowModels, RowValues } from './row-models.ts';

/** JSON texts of the outputs, or why there are none. */
export type RowOutcome =
  | { texts: string[] }
  /** `isBroken` means that the engine exceeded its limits and must not be reused. */
  | { errors: Omit<EvaluateError, 'Row'>[]; isBroken: boolean };

export interface RowCalculation {
  definition: ActivityDefinition;
  inputs: readonly RowInput[];
  /** Names of the outputs to return. */
  outputs: readonly string[];
  models: RowModels;
  timeLimit: number;
}

/** The function throws WorkbookFileError if there is no room for a table, and CalculationError 'failed'. */
export function createRowCalculation(of: RowCalculation): (values: RowValues) => Promise<RowOutcome> {
  const { definition, models } = of;
  const outputs = namedOutputs(definition, of.outputs);
  const steps = definition.steps.filter(isExecuted);
  const isChecked = definition.inputs.some(isCheckedByWorkbook);
  return async (values) => {
    try {
      const model = models.at(values);
      const refused = isChecked ? refusedByWorkbook(of, model, values) : [];
      if (refused.length > 0) return { errors: refused, isBroken: false };
      const failed = steps.length > 0 ? await failedCheck(definition, steps, model) : null;
      if (failed !== null) return { errors: [failed], isBroken: false };
      return { texts: readTexts(outputs, model) };
    } catch (error) {
      const outcome = outcomeOf(error);
      // Nothing of a calculation that failed may show in the next row.
      if (error instanceof CalculationError) models.drop();
      return outcome;
    }
  };
}

export const namedOutputs = ({ outputs }: ActivityDefinition, names: readonly string[]): OutputDefinition[] =>
  names.map((name) => outputs.find(({ Name }) => Name === name)!);

/** Returns true if rows need no cells besides those of outputs: no step and no rule looks at others. */
export const readsOutputsOnly = ({ inputs, steps }: ActivityDefinition): boolean =>
  !steps.some(isExecuted) && !inputs.some(isCheckedByWorkbook);

function readTexts(outputs: readonly OutputDefinition[], { calculation }: RowModel): string[] {
  const texts: string[] = [];
  for (const output of outputs) {
    const value = readOutputValue(calculation, output);
    texts.push(typeof value === 'number' ? String(value) : JSON.stringify(value));
  }
  return texts;
}

function outcomeOf(error: unknown): Extract<RowOutcome, { errors: unknown }> {
  if (error instanceof InputValueError) {
    return { errors: [{ Code: 'inputInvalid', Input: null, Message: error.message }], isBroken: false };
  }
  if (!(error instanceof CalculationError) || error.code === 'failed') throw error;
  return {
    errors: [{ Code: 'notCalculated', Input: null, Message: error.message }],
    isBroken: error.code === 'limit',
  };
}

/** Returns the values that rules and lists refuse once all inputs are filled in. */
function refusedByWorkbook(
  { definition, inputs, timeLimit }: RowCalculation,
  { calculation, view }: RowModel,
  values: RowValues,
): Omit<EvaluateError, 'Row'>[] {
  const supplied = inputs.map((one, index) => ({ Name: one.input.Name, value: jsonOf(one, values[index]) }));
  return checkSupplied({ definition, inputs: supplied, timeLimit }, { calculation, view })
    .filter(({ Alert }) => Alert === 'Stop')
    .map(({ Name, message }) => ({ Code: 'inputInvalid', Input: Name, Message: message }));
}

function jsonOf(one: RowInput, supplied: RowValues[number] | undefined): string | null {
  if (one.kind === 'whole') return one.json;
  const cell: FormCell | undefined = supplied?.kind === 'value' ? supplied.cell : undefined;
  return cell === undefined ? null : JSON.stringify(cell);
}

/** Executes the steps, and returns what the first failed check says. */
async function failedCheck(
  definition: ActivityDefinition,
  steps: readonly StepDefinition[],
  { calculation, view }: RowModel,
): Promise<Omit<EvaluateError, 'Row'> | null> {
  const messages: string[] = [];
  const log = createRunLog(({ Message, Category: category }) => {
    if (category === Category.Error) messages.push(Message);
  });
  const unused = { services: NO_SERVICES, filesOf: () => [], exported: [], masked: [] };
  const calculatedWorkbook = (): Promise<never> => Promise.reject(new Error('an evaluation writes no workbook'));
  const context = { calculation, view, definition, log, calculatedWorkbook, ...unused };
  try {
    for (const step of steps) await runStep(context, step);
    return null;
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error;
    const Code = error.status === 'Failed' ? 'checkFailed' : 'notCalculated';
    return { Code, Input: null, Message: messages.join('. ') };
  }
}
