import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';

/** Renames a table, as a fault that a test brings about. Compatible servers of other vendors need the type of the object. */
export async function renameTable(knex: Knex, from: string, to: string): Promise<void> {
  if (dialectOf(knex).name === 'pg') await knex.schema.renameTable(from, to);
  else await knex.raw(`exec sp_rename ?, ?, 'OBJECT'`, [from, to]);
}
