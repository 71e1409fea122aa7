/** Names of procedures with the types of their arguments: longer than a schema and a name. */
import type { Knex } from 'knex';

const isPostgres = (knex: Knex): boolean => (knex.client as { dialect: string }).dialect === 'postgresql';

/**
 * On SQL Server by a column of its own: ALTER COLUMN without COLLATE gives it the collation of the database, by which names of other letter case
 * could be alike. Source: ALTER TABLE (Transact-SQL), "COLLATE".
 */
async function widen(knex: Knex, length: number): Promise<void> {
  if (isPostgres(knex)) {
    await knex.raw(`alter table ?? alter column ?? type varchar(${length})`, ['Activities', 'ProcedureName']);
    return;
  }
  await knex.schema.alterTable('Activities', (t) => t.string('WidenedName', length));
  await knex('Activities').update({ WidenedName: knex.ref('ProcedureName') });
  await knex.schema.alterTable('Activities', (t) => t.dropColumn('ProcedureName'));
  await knex.schema.alterTable('Activities', (t) => t.renameColumn('WidenedName', 'ProcedureName'));
}

export const up = (knex: Knex): Promise<void> => widen(knex, 4000);

export const down = (knex: Knex): Promise<void> => widen(knex, 260);
