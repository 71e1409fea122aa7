/** Catalog data about a table other than its columns. All functions throw ConnectionError. */
import type { NamedConnection } from '../types.ts';
import { fullName, type TableName } from './types.ts';

/** Milliseconds. */
const TIME_LIMIT = 5000;

/** -1 means never analyzed. A view has no estimate. Source: PostgreSQL's manual, pg_class.reltuples. */
const ESTIMATE_PG = `select c.reltuples::bigint from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm') and c.reltuples >= 0 and n.nspname || '.' || c.relname = $1::text`;

/**
 * Source: Transact-SQL reference, sys.partitions: rows is the approximate number; index ids 0 and 1 are the heap or the
 * clustered index.
 */
const ESTIMATE_MSSQL = `select cast(sum(p.rows) as bigint) from sys.partitions p join sys.objects o on o.object_id = p.object_id
  join sys.schemas s on s.schema_id = o.schema_id where p.index_id in (0, 1) and s.name + N'.' + o.name = @p0`;

/** Returns the approximate number of rows; null if the database does not know. */
export async function estimatedRows(
  connection: NamedConnection,
  table: TableName,
  signal: AbortSignal,
): Promise<number | null> {
  const sql = connection.kind === 'pg' ? ESTIMATE_PG : ESTIMATE_MSSQL;
  const { rows } = await connection.readAll({ sql, values: [fullName(table)] }, { signal, timeLimit: TIME_LIMIT });
  const value = rows[0]?.[0];
  return value === null || value === undefined || rows.length > 1 ? null : Number(value);
}

/** Returns one row without a column if the table has no index, and no row if it is not a table. */
const LEADING_PG = `select a.attname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_index i on i.indrelid = c.oid and i.indisvalid and i.indpred is null
  left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where c.relkind in ('r', 'p', 'm') and n.nspname || '.' || c.relname = $1::text`;

const LEADING_MSSQL = `select c.name from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
  left join sys.indexes i on i.object_id = o.object_id and i.index_id > 0 and i.has_filter = 0 and i.is_disabled = 0 and i.is_hypothetical = 0
  left join sys.index_columns ic on ic.object_id = i.object_id and ic.index_id = i.index_id and ic.key_ordinal = 1
  left join sys.columns c on c.object_id = ic.object_id and c.column_id = ic.column_id
  where o.type = 'U' and s.name + N'.' + o.name = @p0`;

/** Returns the columns with which indexes of the table begin; null for a view, which has no indexes. */
export async function leadingColumns(
  connection: NamedConnection,
  table: TableName,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const sql = connection.kind === 'pg' ? LEADING_PG : LEADING_MSSQL;
  const { rows } = await connection.readAll({ sql, values: [fullName(table)] }, { signal, timeLimit: TIME_LIMIT });
  return rows.length === 0 ? null : new Set(rows.flatMap(([name]) => (name === null ? [] : [String(name)])));
}
