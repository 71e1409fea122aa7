/**
 * Loads many rows into a table within a transaction: with COPY on PostgreSQL, and with lists of values within its
 * limits on SQL Server.
 */
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { WriteTransaction } from '#server/connections/types.ts';
import type { SqlParameter } from '#shared/codecs/query-text.ts';
import { quoteName } from '#shared/codecs/query-text.ts';

/** Returns the table name with its schema, quoted. */
export function quotedTable(table: string, kind: 'pg' | 'mssql'): string {
  return table
    .split('.')
    .map((part) => quoteName(part, kind))
    .join('.');
}

export async function loadRows(
  { trx, dialect }: WriteTransaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlParameter[])[],
): Promise<void> {
  if (rows.length === 0) return;
  if (dialect.name === 'pg') return copyRows(trx, table, columns, rows);
  const limit = Math.min(dialect.maxRows, Math.floor(dialect.maxBindings / columns.length));
  for (let start = 0; start < rows.length; start += limit) {
    await insertRows(trx, table, columns, rows.slice(start, start + limit));
  }
}

/** Writes the SQL as text, because Knex would split a column name at its dots. */
async function insertRows(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlParameter[])[],
): Promise<void> {
  const names = columns.map((name) => quoteName(name, 'mssql')).join(', ');
  // NULL is written as a literal: varbinary columns reject an nvarchar NULL parameter.
  const valueLists = rows.map((row) => `(${row.map((value) => (value === null ? 'null' : '?')).join(', ')})`);
  const values = rows.flat().filter((value) => value !== null);
  await trx.raw(
    `insert into ${escapePlaceholders(quotedTable(table, 'mssql'))} (${escapePlaceholders(names)}) values ${valueLists.join(', ')}`,
    values.map((value) => (value instanceof Date ? wallTime(value) : value)),
  );
}

/** Escapes question marks in names, which Knex would otherwise take for placeholders. */
export function escapePlaceholders(sql: string): string {
  return sql.replaceAll('?', '\\?');
}

/** Returns a date and time without a zone. All date types accept this format, in every language setting. */
function wallTime(date: Date): string {
  return date.toISOString().slice(0, -1);
}

/** COPY text is buffered up to this many characters before it is sent. */
const CHUNK = 64 * 1024;

/** Sends each value as text, which the server reads as the column's own type. Numbers thus lose no digits. */
async function copyRows(
  trx: Knex.Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlParameter[])[],
): Promise<void> {
  const client = await (trx.client as { acquireConnection(): Promise<Client> }).acquireConnection();
  const names = columns.map((name) => quoteName(name, 'pg')).join(', ');
  const target = client.query(copyFrom(`copy ${quotedTable(table, 'pg')} (${names}) from stdin`));
  await pipeline(Readable.from(chunks(rows)), target);
}

function* chunks(rows: readonly (readonly SqlParameter[])[]): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += `${row.map(copyText).join('\t')}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Source: PostgreSQL documentation, COPY, 'Text Format'. */
function copyText(value: SqlParameter): string {
  if (value === null) return '\\N';
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (typeof value === 'number') return String(value);
  // PostgreSQL cannot store NUL characters in text.
  return value.replaceAll('\0', '').replaceAll(/[\\\n\r\t]/g, (letter) => ESCAPES[letter]!);
}
