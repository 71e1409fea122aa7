import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';

/** Another value after each change: lists kept in memory tell by it that names or order are not theirs any more. */
const CHANGE = 'SchemasChange';

export async function markSchemasChanged(trx: Db, dialect: Dialect): Promise<void> {
  const rows = [{ Name: CHANGE, Value: randomUUID() }];
  await dialect.upsert(trx, { table: 'Settings', key: ['Name'], update: ['Value'], rows });
}

/** The value of the last change as a column; null before the first. */
export const schemasChange = (db: Db): Knex.QueryBuilder => db('Settings').where('Name', CHANGE).select('Value');
