/**
 * Writes tables of workbooks into database tables. Either all rows are written or none, and the numbers of rows are
 * exact.
 */
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { WriteTransaction } from '#server/connections/types.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import type { StepWrite, WrittenRows } from '#server/executors/step-services.ts';
import type { SqlKind, SqlParameter } from '#shared/codecs/query-text.ts';
import { stepRefusal } from '#server/queue/steps/step-query.ts';
import { columnValue } from './column-values.ts';
import type { CatalogColumn } from './column-values.ts';
import { loadRows, quotedTable, escapePlaceholders } from './load-rows.ts';
import { upsertRows } from './upsert-rows.ts';

/** Maximum number of bad cells listed in the message. */
const MAX_LISTED_CELLS = 10;

export async function writeStepRows(
  access: ConnectionAccess,
  person: Holder,
  step: StepWrite,
  signal: AbortSignal,
): Promise<WrittenRows> {
  try {
    const connection = await access.require(person, step.connection);
    const options = { signal, ...(step.timeLimit === undefined ? {} : { timeLimit: step.timeLimit }) };
    return await connection.write((transaction) => writeRows(transaction, connection.kind, step), options);
  } catch (error) {
    throw stepRefusal(error, signal);
  }
}

async function writeRows(transaction: WriteTransaction, kind: SqlKind, step: StepWrite): Promise<WrittenRows> {
  const catalog = await transaction.columnsOf(step.target);
  const columns = targetColumns(step, catalog);
  const rows = typedRows(step, columns);
  const names = columns.map(({ name }) => name);
  const { mode, target } = step;
  if (mode === 'Append') {
    await loadRows(transaction, target, names, rows);
    return { inserted: rows.length, updated: 0, deleted: 0 };
  }
  await lockTable(transaction, target, kind);
  if (mode === 'Upsert') return upsertRows(transaction, kind, { target, names, keys: keysOf(step, columns), rows });
  const deleted = await transaction.trx(target).delete();
  await loadRows(transaction, target, names, rows);
  return { inserted: rows.length, updated: 0, deleted };
}

/**
 * Locks the table. Others can still read it (on SQL Server only if READ_COMMITTED_SNAPSHOT is on), but their writes
 * wait, so the counted rows stay correct. The statement for SQL Server must be able to return a row: otherwise SQL
 * Server neither reads nor locks the table.
 */
async function lockTable({ trx }: WriteTransaction, target: string, kind: SqlKind): Promise<void> {
  const table = escapePlaceholders(quotedTable(target, kind));
  if (kind === 'pg') await trx.raw(`lock table ${table} in share row exclusive mode`);
  else await trx.raw(`select top (1) 1 as Locked from ${table} with (tablockx, holdlock)`);
}

const plain = (name: string): string => name.trim().replaceAll(/\W+/gu, '_').toLowerCase();

function columnNamed(name: string, catalog: readonly CatalogColumn[]): CatalogColumn | undefined {
  const lower = name.trim().toLowerCase();
  return (
    catalog.find((column) => column.name === name.trim()) ??
    catalog.find((column) => column.name.toLowerCase() === lower) ??
    catalog.find((column) => plain(column.name) === plain(name))
  );
}

function targetColumns({ columns, target }: StepWrite, catalog: readonly CatalogColumn[]): CatalogColumn[] {
  if (catalog.length === 0) throw new StepRefused('LogicError', `There is no table '${target}' in the database`);
  const missing = columns.filter((name) => !columnNamed(name, catalog));
  if (missing.length > 0) {
    const has = catalog.map(({ name }) => `'${name}'`).slice(0, 30);
    const what = missing.map((name) => `'${name}'`).join(', ');
    throw new StepRefused('LogicError', `The table '${target}' has no column ${what}; it has ${has.join(', ')}`);
  }
  const found = columns.map((name) => columnNamed(name, catalog)!);
  const twice = found.find((column, index) => found.indexOf(column) !== index);
  if (twice) throw new StepRefused('LogicError', `Two columns are written into '${twice.name}' of '${target}'`);
  return found;
}

function keysOf({ keys, columns, target }: StepWrite, found: readonly CatalogColumn[]): string[] {
  return keys.map((key) => {
    const index = columns.findIndex((name) => name.toLowerCase() === key.toLowerCase());
    if (index < 0) throw new StepRefused('LogicError', `The key column '${key}' is not written into '${target}'`);
    return found[index]!.name;
  });
}

/** Reports all cells that do not fit; in this case nothing is written. */
function typedRows({ rows, columns, dates, target }: StepWrite, catalog: readonly CatalogColumn[]): SqlParameter[][] {
  const problems: string[] = [];
  const typed = rows.map((row, y) =>
    row.map((cell, x): SqlParameter => {
      const value = columnValue(cell, catalog[x]!.kind, dates[x] ?? false);
      if (typeof value !== 'object' || value === null || value instanceof Date) return value;
      problems.push(`row ${y + 1}, column '${columns[x]}': ${value.problem}`);
      return null;
    }),
  );
  if (problems.length === 0) return typed;
  const more = problems.length > MAX_LISTED_CELLS ? `; and ${problems.length - MAX_LISTED_CELLS} more` : '';
  throw new StepRefused(
    'Failed',
    `Nothing was written to '${target}': ${problems.slice(0, MAX_LISTED_CELLS).join('; ')}${more}`,
  );
}
