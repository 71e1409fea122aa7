/** The table views of the sample database, made once by the first start that has it, as if the administrator had made them. */
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

/** In Settings: whether they were made. Whoever changes them later will not get them back. */
const DONE = 'SampleTableViewsPublished';

export interface SampleTableViewsDeps {
  database: Pick<Database, 'knex'>;
  tableViews: Pick<TableViewsService, 'create'>;
}

/** Answers the names of what was made, none where that was before. */
export async function publishTableViews(
  { database: { knex }, tableViews }: SampleTableViewsDeps,
  { person, connection, signal }: { person: Holder; connection: string; signal: AbortSignal },
): Promise<string[]> {
  if (await knex('Settings').where('Name', DONE).first()) return [];
  const file = await readFile(join(SAMPLES_FOLDER, 'database', 'views.json'), 'utf8');
  const made: string[] = [];
  for (const { TableName, ViewName, Columns } of Value.Parse(Type.Array(SampleView), JSON.parse(file))) {
    const view = { ConnectionName: connection, TableName, ViewName, ViewInfo: infoOf(Columns) };
    try {
      await tableViews.create(person, view, signal);
      made.push(ViewName);
    } catch (error) {
      // A start that was broken off has made some already.
      if (!(error instanceof AppError && error.code === 'viewNameTaken')) throw error;
    }
  }
  await knex('Settings').insert({ Name: DONE, Value: JSON.stringify(made) });
  return made;
}

/** The types are those of the catalog, which `create` writes down. */
const infoOf = (columns: SampleView['Columns']): string =>
  JSON.stringify({
    Columns: columns.map((column) => ({ DataType: '', DisplayFormat: '', Selected: true, ...column })),
  } satisfies ViewInfo);
