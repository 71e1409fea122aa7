/** The Query step: reads rows from a named connection into a table. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { InputDefinition, StepDefinition } from '#server/executors/activity-definition.ts';
import type { StepQuery, StepRows } from '#server/executors/step-services.ts';
import { MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { readLine } from '#shared/codecs/read-mark.ts';
import { isParameterOf, parseQueryText } from '#shared/codecs/query-text.ts';
import type { SqlParameter } from '#shared/codecs/query-text.ts';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { dateFormatOf } from '#shared/codecs/date-format.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import { fromSerial } from '#shared/codecs/serial-date.ts';
import { findTable } from '../definitions/table-references.ts';
import { ImportError } from '../import/decode-text.ts';
import { typeRows } from '../import/typed-rows.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { contentMark } from './content-mark.ts';
import { RunEnded } from './run-ended.ts';
import { connectionOf } from './step-connection.ts';
import type { StepContext } from './step-context.ts';
import { fillTable, targetColumns } from './table-rows.ts';

export async function runQuery(context: StepContext, step: StepDefinition): Promise<void> {
  const { calculation, log } = context;
  const table = findTable(calculation.model, step.options['Table']!);
  if (!table) throw log.setupError(`Step '${step.Step}': its table does not exist`);
  const { columns, rows } = await readAll(context, queryOf(context, step));
  const targets = targetColumns(context, table.name);
  const typed = matched(context, step, { columns, rows }, targets);
  if (typed.problems.length > 0) {
    for (const problem of typed.problems) log.error(`Step '${step.Step}': ${problem}`, LogCode.QueryRefused);
    throw new RunEnded('Failed');
  }
  fillTable(context, table.name, targets, typed.rows);
  log.done(readLine({ Step: step.Step, mark: contentMark(typed.rows) }, rows.length, table.name));
}

function queryOf(context: StepContext, step: StepDefinition): StepQuery {
  const { Query, MaxRows, TimeLimit } = step.options;
  // Only the connection knows its SQL dialect, so parameters are parsed for both. Superfluous values are not used.
  const parameters = new Set((['pg', 'mssql'] as const).flatMap((kind) => parseQueryText(Query!, kind).parameters));
  return {
    connection: connectionOf(context, step),
    sql: Query!,
    values: Object.fromEntries([...parameters].map((name) => [name, parameterValue(context, step, name)])),
    maxRows: Math.min(Number(MaxRows ?? MAX_ROWS), MAX_ROWS),
    ...(TimeLimit === undefined ? {} : { timeLimit: Number(TimeLimit) * 1000 }),
  };
}

function parameterValue(context: StepContext, step: StepDefinition, name: string): StepQuery['values'][string] {
  const input = context.definition.inputs.find(({ Name }) => isParameterOf(name, Name));
  if (!input) throw context.log.setupError(`Step '${step.Step}': there is no input for @${name}`);
  const value = inputCell(context, input);
  if (value instanceof CellError)
    throw context.log.refusal(
      `Step '${step.Step}': the input '${input.Name}' has the error ${value.code}`,
      LogCode.QueryRefused,
    );
  const [usage] = input.Info.CellUsages;
  if (usage === 'Condition')
    return { condition: value === null ? '' : String(value), columns: conditionColumns(context, step, input) };
  const format = input.Info.Formats[0] ?? 'General';
  if (usage === 'Date' && typeof value === 'number' && dateFormatOf(format).kind !== 'duration')
    return dateOf(context.calculation.model.date1904 ? from1904(value, format) : value);
  return value === '' ? null : value;
}

/** Returns the columns that the input's picker names; without a picker, those of the step's table. */
function conditionColumns(context: StepContext, step: StepDefinition, input: InputDefinition): ConditionColumn[] {
  const named = input.Info.Pickers[0]?.Columns;
  if (named) return named;
  return targetColumns(context, step.options['Table']!).map(({ name, usage }) => ({
    Name: name.trim(),
    Kind: usage === 'Number' || usage === 'Date' || usage === 'Boolean' ? usage : 'Text',
  }));
}

/** Returns the current value of the cell: entered, or the result of its formula. */
function inputCell({ calculation }: StepContext, { location }: InputDefinition): CellValue {
  return calculation.read(location.sheet, calculation.now(location.sheet, location.block))[0]?.[0] ?? null;
}

/** Returns a calendar date and time without a time zone, expressed in UTC. */
function dateOf(serial: number): SqlParameter {
  const parts = fromSerial(serial);
  if (!parts) return serial;
  const { year, month, day, hour, minute, second, millisecond } = parts;
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
}

async function readAll({ services }: StepContext, query: StepQuery): Promise<StepRows> {
  const rows: StepRows['rows'][number][] = [];
  let columns: StepRows['columns'] = [];
  for await (const batch of services.query(query)) {
    columns = batch.columns;
    for (const row of batch.rows) rows.push(row);
  }
  return { columns, rows };
}

/** Matches columns by name and converts values to the types of the cells, as an Import does with a file. */
function matched(
  { log }: StepContext,
  step: StepDefinition,
  { columns, rows }: StepRows,
  targets: Parameters<typeof typeRows>[1],
): ReturnType<typeof typeRows> {
  try {
    const file = {
      headers: columns.map(({ name }) => name.trim()),
      rows: rows.map((cells, index) => ({ row: index + 1, cells: [...cells] })),
      isText: false,
      delimiter: '',
    };
    return typeRows(file, targets, { decimalSeparator: '.', dateFormat: 'yyyy-mm-dd', region: null });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw log.setupError(`Step '${step.Step}': ${error.message.replaceAll('the file', 'the result')}`);
  }
}
