/** Finds the cells that a run reads: those of outputs, and those that steps name. */
import type { OutputBlock } from '#server/calculation/fidelity-report.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition, StepAction } from '#server/executors/activity-definition.ts';
import { resolveArea } from './areas.ts';
import type { Draft } from './parameters.ts';

/** Step columns that name cells or tables that a run reads. */
const READ_COLUMNS = ['When', 'Cell', 'Range', 'Table', 'To', 'Cc'].concat(
  ['Message', 'Subject', 'To', 'Cc', 'FileName'].map((column) => `${column}Cell`),
);

/** Per action: the column that names the cells which the step fills. */
const FILLED_COLUMN: Partial<Record<StepAction, string>> = { Import: 'Table', Query: 'Table', Prompt: 'Cell' };

interface StepCells extends SheetBlock {
  step: string;
  /** As the step names them. */
  text: string;
  /** True if the step writes into the cells and does not read them. */
  isFilled: boolean;
}

export interface ReadCells extends SheetBlock {
  /** Description at the beginning of a sentence: "The output 'Total'". */
  title: string;
}

function cellsOfSteps(model: WorkbookModel, steps: ActivityDefinition['steps']): StepCells[] {
  return steps.flatMap(({ Step, Action, options }) =>
    READ_COLUMNS.flatMap((column) => {
      const text = options[column];
      const found = text === undefined ? null : resolveArea(model, text, null);
      if (text === undefined || !found || 'problem' in found) return [];
      const { sheet, block } = found.area;
      return [{ sheet, block, step: Step, text, isFilled: FILLED_COLUMN[Action] === column }];
    }),
  );
}

/**
 * Returns what a run reads for display or decisions: `outputs` (those that no Export step creates), and the cells that
 * steps read.
 */
export function readCells(
  model: WorkbookModel,
  outputs: readonly Draft[],
  steps: ActivityDefinition['steps'],
): ReadCells[] {
  const ofOutputs = outputs.map(({ name, area: { sheet, block } }) => ({
    sheet,
    block,
    title: `The output '${name}'`,
  }));
  const ofSteps = cellsOfSteps(model, steps).flatMap(({ sheet, block, step, isFilled }) =>
    isFilled ? [] : [{ sheet, block, title: `The step '${step}'` }],
  );
  return [...ofOutputs, ...ofSteps];
}

/** Returns the cells of outputs, and those that steps name. */
export function watchedBlocks(
  model: WorkbookModel,
  outputs: readonly OutputBlock[],
  steps: ActivityDefinition['steps'],
): OutputBlock[] {
  const cells = cellsOfSteps(model, steps).map(({ sheet, block, text }) => ({ sheet, block, name: text }));
  return [...outputs, ...cells].map(({ sheet, block, name }) => ({
    sheet,
    block,
    ...(name === undefined ? {} : { name }),
  }));
}
