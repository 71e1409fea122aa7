/** The cells that a run reads: those of outputs, and those that steps name. */
import type { OutputBlock } from '#server/calculation/fidelity-report.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition, StepAction } from '#server/executors/executor.ts';
import { resolveArea } from './areas.ts';
import type { Draft } from './parameters.ts';

/** Columns of steps that name cells a run reads, or tables. */
const READ_COLUMNS = ['When', 'Cell', 'Range', 'Table', 'To', 'Cc'].concat(
  ['Message', 'Subject', 'To', 'Cc', 'FileName'].map((column) => `${column}Cell`),
);

/** Columns of these actions that name cells which the step fills. */
const FILLED_COLUMN: Partial<Record<StepAction, string>> = { Import: 'Table', Query: 'Table', Prompt: 'Cell' };

interface StepCells extends SheetBlock {
  step: string;
  /** As the step names them. */
  text: string;
  /** Whether the step writes into them and does not read them. */
  isFilled: boolean;
}

export interface ReadCells extends SheetBlock {
  /** "The output 'Total'", to begin a sentence with. */
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

/** What a run reads for people to see or to decide by: `outputs` (those that no Export step makes), and what steps read. */
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

/** The cells of outputs, and those that steps name. */
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
