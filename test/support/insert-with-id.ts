import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';

/** Inserts a row with a given Id, which the database would otherwise generate, to simulate a row committed late. */
export async function insertWithId(knex: Knex, table: string, row: object): Promise<void> {
  if (dialectOf(knex).name === 'pg') {
    await knex(table).insert(row);
    return;
  }
  // Applies to the session; all statements must use the same connection. Source: SET IDENTITY_INSERT (Transact-SQL).
  await knex.transaction(async (trx) => {
    await trx.raw(`set identity_insert [${table}] on`);
    await trx(table).insert(row);
    await trx.raw(`set identity_insert [${table}] off`);
  });
}
