/** Checks whether the login of a read-only connection could write: the database itself should prevent that too. */
import type { Database } from '#server/db/database.ts';

const TABLE_WRITABLE = {
  pg: `select n.nspname || '.' || c.relname as "writable" from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'f') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') limit 1`,
  // Effective permissions through the table, its schema, the database or a role. Source: HAS_PERMS_BY_NAME
  // (Transact-SQL).
  mssql: `select top (1) s.name + '.' + o.name as [writable] from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
    where o.type in ('U', 'V') and (has_perms_by_name(quotename(s.name) + '.' + quotename(o.name), 'OBJECT', 'INSERT') = 1
    or has_perms_by_name(quotename(s.name) + '.' + quotename(o.name), 'OBJECT', 'UPDATE') = 1
    or has_perms_by_name(quotename(s.name) + '.' + quotename(o.name), 'OBJECT', 'DELETE') = 1)`,
};

/** Returns a table that the login may write to, as 'schema.table'; null if there is none. Throws driver errors. */
export async function writableTable({ knex, dialect }: Database): Promise<string | null> {
  const answered: unknown = await knex.raw(TABLE_WRITABLE[dialect.name]);
  const rows = (dialect.name === 'pg' ? (answered as { rows: unknown }).rows : answered) as { writable: string }[];
  return rows[0]?.writable ?? null;
}
