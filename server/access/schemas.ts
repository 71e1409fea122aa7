import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';

/** Returns the schemas in display order. */
export function listSchemas(db: Db): Promise<{ Name: string; DisplayName: string; Order: number }[]> {
  return db('Schemas')
    .select('Name', 'DisplayName', 'Order')
    .orderBy([{ column: 'Order' }, { column: 'Name' }]);
}

/**
 * Key of a value that changes with each change to the schemas. It tells cached lists that names or order are outdated.
 */
const CHANGE = 'SchemasChange';

export async function markSchemasChanged(trx: Db, dialect: Dialect): Promise<void> {
  const rows = [{ Name: CHANGE, Value: randomUUID() }];
  await dialect.upsert(trx, { table: 'Settings', key: ['Name'], update: ['Value'], rows });
}

/** Selects the value of the last change as a column; null before the first. */
export const schemasChange = (db: Db): Knex.QueryBuilder => db('Settings').where('Name', CHANGE).select('Value');
