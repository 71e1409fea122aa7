/** Context for the checks of a step. */
import type { StepAction, StepDefinition } from '#server/executors/activity-definition.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { Area } from './areas.ts';
import { resolveArea } from './areas.ts';
import { heightOf, intersects, widthOf } from './blocks.ts';
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { Draft } from './parameters.ts';
import type { PortalRow } from './portal-tables.ts';
import { locationOf, textOf } from './portal-tables.ts';
import type { RowReader } from './portal-values.ts';

/** Everything that steps are checked against. */
export interface StepWorld {
  model: WorkbookModel;
  inputs: readonly Draft[];
  outputs: readonly Draft[];
  capabilities: StepCapabilities;
  problems: ProblemList;
  /** All rows: a mail may name the files of earlier steps. */
  rows: readonly PortalRow[];
}

/** One step in its context. */
export interface StepScope extends StepWorld {
  row: PortalRow;
  reader: RowReader;
  step: string;
  action: StepAction;
  options: StepDefinition['options'];
  /** Cells that masked prompts of earlier steps fill. */
  masked: Area[];
}

/** Reports problems of the cells that a column names, and returns these cells; null if there are none. */
export function checkArea(scope: StepScope, column: string, maxCells: 'one' | 'any' = 'any'): Area | null {
  const { model, row, step, problems } = scope;
  const text = textOf(row, column);
  if (text === '') return null;
  const found = resolveArea(model, text, null);
  if ('problem' in found) {
    const { message, howToFix } = found.problem;
    problems.add(locationOf(row, column), problem(`${column} of the step '${step}' ${message}.`, howToFix));
    return null;
  }
  if (maxCells === 'one' && heightOf(found.area.block) * widthOf(found.area.block) > 1) {
    const message = `${column} of the step '${step}' is more than one cell.`;
    problems.add(locationOf(row, column), problem(message, 'Enter a single cell.'));
  }
  refuseMasked(scope, column, found.area);
  return found.area;
}

/**
 * Reports a problem if the area contains the answer of a masked prompt. Such answers must never be displayed: only
 * formulas may use them.
 */
export function refuseMasked(
  { reader, step, masked }: StepScope,
  column: string,
  area: Pick<Area, 'sheet' | 'block'>,
): void {
  if (!masked.some(({ sheet, block }) => sheet === area.sheet && intersects(block, area.block))) return;
  reader.addProblem(
    column,
    `${column} of the step '${step}' would show the answer to a masked prompt.`,
    'Exclude that cell; formulas may use it.',
  );
}
