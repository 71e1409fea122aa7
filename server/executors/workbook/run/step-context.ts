/** The context of steps, and functions that read the cells they name. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { ActivityDefinition, StepDefinition } from '#server/executors/activity-definition.ts';
import type { OutputFile } from '#server/executors/executor.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { resolveArea } from '../definitions/areas.ts';
import type { CellView } from '../definitions/cell-view.ts';
import type { Calculation } from './calculation.ts';
import type { RunLog } from './run-log.ts';

/** An uploaded file of an input. */
export interface RunFile {
  FileName: string;
  read(): Promise<Uint8Array>;
}

/** A file that an Export step created. */
export interface ExportedFile extends OutputFile {
  step: string;
}

export interface StepContext {
  calculation: Calculation;
  view: CellView;
  definition: ActivityDefinition;
  log: RunLog;
  services: StepServices;
  filesOf(input: string): RunFile[];
  /** Returns the workbook in its current state, without masked answers. */
  calculatedWorkbook(): Promise<OutputFile>;
  /** Results of the Export steps so far. */
  exported: ExportedFile[];
  /** Cells with masked answers, at their positions in the version. No file ever contains these answers. */
  masked: { sheet: number; block: CellBlock; value: string | number | boolean | null }[];
}

export interface Cells {
  sheet: number;
  block: CellBlock;
  values: CellValue[][];
}

/** Returns the block that a step's text refers to: its current position, and its position in the version. */
export function blockOf(
  { calculation, log }: Pick<StepContext, 'calculation' | 'log'>,
  step: StepDefinition,
  text: string,
): { sheet: number; block: CellBlock; saved: CellBlock } {
  const found = resolveArea(calculation.model, text, null);
  if ('problem' in found) throw log.setupError(`Step '${step.Step}': '${text}' ${found.problem.message}`);
  const { sheet } = found.area;
  return { sheet, block: calculation.now(sheet, found.area.block), saved: found.area.block };
}

export function cellsOf(context: StepContext, step: StepDefinition, text: string): Cells {
  const { sheet, block } = blockOf(context, step, text);
  return { sheet, block, values: context.calculation.read(sheet, block) };
}

/** Returns the value of a cell as text, without its number format. */
export const textOfValue = (value: CellValue): string =>
  value instanceof CellError ? value.code : formatCellValue(value);

/** Returns the text of a step's column. Formulas are evaluated now, so that they use the run's values. */
export function textOfOption(context: StepContext, step: StepDefinition, column: string): string {
  const cell = step.options[`${column}Cell`];
  if (cell === undefined) return step.options[column] ?? '';
  return textOfValue(cellsOf(context, step, cell).values[0]?.[0] ?? null);
}

export const messageOf = (context: StepContext, step: StepDefinition): string => textOfOption(context, step, 'Message');
