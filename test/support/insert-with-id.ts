import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';

/** Inserts a row whose Id the database would number itself, as one that was committed late. */
export async function insertWithId(knex: Knex, table: string, row: object): Promise<void> {
  if (dialectOf(knex).name === 'pg') {
    await knex(table).insert(row);
    return;
  }
  // Holds for the session, so for one connection. Source: SET IDENTITY_INSERT (Transact-SQL).
  await knex.transaction(async (trx) => {
    await trx.raw(`set identity_insert [${table}] on`);
    await trx(table).insert(row);
    await trx.raw(`set identity_insert [${table}] off`);
  });
}
