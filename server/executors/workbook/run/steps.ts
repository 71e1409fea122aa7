/** Executes the rows of PortalSteps in order. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { regionalSettings } from '#server/calculation/values/region/regions.ts';
import type { ActivityDefinition, StepAction, StepDefinition } from '#server/executors/activity-definition.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { counted } from '#shared/codecs/counted.ts';
import { isFolderUsage } from '#shared/codecs/input-form.ts';
import { sameName } from '../definitions/parameters.ts';
import { findTable } from '../definitions/table-references.ts';
import { ImportError } from '../import/decode-text.ts';
import { readRows } from '../import/file-rows.ts';
import type { DecimalSeparator } from '../import/parse-numbers.ts';
import type { Notation, TargetColumn } from '../import/typed-rows.ts';
import { typeRows } from '../import/typed-rows.ts';
import { runExport } from './export-step.ts';
import { folderFiles } from './folder-import.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { readLine } from '#shared/codecs/read-mark.ts';
import { runMail } from './mail-step.ts';
import { runPrompt } from './prompt-step.ts';
import { runQuery } from './query-step.ts';
import { contentMark } from './content-mark.ts';
import { RunEnded } from './run-ended.ts';
import { runStart } from './start-step.ts';
import { cellsOf, messageOf } from './step-context.ts';
import type { RunFile, StepContext } from './step-context.ts';
import { fillTable, targetColumns } from './table-rows.ts';
import { runWrite } from './write-step.ts';

/** Maximum number of failing cells that a check reports one by one. */
const MAX_REPORTED_CELLS = 20;

const ACTIONS: Record<StepAction, (context: StepContext, step: StepDefinition) => void | Promise<void>> = {
  Import: runImport,
  Query: runQuery,
  Write: runWrite,
  Export: runExport,
  Check: runCheck,
  Log: runLog,
  Prompt: runPrompt,
  Mail: runMail,
  Start: runStart,
};

export async function runStep(context: StepContext, step: StepDefinition): Promise<void> {
  const when = step.options['When'];
  if (when !== undefined && cellsOf(context, step, when).values[0]?.[0] !== true) {
    context.log.done(`Step '${step.Step}' was skipped: ${when} is not TRUE`);
    return;
  }
  await ACTIONS[step.Action](context, step);
}

function runCheck(context: StepContext, step: StepDefinition): void {
  const { sheet, block, values } = cellsOf(context, step, step.options['Cell']!);
  const failed = values.flatMap((row, y) =>
    row.flatMap((value, x) => (isPassed(value) ? [] : [formatCell(block.top + y, block.left + x)])),
  );
  if (failed.length === 0) return;
  const isWarning = step.options['Severity']?.toLowerCase() === 'warning';
  const logFailure = (message: string): void =>
    isWarning ? context.log.warn(message, LogCode.CheckWarned) : context.log.error(message, LogCode.CheckFailed);
  const message = messageOf(context, step);
  const name = context.calculation.model.sheets[sheet]!.name;
  const isOne = values.length * (values[0]?.length ?? 0) === 1;
  for (const cell of failed.slice(0, MAX_REPORTED_CELLS)) logFailure(isOne ? message : `${message} (${name}!${cell})`);
  const more = failed.length - MAX_REPORTED_CELLS;
  if (more > 0) logFailure(`${message} (${counted(more, 'more cell')})`);
  if (!isWarning) throw new RunEnded('Failed');
}

const isPassed = (value: CellValue): boolean => value === true || value === null || value === '';

function runLog(context: StepContext, step: StepDefinition): void {
  const message = messageOf(context, step);
  if (message === '') return;
  if (step.options['Severity']?.toLowerCase() === 'warning') context.log.warn(message, LogCode.AuthorsWarning);
  else context.log.info(message);
}

async function runImport(context: StepContext, step: StepDefinition): Promise<void> {
  const { calculation, log, definition } = context;
  const written = step.options['Input']!;
  const input = definition.inputs.find(({ Name }) => sameName(Name, written, 'input'));
  const table = findTable(calculation.model, step.options['Table']!);
  if (!input || !table) throw log.setupError(`Step '${step.Step}': its input or its table does not exist`);
  const isFolder = isFolderUsage(input.Info.CellUsages[0]);
  const files = isFolder ? await folderFiles(context, step, input) : context.filesOf(input.Name);
  if (files.length === 0) {
    log.done(`Step '${step.Step}': no file was given for '${input.Name}'; the table ${table.name} stays as it is`);
    return;
  }
  const targets = targetColumns(context, table.name);
  const rows: CellValue[][] = [];
  let isRefused = false;
  for (const file of files) {
    const typed = await readFile(context, step, file, targets);
    for (const problem of typed.problems) log.error(`${file.FileName}: ${problem}`, LogCode.ImportRefused);
    isRefused ||= typed.problems.length > 0;
    if (typed.unused.length > 0)
      log.done(`${file.FileName}: columns not used: ${typed.unused.slice(0, 20).join(', ')}`);
    for (const row of typed.rows) rows.push(row);
  }
  if (isRefused) throw new RunEnded('Failed');
  fillTable(context, table.name, targets, rows);
  log.done(readLine({ Step: step.Step, mark: contentMark(rows) }, rows.length, table.name));
}

/** Returns how numbers and dates are written in the region; null if the region is unknown. */
function notationOf(region: ActivityDefinition['region']): Notation['region'] {
  const settings = region && region.source !== 'None' ? regionalSettings(region.id) : undefined;
  return settings ? { decimal: settings.decimal as DecimalSeparator, dayOrder: settings.dayOrder } : null;
}

async function readFile(
  { log, definition }: StepContext,
  { options }: StepDefinition,
  file: RunFile,
  targets: readonly TargetColumn[],
): Promise<ReturnType<typeof typeRows>> {
  try {
    const rows = await readRows(await file.read(), {
      headerRow: Number(options['HeaderRow'] ?? 1),
      encoding: options['Encoding'] ?? null,
      delimiter: options['Delimiter'] ?? null,
      sheet: options['Sheet'] ?? null,
    });
    return typeRows(rows, targets, {
      decimalSeparator: (options['DecimalSeparator'] ?? null) as DecimalSeparator | null,
      dateFormat: options['DateFormat'] ?? null,
      region: notationOf(definition.region),
    });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw log.refusal(`${file.FileName}: ${error.message}`, LogCode.ImportRefused);
  }
}
