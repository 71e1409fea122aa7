/**
 * Reads tables from PostgreSQL's catalog. Source: its manual, chapter "System Catalogs": pg_class, pg_attribute,
 * pg_type, pg_index.
 */
import type { CatalogColumn, ColumnStorage } from './types.ts';

/** Partitions are read through their parent table. */
export const LIST_PG = `select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%' escape '\\'
  and has_schema_privilege(n.oid, 'USAGE') and has_any_column_privilege(c.oid, 'SELECT')
  order by n.nspname collate "C", c.relname collate "C"`;

/**
 * Reads the columns of the tables with the full name $1. The name is unique unless names contain dots. A unique index
 * says nothing about the rows of inheriting tables ("Inheritance", Caveats).
 */
export const COLUMNS_PG = `select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), b.typname, b.typcategory::text,
    not a.attnotnull, array_position(k.columns, a.attnum), cardinality(k.columns)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid join pg_type b on b.oid = coalesce(nullif(t.typbasetype, 0), t.oid)
  left join lateral (
    select (i.indkey::int2[])[0:i.indnkeyatts - 1] as columns from pg_index i
    where i.indrelid = c.oid and not (c.relkind = 'r' and c.relhassubclass) and i.indisunique and i.indisvalid and i.indimmediate and i.indpred is null and i.indexprs is null
    and not exists (select 1 from pg_attribute ka where ka.attrelid = c.oid and not ka.attnotnull
      and ka.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1]))
    order by i.indisprimary desc, i.indnkeyatts, i.indexrelid limit 1) k on true
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%' escape '\\'
  and n.nspname || '.' || c.relname = $1::text and has_schema_privilege(n.oid, 'USAGE') and has_column_privilege(c.oid, a.attnum, 'SELECT')
  order by n.nspname, c.relname, a.attnum`;

/**
 * Reads the same facts as COLUMNS_PG about one table at a fraction of its cost: in parts without joins, in any order.
 * $1 is the table's pg_class.oid, so another table of the same name does not match. If the login has lost rights, the
 * statement fails; rights granted later change the result.
 */
export const FINGERPRINT_PG = `select (c.relname, c.relnamespace::regnamespace, c.relkind, c.relhassubclass)::text
    from pg_class c where c.oid = $1::oid
  union all select (a.attname, format_type(a.atttypid, a.atttypmod), a.atttypid, a.attnotnull, has_column_privilege(a.attrelid, a.attnum, 'SELECT'), a.attnum)::text
    from pg_attribute a where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped
  union all select (i.indexrelid, i.indkey, i.indisunique, i.indisprimary, i.indisvalid, i.indimmediate, i.indpred is null, i.indexprs is null, i.indnkeyatts)::text
    from pg_index i where i.indrelid = $1::oid`;

/** $1 is the name of the schema, $2 the name of the table. */
export const TABLE_ID_PG = `select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`;

/** Letters of pg_type.typcategory whose values have an order; of the user-defined types (U), only these. */
const SORTED_CATEGORIES = 'BDEINST';
const SORTED_TYPES = ['uuid', 'bytea'];

export function columnOfPg(
  name: string,
  type: string,
  { baseType, category, isNullable }: { baseType: string; category: string; isNullable: boolean },
): CatalogColumn {
  const canSort = SORTED_CATEGORIES.includes(category) || SORTED_TYPES.includes(baseType);
  const storage = storageOf(baseType, { category, canSort });
  return { name, type, kind: KINDS[storage] ?? 'Text', storage, isNullable, canSort };
}

const KINDS: Partial<Record<ColumnStorage, CatalogColumn['kind']>> = {
  exactNumber: 'Number',
  money: 'Number',
  float: 'Number',
  date: 'Date',
  dateTime: 'Date',
  boolean: 'Boolean',
};

function storageOf(baseType: string, { category, canSort }: { category: string; canSort: boolean }): ColumnStorage {
  if (baseType === 'float4' || baseType === 'float8') return 'float';
  if (['int2', 'int4', 'int8', 'numeric', 'oid'].includes(baseType)) return 'exactNumber';
  if (baseType === 'money') return 'money';
  if (baseType === 'date') return 'date';
  if (baseType === 'timestamp' || baseType === 'timestamptz') return 'dateTime';
  if (category === 'B') return 'boolean';
  if (category === 'S') return 'text';
  return canSort ? 'ordered' : 'other';
}
