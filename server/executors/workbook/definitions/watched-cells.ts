/** The cells that a run reads: those of outputs, and those that steps name. */
import type { OutputBlock } from '#server/calculation/fidelity-report.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { resolveArea } from './areas.ts';

/** Columns of steps that name cells a run reads, or tables. */
const READ_COLUMNS = ['When', 'Cell', 'Range', 'Table', 'To', 'Cc'].concat(
  ['Message', 'Subject', 'To', 'Cc', 'FileName'].map((column) => `${column}Cell`),
);

interface StepCells extends SheetBlock {
  step: string;
  /** As the step names them. */
  text: string;
}

export function cellsOfSteps(model: WorkbookModel, steps: ActivityDefinition['steps']): StepCells[] {
  return steps.flatMap(({ Step, options }) =>
    READ_COLUMNS.flatMap((column) => {
      const text = options[column];
      const found = text === undefined ? null : resolveArea(model, text, null);
      if (text === undefined || !found || 'problem' in found) return [];
      return [{ sheet: found.area.sheet, block: found.area.block, step: Step, text }];
    }),
  );
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
