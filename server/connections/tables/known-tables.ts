/**
 * Reads tables with cached catalog data. PostgreSQL's catalog takes longer to describe a table than to return its first
 * rows, so the description is cached. Its fingerprint is compared in the transaction that reads the rows, while the
 * table is locked against changes. Rows of a changed table are thus never returned
 * (docs/decisions/0032-table-views.md).
 */
import type { BoundQuery } from '#shared/codecs/query-text.ts';
import { ConnectionError } from '../connection-error.ts';
import type { NamedConnection, ReadOptions, ResultBatch } from '../types.ts';
import { columnsQuery, findTable, tableOf } from './catalog.ts';
import { FINGERPRINT_PG, TABLE_ID_PG } from './catalog-pg.ts';
import { fullName, type CatalogTable } from './types.ts';

/** Maximum number of cached tables per connection; the least recently used are dropped. */
const MAX_CACHED_TABLES = 1000;
/** Milliseconds. */
const CATALOG_TIME_LIMIT = 20_000;

interface KnownTable {
  table: CatalogTable;
  /** Oid in PostgreSQL's pg_class. */
  id: number;
  fingerprint: string;
}

/** By connection object, which lives as long as its settings. */
const known = new WeakMap<NamedConnection, Map<string, KnownTable>>();

/**
 * Returns the table with that full name and the result of a query on it; null if there is none, as for findTable.
 * @param queryOf builds the query. It is called again if the table has changed; errors that it then throws are passed
 * on.
 */
export async function readTable(
  connection: NamedConnection,
  name: string,
  options: ReadOptions,
  queryOf: (table: CatalogTable) => BoundQuery,
): Promise<{ table: CatalogTable; batch: ResultBatch } | null> {
  const tables = knownTables(connection);
  const cached = tables.get(name);
  if (cached) {
    const read = await readKnown(connection, cached, options, queryOf);
    tables.delete(name);
    if (read) {
      // Move it behind tables used earlier.
      tables.set(name, cached);
      return { table: cached.table, batch: read };
    }
  }
  const found = await lookUp(connection, name, options.signal);
  if (!found) return null;
  if (found.fingerprint !== null) cacheTable(tables, name, { ...found, fingerprint: found.fingerprint });
  const [batch] = await connection.readMany([queryOf(found.table)], options);
  return { table: found.table, batch: batch! };
}

function knownTables(connection: NamedConnection): Map<string, KnownTable> {
  const tables = known.get(connection) ?? new Map<string, KnownTable>();
  known.set(connection, tables);
  return tables;
}

function cacheTable(tables: Map<string, KnownTable>, name: string, table: KnownTable): void {
  tables.set(name, table);
  const [oldest] = tables.keys();
  if (tables.size > MAX_CACHED_TABLES && oldest !== undefined) tables.delete(oldest);
}

/** Returns null if the table has changed. */
async function readKnown(
  connection: NamedConnection,
  { table, id, fingerprint }: KnownTable,
  options: ReadOptions,
  queryOf: (table: CatalogTable) => BoundQuery,
): Promise<ResultBatch | null> {
  try {
    const [batch, now] = await connection.readMany([queryOf(table), fingerprintQuery(id)], options);
    return batch && textOf(now) === fingerprint ? batch : null;
  } catch (error) {
    // A column was dropped, or a filter names one that was added: the error is reported for the table as it is now.
    if (error instanceof ConnectionError && error.kind !== 'refused') throw error;
    return null;
  }
}

const fingerprintQuery = (id: number): BoundQuery => ({ sql: FINGERPRINT_PG, values: [id] });

const textOf = (batch: ResultBatch | undefined): string =>
  (batch?.rows ?? [])
    .map((row) => JSON.stringify(row))
    .sort()
    .join();

/**
 * Looks the table up in the catalog. The fingerprint is null if the table cannot be cached: on SQL Server, or if its
 * name could come to mean another table.
 */
async function lookUp(
  connection: NamedConnection,
  name: string,
  signal: AbortSignal,
): Promise<{ table: CatalogTable; id: number; fingerprint: string | null } | null> {
  const [schema, own, ...rest] = name.split('.');
  if (connection.kind !== 'pg' || own === undefined || rest.length > 0) {
    const table = await findTable(connection, name, signal);
    return table && { table, id: 0, fingerprint: null };
  }
  const options = { signal, timeLimit: CATALOG_TIME_LIMIT };
  const [found] = await connection.readMany([{ sql: TABLE_ID_PG, values: [schema!, own] }], options);
  const id = Number(found?.rows[0]?.[0] ?? 0);
  // Read the fingerprint first: if the table changes in between, the fingerprint is outdated and the next read looks
  // the table up again.
  const queries = [fingerprintQuery(id), columnsQuery(connection, name)];
  const [print, columns] = await connection.readMany(queries, options);
  const table = tableOf(connection, columns?.rows ?? []);
  return table && fullName(table.table) === name ? { table, id, fingerprint: textOf(print) } : null;
}
