/** Carries out the rows of PortalSteps, in order. */
import type { CellEdit } from '#server/calculation/engine.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { ActivityDefinition, StepDefinition } from '#server/executors/executor.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { shiftTo1904 } from '#shared/codecs/serial-date.ts';
import { resolveArea } from '../definitions/areas.ts';
import { tableBody } from '../definitions/blocks.ts';
import type { CellView } from '../definitions/cell-view.ts';
import { fieldsOf } from '../definitions/fields.ts';
import { sameName } from '../definitions/parameters.ts';
import { findTable } from '../definitions/table-references.ts';
import { ImportError } from '../import/decode-text.ts';
import { readRows } from '../import/file-rows.ts';
import type { DecimalSeparator } from '../import/parse-numbers.ts';
import type { TargetColumn } from '../import/typed-rows.ts';
import { typeRows } from '../import/typed-rows.ts';
import type { Calculation } from './calculation.ts';
import { LogCode } from './log-codes.ts';
import { RunEnded } from './run-ended.ts';
import type { RunLog } from './run-log.ts';

/** An uploaded file of an input. */
export interface RunFile {
  FileName: string;
  read(): Promise<Uint8Array>;
}

export interface StepContext {
  calculation: Calculation;
  view: CellView;
  definition: ActivityDefinition;
  log: RunLog;
  filesOf(input: string): RunFile[];
}

/** Failing cells that a check tells one by one. */
const MOST_CELLS = 20;

export async function runStep(context: StepContext, step: StepDefinition): Promise<void> {
  const when = step.options['When'];
  if (when !== undefined && cellsOf(context, step, when).values[0]?.[0] !== true) {
    context.log.info(`Step '${step.Step}' was skipped: ${when} is not TRUE`);
    return;
  }
  if (step.Action === 'Import') await runImport(context, step);
  else if (step.Action === 'Check') runCheck(context, step);
  else runLog(context, step);
}

interface Cells {
  sheet: number;
  block: CellBlock;
  values: CellValue[][];
}

function cellsOf({ calculation, log }: StepContext, step: StepDefinition, text: string): Cells {
  const found = resolveArea(calculation.model, text, null);
  if ('problem' in found) throw log.setupFault(`Step '${step.Step}': '${text}' ${found.problem.message}`);
  const { sheet } = found.area;
  const block = calculation.now(sheet, found.area.block);
  return { sheet, block, values: calculation.read(sheet, block) };
}

/** A formula's text is read now, when it knows the run's numbers. */
function messageOf(context: StepContext, step: StepDefinition): string {
  const cell = step.options['MessageCell'];
  if (cell === undefined) return step.options['Message'] ?? '';
  const value = cellsOf(context, step, cell).values[0]?.[0] ?? null;
  return value instanceof CellError ? value.code : formatCellValue(value);
}

function runCheck(context: StepContext, step: StepDefinition): void {
  const { sheet, block, values } = cellsOf(context, step, step.options['Cell']!);
  const failed = values.flatMap((row, y) =>
    row.flatMap((value, x) => (isPassed(value) ? [] : [formatCell(block.top + y, block.left + x)])),
  );
  if (failed.length === 0) return;
  const isWarning = step.options['Severity']?.toLowerCase() === 'warning';
  const tell = (message: string): void =>
    isWarning ? context.log.warn(message, LogCode.CheckWarned) : context.log.error(message, LogCode.CheckFailed);
  const message = messageOf(context, step);
  const name = context.calculation.model.sheets[sheet]!.name;
  const isOne = values.length * (values[0]?.length ?? 0) === 1;
  for (const cell of failed.slice(0, MOST_CELLS)) tell(isOne ? message : `${message} (${name}!${cell})`);
  if (failed.length > MOST_CELLS) tell(`${message} (${failed.length - MOST_CELLS} more cells)`);
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
  if (!input || !table) throw log.setupFault(`Step '${step.Step}': its input or its table does not exist`);
  const files = context.filesOf(input.Name);
  if (files.length === 0) {
    log.info(`Step '${step.Step}': no file was given for '${input.Name}'; the table ${table.name} stays as it is`);
    return;
  }
  const targets = targetColumns(context, table.name);
  const rows: CellValue[][] = [];
  let isRefused = false;
  for (const file of files) {
    const typed = await readFile(context, step, file, targets);
    for (const fault of typed.faults) log.error(`${file.FileName}: ${fault}`, LogCode.ImportRefused);
    isRefused ||= typed.faults.length > 0;
    if (typed.unused.length > 0)
      log.info(`${file.FileName}: columns not used: ${typed.unused.slice(0, 20).join(', ')}`);
    for (const row of typed.rows) rows.push(row);
  }
  if (isRefused) throw new RunEnded('Failed');
  fillTable(context, table.name, targets, rows);
  log.info(`Step '${step.Step}': ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} into the table ${table.name}`);
}

async function readFile(
  { log }: StepContext,
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
    });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw log.refusal(`${file.FileName}: ${error.message}`, LogCode.ImportRefused);
  }
}

/** The columns of a table with the kinds that its cells in the file have. */
function targetColumns({ calculation, view }: StepContext, name: string): TargetColumn[] {
  const { model } = calculation;
  const table = findTable(model, name)!;
  const columnHeaders = table.columns.map((column) => column.name);
  const fields = fieldsOf(model, view, table.sheet, {
    rangeType: 'RangeWithColumnHeaders',
    data: tableBody(table),
    headerRows: table.headerRows,
    headerCols: 0,
    columnHeaders,
    rowHeaders: [],
  });
  return fields.map((field, index) => ({
    name: columnHeaders[index]!,
    usage: field.usage,
    isCalculated: table.columns[index]!.calculatedFormula !== undefined || field.formulas === 'all',
  }));
}

function fillTable(context: StepContext, name: string, targets: readonly TargetColumn[], rows: CellValue[][]): void {
  const { calculation } = context;
  const table = findTable(calculation.model, name)!;
  const body = tableBody(table);
  calculation.resize(name, Math.max(1, rows.length));
  const block = calculation.now(table.sheet, body);
  const edits: CellEdit[] = [];
  for (let row = block.top; row <= block.bottom; row++) {
    for (const [index, { isCalculated, usage }] of targets.entries()) {
      if (isCalculated) continue;
      const value = rows[row - block.top]?.[index] ?? null;
      const isDay1904 = usage === 'Date' && typeof value === 'number' && calculation.model.date1904;
      edits.push({ sheet: table.sheet, row, col: block.left + index, value: isDay1904 ? shiftTo1904(value) : value });
    }
  }
  calculation.write(edits);
}
