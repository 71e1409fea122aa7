/** Everything in a SQL Server database that can differ between two schemas, as plain data to compare. */
import type { Knex } from 'knex';
import { isOtherMakersServer } from '#test/support/sql-server.ts';

type Row = Record<string, unknown>;

export interface Catalog {
  /** By what they list. */
  parts: Record<string, Row[]>;
  /** All rows of all tables, without the times of migrations. */
  rows: Record<string, Row[]>;
}

/** Names that the server made up contain random or counted parts, so they are left out. */
const QUERIES: Record<string, string> = {
  // In the letter case of their definitions, which sys.columns of Babelfish does not keep. Column ids have gaps after a dropped column.
  columns: `select TABLE_NAME as [Table], COLUMN_NAME as [Column], DATA_TYPE as [Type], CHARACTER_MAXIMUM_LENGTH as [Length],
      NUMERIC_PRECISION as [Precision], NUMERIC_SCALE as [Scale], DATETIME_PRECISION as [TimePrecision],
      IS_NULLABLE as [IsNullable], COLUMN_DEFAULT as [Default], COLLATION_NAME as [Collation],
      row_number() over (partition by TABLE_NAME order by ORDINAL_POSITION) as [Position]
    from INFORMATION_SCHEMA.COLUMNS where TABLE_NAME in (select name from sys.objects where is_ms_shipped = 0)
    order by TABLE_NAME, ORDINAL_POSITION`,
  types: `select t.name as [Table], c.name as [Column], y.name as [Type], c.max_length, c.precision, c.scale, c.is_nullable,
      c.is_identity, c.collation_name, c.is_computed
    from sys.tables t join sys.columns c on c.object_id = t.object_id join sys.types y on y.user_type_id = c.user_type_id
    order by t.name, c.column_id`,
  defaults: `select object_name(parent_object_id) as [Table], col_name(parent_object_id, parent_column_id) as [Column], definition
    from sys.default_constraints order by 1, 2`,
  identities: `select object_name(object_id) as [Table], name as [Column], cast(seed_value as bigint) as [Seed],
      cast(increment_value as bigint) as [Increment]
    from sys.identity_columns where object_id in (select object_id from sys.tables) order by 1, 2`,
  indexes: `select object_name(i.object_id) as [Table], case when i.is_primary_key = 1 then '' else i.name end as [Index], i.type_desc,
      i.is_unique, i.is_primary_key, i.is_unique_constraint, i.has_filter, i.filter_definition, c.key_ordinal, c.is_descending_key,
      c.is_included_column, col_name(c.object_id, c.column_id) as [Column]
    from sys.indexes i left join sys.index_columns c on c.object_id = i.object_id and c.index_id = i.index_id
    where i.object_id in (select object_id from sys.tables) order by 1, 2, c.key_ordinal, c.index_column_id`,
  foreignKeys: `select f.name, object_name(f.parent_object_id) as [Table], object_name(f.referenced_object_id) as [Referenced],
      f.delete_referential_action_desc, f.update_referential_action_desc, f.is_disabled, f.is_not_trusted,
      col_name(c.parent_object_id, c.parent_column_id) as [Column],
      col_name(c.referenced_object_id, c.referenced_column_id) as [ReferencedColumn]
    from sys.foreign_keys f join sys.foreign_key_columns c on c.constraint_object_id = f.object_id
    order by f.name, c.constraint_column_id`,
  checks: `select object_name(parent_object_id) as [Table], name, definition from sys.check_constraints order by 1, 2`,
  // Views, procedures, functions, triggers, sequences, synonyms and the like.
  objects: `select o.name, o.type, m.definition from sys.objects o left join sys.sql_modules m on m.object_id = o.object_id
    where o.is_ms_shipped = 0 and o.type not in ('D', 'F', 'PK', 'UQ', 'C') order by o.name, o.type`,
};

const SQL_SERVER_QUERIES: Record<string, string> = {
  computed: `select object_name(object_id) as [Table], name as [Column], definition, is_persisted
    from sys.computed_columns order by 1, 2`,
};

/** Babelfish, PostgreSQL underneath, does not list conditions of indexes under sys, and fails on collated computed columns. */
const BABELFISH_QUERIES: Record<string, string> = {
  computed: `select c.relname, a.attname, a.attgenerated, pg_catalog.pg_get_expr(d.adbin, d.adrelid) as [Definition]
    from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_catalog.pg_class c on c.oid = d.adrelid
    where c.relnamespace = schema_id('dbo') order by c.relname, a.attname`,
  definitions: `select tablename, replace(indexdef, lower(db_name()) + '_dbo', 'dbo') as [Definition] from pg_catalog.pg_indexes
    where schemaname = lower(db_name()) + '_dbo' order by tablename, indexname`,
  constraints: `select conname, replace(pg_catalog.pg_get_constraintdef(oid), lower(db_name()) + '_dbo', 'dbo') as [Definition]
    from pg_catalog.pg_constraint where connamespace = schema_id('dbo') order by conname, 2`,
};

export async function readCatalog(knex: Knex): Promise<Catalog> {
  const queries = { ...QUERIES, ...((await isOtherMakersServer(knex)) ? BABELFISH_QUERIES : SQL_SERVER_QUERIES) };
  const parts: Catalog['parts'] = {};
  for (const [name, sql] of Object.entries(queries)) parts[name] = (await knex.raw(sql)) as Row[];
  const rows: Catalog['rows'] = {};
  const tables = (await knex('INFORMATION_SCHEMA.TABLES')
    .where('TABLE_TYPE', 'BASE TABLE')
    .pluck('TABLE_NAME')) as string[];
  for (const table of tables.toSorted()) {
    const found = (await knex(table)) as Row[];
    rows[table] = found.map(({ migration_time: _time, ...row }) => row);
  }
  return { parts, rows };
}
