/**
 * Reads tables by what is already known of them. The catalog of PostgreSQL takes longer to say what a table is than to give its first rows,
 * so what it said is kept, and its fingerprint is compared in the transaction that reads the rows, while the table is locked against changes:
 * rows of a table that has become another are never answered (docs/decisions/0061-table-views-by-key.md).
 */
import type { BoundQuery } from '#shared/codecs/query-text.ts';
import { ConnectionError } from '../connection-error.ts';
import type { NamedConnection, ReadOptions, ResultBatch } from '../types.ts';
import { columnsQuery, findTable, tableOf } from './catalog.ts';
import { FINGERPRINT_PG, TABLE_ID_PG } from './catalog-pg.ts';
import { fullName, type CatalogTable } from './types.ts';

/** Tables of a connection that are kept, the last used ones. */
const MOST_KNOWN = 1000;
/** Milliseconds. */
const CATALOG_TIME_LIMIT = 20_000;

interface KnownTable {
  table: CatalogTable;
  /** Of PostgreSQL's pg_class. */
  id: number;
  fingerprint: string;
}

/** By the object of the connection, which lives as long as its settings. */
const known = new WeakMap<NamedConnection, Map<string, KnownTable>>();

/**
 * The table of that full name with what a query for it answers; null where there is none, as findTable says.
 * @param queryOf makes the query. It is called once more where the table turns out to have changed; what it throws then is thrown.
 */
export async function readTable(
  connection: NamedConnection,
  name: string,
  options: ReadOptions,
  queryOf: (table: CatalogTable) => BoundQuery,
): Promise<{ table: CatalogTable; batch: ResultBatch } | null> {
  const tables = knownTables(connection);
  const kept = tables.get(name);
  if (kept) {
    const read = await readKnown(connection, kept, options, queryOf);
    tables.delete(name);
    if (read) {
      // Behind those that were used before.
      tables.set(name, kept);
      return { table: kept.table, batch: read };
    }
  }
  const found = await lookUp(connection, name, options.signal);
  if (!found) return null;
  if (found.fingerprint !== null) keep(tables, name, { ...found, fingerprint: found.fingerprint });
  const [batch] = await connection.readTogether([queryOf(found.table)], options);
  return { table: found.table, batch: batch! };
}

function knownTables(connection: NamedConnection): Map<string, KnownTable> {
  const tables = known.get(connection) ?? new Map<string, KnownTable>();
  known.set(connection, tables);
  return tables;
}

function keep(tables: Map<string, KnownTable>, name: string, table: KnownTable): void {
  tables.set(name, table);
  const [oldest] = tables.keys();
  if (tables.size > MOST_KNOWN && oldest !== undefined) tables.delete(oldest);
}

/** Null where the table is another by now. */
async function readKnown(
  connection: NamedConnection,
  { table, id, fingerprint }: KnownTable,
  options: ReadOptions,
  queryOf: (table: CatalogTable) => BoundQuery,
): Promise<ResultBatch | null> {
  try {
    const [batch, now] = await connection.readTogether([queryOf(table), fingerprintQuery(id)], options);
    return batch && textOf(now) === fingerprint ? batch : null;
  } catch (error) {
    // A column that is gone, or one that a filter names and that was added: what is wrong is told of the table as it is now.
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

/** The fingerprint is null where the table cannot be kept: on SQL Server, or where its name can mean another one by and by. */
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
  const [found] = await connection.readTogether([{ sql: TABLE_ID_PG, values: [schema!, own] }], options);
  const id = Number(found?.rows[0]?.[0] ?? 0);
  // The fingerprint first: where the table changes in between, it is an old one, and the next read looks again.
  const queries = [fingerprintQuery(id), columnsQuery(connection, name)];
  const [print, columns] = await connection.readTogether(queries, options);
  const table = tableOf(connection, columns?.rows ?? []);
  return table && fullName(table.table) === name ? { table, id, fingerprint: textOf(print) } : null;
}
