/** The Write step: a table of the workbook into a table of a database. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import type { StepDefinition } from '#server/executors/executor.ts';
import type { WrittenRows } from '#server/executors/step-services.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { hasDay } from '#shared/codecs/date-format.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { shiftFrom1904 } from '#shared/codecs/serial-date.ts';
import { tableBody } from '../definitions/blocks.ts';
import { columnNames, writeMode } from '../definitions/step-database.ts';
import { findTable } from '../definitions/table-references.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { RunEnded } from './run-ended.ts';
import { connectionOf } from './step-connection.ts';
import type { StepContext } from './step-context.ts';

/** Cells with errors that are told one by one. */
const MOST_CELLS = 20;

type Plain = Exclude<CellValue, CellError>;

export async function runWrite(context: StepContext, step: StepDefinition): Promise<void> {
  const { Target, Columns, KeyColumns, TimeLimit } = step.options;
  const table = findTable(context.calculation.model, step.options['Table']!);
  if (!table) throw context.log.setupFault(`Step '${step.Step}': its table does not exist`);
  const names = table.columns.map(({ name }) => name);
  const wanted = Columns === undefined ? names : columnNames(Columns);
  const places = wanted.map((wish) => names.findIndex((name) => name.toLowerCase() === wish.toLowerCase()));
  if (places.includes(-1)) throw context.log.setupFault(`Step '${step.Step}': a column of Columns does not exist`);
  const written = await context.services.write({
    connection: connectionOf(context, step),
    target: Target!,
    mode: writeMode(step.options['Mode']),
    columns: places.map((place) => names[place]!),
    keys: KeyColumns === undefined ? [] : columnNames(KeyColumns),
    dates: datesOf(context, table, places),
    rows: rowsOf(context, step, table.name, places),
    ...(TimeLimit === undefined ? {} : { timeLimit: Number(TimeLimit) * 1000 }),
  });
  context.log.done(`Step '${step.Step}': ${told(written)} in ${Target!}`);
}

function told({ inserted, updated, deleted }: WrittenRows): string {
  const count = (rows: number, what: string): string =>
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} ${what}`;
  const parts = [count(inserted, 'inserted')];
  if (updated > 0) parts.push(count(updated, 'updated'));
  if (deleted > 0) parts.push(count(deleted, 'deleted'));
  return parts.join(', ');
}

function datesOf({ view }: StepContext, table: TableModel, places: readonly number[]): boolean[] {
  const { top, left } = tableBody(table);
  const formatOf = (place: number): string => view.cell(table.sheet, top, left + place).format;
  return places.map((place) => isDate(formatOf(place)) && hasDay(formatOf(place)));
}

/** The rows of the table without its blank ones: an empty table has one. Errors end the run before anything is written. */
function rowsOf(context: StepContext, step: StepDefinition, name: string, places: readonly number[]): Plain[][] {
  const { calculation, log } = context;
  const table = findTable(calculation.model, name)!;
  const block = calculation.now(table.sheet, tableBody(table));
  const dates = calculation.model.date1904 ? datesOf(context, table, places) : [];
  const errors: string[] = [];
  const rows: Plain[][] = [];
  for (const [y, values] of calculation.read(table.sheet, block).entries()) {
    const row = places.map((place, x): Plain => {
      const value = values[place] ?? null;
      if (value instanceof CellError) {
        errors.push(
          `${value.code} in ${calculation.model.sheets[table.sheet]!.name}!${formatCell(block.top + y, block.left + place)}`,
        );
        return null;
      }
      return typeof value === 'number' && dates[x] ? shiftFrom1904(value) : value;
    });
    if (!values.every((value) => value === null || value === '')) rows.push(row);
  }
  if (errors.length === 0) return rows;
  for (const error of errors.slice(0, MOST_CELLS))
    log.error(`Step '${step.Step}': nothing was written because of the error ${error}`, LogCode.WriteRefused);
  throw new RunEnded('Failed');
}
