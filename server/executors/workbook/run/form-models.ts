/** Caches the models of forms that are being filled in, in a worker thread, by form. */
import { CalculationError } from '#server/calculation/engine.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { FormInputValue, FormUpdate } from '#server/executors/executor.ts';
import { createCellView } from '../definitions/cell-view.ts';
import { createCalculation } from './calculation.ts';
import { advance, distance, wantedOf } from './form-model.ts';
import type { FormModel, Wanted } from './form-model.ts';
import { isCalculatedWhole, readColumns, readImmediateOutputs, readLists, readWhole } from './form-values.ts';
import { InputValueError } from './input-cells.ts';
import { ruleEvaluation } from './rule-evaluation.ts';
import { checkValueRules } from './value-rules.ts';
import type { WarmWorkbook } from './warm-workbooks.ts';

export interface FormTask {
  formKey: string;
  versionKey: string;
  definition: ActivityDefinition;
  inputs: FormInputValue[];
  /** Maximum milliseconds per recalculation. */
  timeLimit: number;
}

export interface FormBounds {
  count: number;
  /** Approximate maximum bytes of all models. */
  bytes: number;
  /** Milliseconds a form may stay unused. */
  age: number;
}

export interface FormModels {
  /**
   * `refusal` is a message for the user. `isBroken` means that the engine exceeded its limits and must not be reused.
   */
  update(workbook: WarmWorkbook, task: FormTask): FormUpdate | { refusal: string; isBroken: boolean };
  /** Drops forms that were not used for `age` milliseconds. */
  dropOld(): void;
  readonly count: number;
}

interface Form {
  versionKey: string;
  models: FormModel[];
  size: number;
  usedAt: number;
}

/**
 * Maximum number of extra models per form. Each one calculates a suggestion that the user has overridden, by leaving
 * only that input unwritten.
 */
const MAX_SHADOW_MODELS = 4;

export function createFormModels(bounds: FormBounds, now: () => number = () => performance.now()): FormModels {
  // In the order of last use.
  const forms = new Map<string, Form>();

  const drop = (key: string): void => {
    for (const model of forms.get(key)?.models ?? []) dispose(model);
    forms.delete(key);
  };
  const evictForms = (): void => {
    let bytes = [...forms.values()].reduce((sum, form) => sum + form.size * form.models.length, 0);
    for (const [key, form] of forms) {
      // The newest form stays, however large it is.
      if (forms.size <= 1 || (forms.size <= bounds.count && bytes <= bounds.bytes)) return;
      bytes -= form.size * form.models.length;
      drop(key);
    }
  };

  return {
    get count() {
      return forms.size;
    },
    update(workbook, task) {
      const { formKey, versionKey } = task;
      const known = forms.get(formKey);
      if (known && known.versionKey !== versionKey) drop(formKey);
      const models = forms.get(formKey)?.models ?? [];
      const form: Form = { versionKey, models, size: workbook.size, usedAt: now() };
      forms.delete(formKey);
      forms.set(formKey, form);
      try {
        const update = calculate(workbook, form, task);
        evictForms();
        return update;
      } catch (error) {
        drop(formKey);
        return refusalOf(error);
      }
    },
    dropOld() {
      for (const [key, { usedAt }] of forms) if (now() - usedAt > bounds.age) drop(key);
    },
  };
}

function calculate(workbook: WarmWorkbook, form: Form, { definition, inputs, timeLimit }: FormTask): FormUpdate {
  const view = createCellView(workbook.model);
  const wanted = wantedOf(definition, inputs);
  const left = new Set(form.models);
  const bring = (state: Wanted): FormModel => {
    const model = nearest(left, definition, state) ?? newModel(workbook, form, timeLimit);
    left.delete(model);
    advance(model, view, definition, state);
    return model;
  };

  const main = bring(wanted);
  const values = definition.inputs.flatMap((input) => readColumns(main.calculation, input));
  const calculated = definition.inputs.filter(isCalculatedWhole);
  const overridden = calculated.filter(({ Name }) => wanted.has(Name));
  for (const input of calculated) if (!overridden.includes(input)) values.push(readWhole(main.calculation, input));
  for (const input of overridden.slice(0, MAX_SHADOW_MODELS)) {
    const without = new Map(wanted);
    without.delete(input.Name);
    values.push(readWhole(bring(without).calculation, input));
  }
  for (const model of left) dispose(model);
  form.models = form.models.filter((model) => !left.has(model));
  const evaluate = ruleEvaluation(main.calculation, timeLimit);
  const lists = readLists(main.calculation, view, definition, evaluate);
  const suppliedRows = new Map([...main.written].map(([name, { rows }]) => [name, rows]));
  const rules = checkValueRules(main.calculation, { definition, suppliedRows, onlyCalculated: true, evaluate });
  return { values, lists, outputs: readImmediateOutputs(main.calculation, definition), rules };
}

function nearest(models: Iterable<FormModel>, definition: ActivityDefinition, wanted: Wanted): FormModel | null {
  let best: FormModel | null = null;
  let fewestSteps = Infinity;
  for (const model of models) {
    const steps = distance(model, definition, wanted);
    if (steps !== null && steps < fewestSteps) [best, fewestSteps] = [model, steps];
  }
  return best;
}

function newModel(workbook: WarmWorkbook, form: Form, timeLimit: number): FormModel {
  const calculation = createCalculation(workbook, timeLimit, workbook);
  const model = { calculation, written: new Map() };
  form.models.push(model);
  return model;
}

function dispose({ calculation }: FormModel): void {
  try {
    calculation.dispose();
  } catch (error) {
    // An engine that has stopped cannot free its memory.
    if (!(error instanceof CalculationError)) throw error;
  }
}

function refusalOf(error: unknown): { refusal: string; isBroken: boolean } {
  if (error instanceof InputValueError || error instanceof WorkbookFileError)
    return { refusal: error.message, isBroken: false };
  if (!(error instanceof CalculationError) || error.code === 'failed') throw error;
  return { refusal: error.message, isBroken: error.code === 'limit' };
}
