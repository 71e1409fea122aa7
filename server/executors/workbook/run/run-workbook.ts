/** Executes one run of a workbook in its worker thread: inputs, steps, outputs, and the calculated file. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CellEdit } from '#server/calculation/engine.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { ActivityDefinition, InputDefinition } from '#server/executors/activity-definition.ts';
import type { OutputFile, RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import { isFileInput } from '#shared/codecs/input-form.ts';
import type { Notice } from '../charts/write-charts.ts';
import { writeBack } from '../write-back.ts';
import { createCalculation } from './calculation.ts';
import type { Calculation } from './calculation.ts';
import { InputValueError, valueRows, writeFileNames, writeInput } from './input-cells.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { warnOfNumberTexts } from './number-texts.ts';
import { readOutput } from './outputs.ts';
import { RunEnded } from './run-ended.ts';
import { createRunLog } from './run-log.ts';
import type { RunLog } from './run-log.ts';
import { refuseValues } from './refuse-values.ts';
import { runStep } from './steps.ts';
import type { RunFile, StepContext } from './step-context.ts';
import type { WarmWorkbook } from './warm-workbooks.ts';
import { workbookEdits } from './workbook-edits.ts';
import { viewOf } from './workbook-views.ts';

export interface RunInputs {
  Name: string;
  value: string | null;
  files: RunFile[];
}

export interface WorkbookRun {
  definition: ActivityDefinition;
  fileName: string;
  inputs: RunInputs[];
  /** Maximum milliseconds per recalculation; the main thread bounds the run as a whole. */
  timeLimit: number;
  services: StepServices;
  onLog(line: RunLogLine): void;
  onProgress(phase: string, share: number | null): void;
  /** Called if the engine exceeded its limits and must not be reused in this thread. */
  onBroken(): void;
}

/** Throws CalculationError 'failed' if the engine itself is broken. */
export async function runWorkbook(workbook: WarmWorkbook, run: WorkbookRun): Promise<RunOutcome> {
  const log = createRunLog((line) => run.onLog(line));
  const notice = once((message) => log.info(message));
  let calculation: Calculation | null = null;
  const masked: StepContext['masked'] = [];
  try {
    calculation = createCalculation(workbook, run.timeLimit, workbook);
    return await executeRun(workbook, run, { calculation, masked, log, notice });
  } catch (error) {
    const isBroken = error instanceof CalculationError && (error.code === 'limit' || error.code === 'failed');
    if (isBroken) run.onBroken();
    const status = endStatus(error, log);
    if (status === null) throw error;
    return { status, outputs: [], files: isBroken ? [] : await evidence(run, calculation, masked, notice) };
  } finally {
    dispose(calculation);
  }
}

async function executeRun(
  workbook: WarmWorkbook,
  run: WorkbookRun,
  { calculation, masked, log, notice }: Pick<StepContext, 'calculation' | 'masked' | 'log'> & { notice: Notice },
): Promise<RunOutcome> {
  const { definition, services } = run;
  const view = viewOf(workbook.model);
  run.onProgress('Writing inputs', null);
  for (const input of definition.inputs) giveInput({ calculation, view, log }, input, run.inputs);
  refuseValues(run, { calculation, view, log });
  const filesOf = (name: string): RunFile[] => run.inputs.find((input) => input.Name === name)?.files ?? [];
  const exported: StepContext['exported'] = [];
  const calculatedWorkbook = (): Promise<OutputFile> => calculatedFile(run, calculation, masked, notice);
  const context = { calculation, view, definition, log, services, filesOf, calculatedWorkbook, exported, masked };
  for (const [index, step] of definition.steps.entries()) {
    run.onProgress(step.Step, index / (definition.steps.length + 1));
    await runStep(context, step);
  }
  run.onProgress('Calculating', null);
  const outputs = definition.outputs.map((output) => readOutput(calculation, output, log));
  const nonConverged = calculation.nonConverged();
  if (nonConverged) log.warn(`${nonConverged.error.message}. Nothing this run has read depends on that`, LogCode.Setup);
  run.onProgress('Writing the workbook', null);
  const file = await calculatedWorkbook();
  const exportedFiles = exported.map(({ Name, FileName, bytes }) => ({ Name, FileName, bytes }));
  return { status: log.hasWarned ? 'SucceededWarn' : 'Succeeded', outputs, files: [file, ...exportedFiles] };
}

function giveInput(
  { calculation, view, log }: Pick<StepContext, 'calculation' | 'view' | 'log'>,
  input: InputDefinition,
  supplied: readonly RunInputs[],
): void {
  const own = supplied.find(({ Name }) => Name === input.Name);
  if (!own) return;
  if (isFileInput(input.Info)) {
    const names = own.files.map(({ FileName }) => FileName);
    if (names.length > 0) writeFileNames(calculation, input, names);
  } else if (own.value !== null) {
    writeInput(calculation, view, input, own.value);
    warnOfNumberTexts(calculation, input, valueRows(input, own.value), log);
  }
}

/**
 * Logs the error that ended a run and returns the run's status; null if neither the workbook nor the user caused the
 * error.
 */
function endStatus(error: unknown, log: RunLog): 'Failed' | 'LogicError' | null {
  if (error instanceof RunEnded) return error.status;
  if (error instanceof StepRefused) return refuse(error, log);
  if (error instanceof InputValueError) return log.refusal(error.message, LogCode.InputRefused).status;
  if (error instanceof WorkbookFileError) return log.setupError(error.message, error).status;
  if (!(error instanceof CalculationError)) return null;
  if (error.code === 'limit') return log.refusal(error.message, LogCode.TooLong).status;
  return error.code === 'failed' ? null : log.setupError(error.message, error).status;
}

function refuse(error: StepRefused, log: RunLog): 'Failed' | 'LogicError' {
  return error.status === 'Failed'
    ? log.refusal(error.message, LogCode.StepRefused).status
    : log.setupError(error.message, error).status;
}

/** Passes each message on only once, however often the workbook is written. */
function once(say: Notice): Notice {
  const said = new Set<string>();
  return (message) => {
    if (!said.has(message)) say(message);
    said.add(message);
  };
}

async function calculatedFile(
  run: WorkbookRun,
  calculation: Calculation,
  masked: StepContext['masked'],
  notice: Notice,
): Promise<OutputFile> {
  // Masked answers must not be in any file, and nothing in a file may be calculated from them.
  if (masked.length > 0) calculation.write(maskedCells(calculation, masked).map((cell) => ({ ...cell, value: null })));
  const { source, model, missing } = calculation.layout;
  const edits = workbookEdits(calculation, notice, missing());
  if (masked.length > 0) calculation.write(maskedCells(calculation, masked));
  const bytes = await writeBack(source, model, edits, notice);
  return { Name: null, FileName: calculatedName(run.fileName), bytes };
}

/** Returns the cells at their current positions. */
function maskedCells(calculation: Calculation, masked: StepContext['masked']): CellEdit[] {
  return masked.map(({ sheet, block, value }) => {
    const { top: row, left: col } = calculation.now(sheet, block);
    return { sheet, row, col, value };
  });
}

/** Converts 'Loan schedule.xlsx' to 'Loan schedule calculated.xlsx'. */
function calculatedName(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  const [base, extension] = dot > 0 ? [fileName.slice(0, dot), fileName.slice(dot)] : [fileName, '.xlsx'];
  return `${base} calculated${extension}`;
}

/**
 * Returns the workbook as far as it was calculated, so that users see what a check saw. Returns no file if that fails
 * too.
 */
async function evidence(
  run: WorkbookRun,
  calculation: Calculation | null,
  masked: StepContext['masked'],
  notice: Notice,
): Promise<OutputFile[]> {
  if (!calculation) return [];
  try {
    return [await calculatedFile(run, calculation, masked, notice)];
  } catch (error) {
    if (error instanceof CalculationError || error instanceof WorkbookFileError) return [];
    throw error;
  }
}

function dispose(calculation: Calculation | null): void {
  try {
    calculation?.dispose();
  } catch (error) {
    // An engine that has stopped cannot free its memory; the cause was already reported.
    if (!(error instanceof CalculationError)) throw error;
  }
}
