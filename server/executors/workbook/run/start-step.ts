/** The Start step: starts runs of another activity, one per row of a table of the workbook. */
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import { DEFAULT_FOR_EACH_CONCURRENCY } from '#shared/rules/workflows/types.ts';
import { columnNames } from '../definitions/step-database.ts';
import { findTable } from '../definitions/table-references.ts';
import type { StepContext } from './step-context.ts';
import { tableRows } from './step-rows.ts';

export async function runStart(context: StepContext, step: StepDefinition): Promise<void> {
  const { Activity, Columns, KeyColumn, AtOnce, StopAfterFailures } = step.options;
  const { log, services, calculation } = context;
  const table = findTable(calculation.model, step.options['Table']!);
  if (!table) throw log.setupError(`Step '${step.Step}': its table does not exist`);
  const names = table.columns.map(({ name }) => name);
  const wanted = Columns === undefined ? names : columnNames(Columns);
  const isKey = (name: string): boolean => name.toLowerCase() === KeyColumn?.toLowerCase();
  if (KeyColumn !== undefined && !wanted.some(isKey)) wanted.push(KeyColumn);
  const columnIndexes = wanted.map((wish) => names.findIndex((name) => name.toLowerCase() === wish.toLowerCase()));
  if (columnIndexes.includes(-1)) throw log.setupError(`Step '${step.Step}': a column of it does not exist`);
  const rows = tableRows(context, step, { table: table.name, columnIndexes, undone: 'started' });
  if (rows.length === 0) {
    log.done(`Step '${step.Step}': the table ${table.name} has no rows; nothing is started`);
    return;
  }
  await services.start({
    step: step.Step,
    activity: Activity!,
    columns: columnIndexes.map((index) => names[index]!),
    keyColumn: KeyColumn ?? null,
    concurrency: Number(AtOnce ?? DEFAULT_FOR_EACH_CONCURRENCY),
    stopAfterFailures: StopAfterFailures === undefined ? null : Number(StopAfterFailures),
    rows,
  });
  const count = `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'run' : 'runs'}`;
  log.done(`Step '${step.Step}': ${count} of ${Activity!} are started when this run has succeeded`);
}
