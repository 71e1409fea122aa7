import type { Knex } from 'knex';
import type { Db } from '#server/db/dialect/types.ts';
import type { ManagedSchema } from '#shared/contract/schemas.ts';

export type SchemaRow = Omit<ManagedSchema, 'IsPermanent'>;

/** Returns the schemas in order, with one query. */
export async function listSchemaRows(db: Db): Promise<SchemaRow[]> {
  const counts = (table: string, column: string): Knex.QueryBuilder =>
    db(table).count('*').where(`${table}.${column}`, db.ref('S.Name')).as(table);
  return db('Schemas as S')
    .select('S.Name', 'S.DisplayName', 'S.Order', counts('Activities', 'Schema'), counts('Checklists', 'Schema'))
    .select<SchemaRow[]>(counts('Grants', 'KeyColumnValue').where('Grants.KeyColumnName', 'Schema') as never)
    .orderBy([{ column: 'S.Order' }, { column: 'S.Name' }]);
}

export async function insertSchema(trx: Db, row: { Name: string; DisplayName: string; Order: number }): Promise<void> {
  await trx('Schemas').insert(row);
}

export async function updateSchema(
  trx: Db,
  Name: string,
  change: { DisplayName?: string; Order?: number },
): Promise<void> {
  await trx('Schemas').where({ Name }).update(change);
}

export async function deleteSchemaRow(trx: Db, Name: string): Promise<void> {
  await trx('Schemas').where({ Name }).delete();
}
