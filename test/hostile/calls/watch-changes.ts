import type { Knex } from 'knex';
import { dialectOf } from '#server/db/dialect/dialect.ts';

export interface Change {
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE';
}

export interface ChangeWatch {
  /** Returns the changes committed since the last call, each kind of change once. */
  take(): Promise<Change[]>;
}

/**
 * Records every inserted, updated or deleted row of every table from now on. The records are part of the changing
 * transaction; a rollback removes them. This is not possible on SQL Server, where the result is always empty. Source:
 * OUTPUT clause (Transact-SQL): without INTO, as in our statements, "the target of the DML operation can't have any
 * enabled trigger" (error 334).
 */
export async function watchChanges(knex: Knex): Promise<ChangeWatch> {
  if (dialectOf(knex).name === 'mssql') return { take: async () => [] };
  await knex.raw('create table seen_changes (id bigserial primary key, table_name text, operation text)');
  await knex.raw(`create function see_change() returns trigger language plpgsql as $$
    begin
      insert into seen_changes (table_name, operation) values (tg_table_name, tg_op);
      return null;
    end $$`);
  const { rows } = await knex.raw<{ rows: { tablename: string }[] }>(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> 'seen_changes'",
  );
  for (const { tablename } of rows) {
    await knex.raw(
      'create trigger see_change after insert or update or delete on ?? for each row execute function see_change()',
      [tablename],
    );
  }
  let last = 0;
  return {
    async take() {
      const seen = await knex('seen_changes')
        .where('id', '>', last)
        .max('id as last')
        .select({ table: 'table_name', operation: 'operation' })
        .groupBy('table_name', 'operation');
      last = Math.max(last, ...seen.map((change) => Number(change.last)));
      return seen.map(({ table, operation }) => ({ table, operation }) as Change);
    },
  };
}
