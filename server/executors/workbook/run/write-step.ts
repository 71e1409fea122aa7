/** The Write step: writes a table of the workbook to a table of a database. */
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import type { WrittenRows } from '#server/executors/step-services.ts';
import { columnNames, writeMode } from '../definitions/step-database.ts';
import { findTable } from '../definitions/table-references.ts';
import { connectionOf } from './step-connection.ts';
import type { StepContext } from './step-context.ts';
import { datesOf, tableRows } from './step-rows.ts';

export async function runWrite(context: StepContext, step: StepDefinition): Promise<void> {
  const { Target, Columns, KeyColumns, TimeLimit } = step.options;
  const table = findTable(context.calculation.model, step.options['Table']!);
  if (!table) throw context.log.setupError(`Step '${step.Step}': its table does not exist`);
  const names = table.columns.map(({ name }) => name);
  const wanted = Columns === undefined ? names : columnNames(Columns);
  const columnIndexes = wanted.map((wish) => names.findIndex((name) => name.toLowerCase() === wish.toLowerCase()));
  if (columnIndexes.includes(-1))
    throw context.log.setupError(`Step '${step.Step}': a column of Columns does not exist`);
  const written = await context.services.write({
    connection: connectionOf(context, step),
    target: Target!,
    mode: writeMode(step.options['Mode']),
    columns: columnIndexes.map((index) => names[index]!),
    keys: KeyColumns === undefined ? [] : columnNames(KeyColumns),
    dates: datesOf(context, table, columnIndexes),
    rows: tableRows(context, step, { table: table.name, columnIndexes, undone: 'written' }),
    ...(TimeLimit === undefined ? {} : { timeLimit: Number(TimeLimit) * 1000 }),
  });
  context.log.done(`Step '${step.Step}': ${summaryOf(written)} in ${Target!}`);
}

function summaryOf({ inserted, updated, deleted }: WrittenRows): string {
  const count = (rows: number, what: string): string =>
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} ${what}`;
  const parts = [count(inserted, 'inserted')];
  if (updated > 0) parts.push(count(updated, 'updated'));
  if (deleted > 0) parts.push(count(deleted, 'deleted'));
  return parts.join(', ');
}
