/** Names of procedures with the types of their arguments: longer than a schema and a name. */
import type { Knex } from 'knex';

const isPostgres = (knex: Knex): boolean => (knex.client as { dialect: string }).dialect === 'postgresql';

async function widen(knex: Knex, length: number): Promise<void> {
  const names = ['Activities', 'ProcedureName'];
  if (isPostgres(knex)) await knex.raw(`alter table ?? alter column ?? type varchar(${length})`, names);
  // Nullable as before. Source: ALTER TABLE (Transact-SQL), ALTER COLUMN: without NULL or NOT NULL the column is nullable.
  else await knex.raw(`alter table ?? alter column ?? nvarchar(${length})`, names);
}

export const up = (knex: Knex): Promise<void> => widen(knex, 4000);

export const down = (knex: Knex): Promise<void> => widen(knex, 260);
