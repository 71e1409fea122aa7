/**
 * The table views of the sample database. The first start with that database creates them once, on behalf of the
 * administrator.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { TableViewsService } from '#server/features/tableviews/table-views-service.ts';
import { closed } from '#shared/contract/endpoint.ts';
import { ViewColumn, type ViewInfo } from '#shared/contract/tableviews.ts';
import { SAMPLES_FOLDER } from './publish-samples.ts';

const { ColumnName, DisplayName, CellUsage, DisplayFormat } = ViewColumn.properties;
const SampleView = closed({
  TableName: Type.String(),
  ViewName: Type.String(),
  Columns: Type.Array(closed({ ColumnName, DisplayName, CellUsage, DisplayFormat: Type.Optional(DisplayFormat) })),
});
type SampleView = Static<typeof SampleView>;

/** Key in Settings that records that they were created. If somebody changes them, they are not created again. */
const DONE = 'SampleTableViewsPublished';

export interface SampleTableViewsDeps {
  database: Pick<Database, 'knex'>;
  tableViews: Pick<TableViewsService, 'create'>;
}

/** Returns the names of the created views; empty if they had already been created. */
export async function publishTableViews(
  { database: { knex }, tableViews }: SampleTableViewsDeps,
  { person, connection, signal }: { person: Holder; connection: string; signal: AbortSignal },
): Promise<string[]> {
  if (await knex('Settings').where('Name', DONE).first()) return [];
  const file = await readFile(join(SAMPLES_FOLDER, 'database', 'views.json'), 'utf8');
  const created: string[] = [];
  for (const { TableName, ViewName, Columns } of Value.Parse(Type.Array(SampleView), JSON.parse(file))) {
    const view = { ConnectionName: connection, TableName, ViewName, ViewInfo: infoOf(Columns) };
    try {
      await tableViews.create(person, view, signal);
      created.push(ViewName);
    } catch (error) {
      // An interrupted start has already created some of them.
      if (!(error instanceof AppError && error.code === 'viewNameTaken')) throw error;
    }
  }
  await knex('Settings').insert({ Name: DONE, Value: JSON.stringify(created) });
  return created;
}

/** `create` fills in the data types from the catalog. */
const infoOf = (columns: SampleView['Columns']): string =>
  JSON.stringify({
    Columns: columns.map((column) => ({ DataType: '', DisplayFormat: '', Selected: true, ...column })),
  } satisfies ViewInfo);
