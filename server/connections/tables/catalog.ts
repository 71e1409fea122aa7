/** Tables of a named connection. All functions throw ConnectionError. */
import type { BoundQuery } from '#shared/codecs/query-text.ts';
import type { NamedConnection, ResultValue } from '../types.ts';
import { COLUMNS_MSSQL, columnOfMssql, LIST_MSSQL } from './catalog-mssql.ts';
import { COLUMNS_PG, columnOfPg, LIST_PG } from './catalog-pg.ts';
import type { CatalogColumn, CatalogTable, TableName } from './types.ts';

/** Milliseconds; a person waits for it. */
const TIME_LIMIT = 20_000;

type Cells = readonly ResultValue[];

/** Lists the tables and views that the connection's login may read, by schema and name. */
export async function listTables(connection: NamedConnection, signal: AbortSignal): Promise<TableName[]> {
  const sql = connection.kind === 'pg' ? LIST_PG : LIST_MSSQL;
  const { rows } = await connection.readAll({ sql, values: [] }, { signal, timeLimit: TIME_LIMIT });
  return rows.map(([schema, name]) => ({ schema: String(schema), name: String(name) }));
}

/**
 * Returns the table with that full name; null if there is none, or if the name is ambiguous because names contain dots.
 */
export async function findTable(
  connection: NamedConnection,
  name: string,
  signal: AbortSignal,
): Promise<CatalogTable | null> {
  const { rows } = await connection.readAll(columnsQuery(connection, name), { signal, timeLimit: TIME_LIMIT });
  return tableOf(connection, rows);
}

/** The query whose rows tableOf reads. */
export const columnsQuery = ({ kind }: Pick<NamedConnection, 'kind'>, name: string): BoundQuery => ({
  sql: kind === 'pg' ? COLUMNS_PG : COLUMNS_MSSQL,
  values: [name],
});

export function tableOf({ kind }: Pick<NamedConnection, 'kind'>, rows: readonly Cells[]): CatalogTable | null {
  const isPg = kind === 'pg';
  const found = rows.map((cells) => (isPg ? readPg(cells) : readMssql(cells)));
  const [first] = found;
  if (!first || found.some(({ table }) => table.schema !== first.table.schema)) return null;
  const columns = found.map(({ column }) => column);
  const keyed = found.filter(({ keyPosition }) => keyPosition !== null).sort((a, b) => a.keyPosition! - b.keyPosition!);
  // If a part of the key may not be read or cannot be sorted, the rows cannot be identified.
  const isComplete = keyed.length === keyed[0]?.keyLength;
  const key = keyed.map(({ column }) => column);
  return { table: first.table, columns, key: isComplete && key.every(({ canSort }) => canSort) ? key : [] };
}

interface ReadColumn {
  table: TableName;
  column: CatalogColumn;
  /** Position of the column in the key. */
  keyPosition: number | null;
  /** Number of columns in the key. */
  keyLength: number | null;
}

const numberOf = (value: ResultValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

function readPg([
  schema,
  table,
  name,
  type,
  baseType,
  category,
  isNullable,
  keyPosition,
  keyLength,
]: Cells): ReadColumn {
  const described = { baseType: String(baseType), category: String(category), isNullable: isNullable === true };
  return {
    table: { schema: String(schema), name: String(table) },
    column: columnOfPg(String(name), String(type), described),
    keyPosition: numberOf(keyPosition),
    keyLength: numberOf(keyLength),
  };
}

function readMssql(cells: Cells): ReadColumn {
  const [schema, table, name, typeName, isNullable, keyPosition, keyLength, maxLength, precision, scale, isAssembly] =
    cells;
  return {
    table: { schema: String(schema), name: String(table) },
    column: columnOfMssql(String(name), {
      typeName: String(typeName),
      isNullable: isNullable === true,
      maxLength: Number(maxLength),
      precision: Number(precision),
      scale: Number(scale),
      isAssembly: isAssembly === true,
    }),
    keyPosition: numberOf(keyPosition),
    keyLength: numberOf(keyLength),
  };
}
