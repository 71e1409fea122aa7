/** Procedure names with the types of their arguments are longer than a schema and a name. */
import type { Knex } from 'knex';

const isPostgres = (knex: Knex): boolean => (knex.client as { dialect: string }).dialect === 'postgresql';

/**
 * SQL Server uses a new column. ALTER COLUMN without COLLATE would give the column the collation of the database, in
 * which names that differ only by case could be equal. Source: ALTER TABLE (Transact-SQL), "COLLATE".
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
