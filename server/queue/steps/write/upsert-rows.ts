/** Updates the rows whose keys exist and inserts the others. The table is locked, so the counts are exact. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { WriteTransaction } from '#server/connections/types.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import type { WrittenRows } from '#server/executors/step-services.ts';
import type { SqlKind, SqlParameter } from '#shared/codecs/query-text.ts';
import { quoteName } from '#shared/codecs/query-text.ts';
import { loadRows, quotedTable, escapePlaceholders } from './load-rows.ts';

export interface Upsert {
  target: string;
  names: readonly string[];
  keys: readonly string[];
  rows: readonly (readonly SqlParameter[])[];
}

export async function upsertRows(
  transaction: WriteTransaction,
  kind: SqlKind,
  { target, names, keys, rows }: Upsert,
): Promise<WrittenRows> {
  refuseBlankKeys(target, names, keys, rows);
  const { trx } = transaction;
  const staged = `${kind === 'mssql' ? '#' : ''}runsheet_${randomUUID().replaceAll('-', '')}`;
  const quote = (name: string): string => escapePlaceholders(quoteName(name, kind));
  const into = escapePlaceholders(quotedTable(target, kind));
  const from = quote(staged);
  await trx.raw(stagingTable(kind, from, into, names.map(quote)));
  await loadRows(transaction, staged, names, rows);
  await refuseTwins(trx, target, from, keys.map(quote));
  const same = keys.map((key) => `T.${quote(key)} = S.${quote(key)}`).join(' and ');
  const updated = await count(trx, `select count(*) as "Count" from ${into} T join ${from} S on ${same}`);
  const inserted = await count(
    trx,
    `select count(*) as "Count" from ${from} S where not exists (select 1 from ${into} T where ${same})`,
  );
  const changed = names.filter((name) => !keys.includes(name));
  if (changed.length > 0 && updated > 0) {
    const set = changed.map((name) => `${quote(name)} = S.${quote(name)}`).join(', ');
    await trx.raw(
      kind === 'pg'
        ? `update ${into} as T set ${set} from ${from} S where ${same}`
        : `update T set ${set} from ${into} T join ${from} S on ${same}`,
    );
  }
  const list = names.map(quote);
  const values = list.map((name) => `S.${name}`).join(', ');
  await trx.raw(
    `insert into ${into} (${list.join(', ')}) select ${values} from ${from} S where not exists (select 1 from ${into} T where ${same})`,
  );
  await trx.raw(`drop table ${from}`);
  return { inserted, updated: changed.length > 0 ? updated : 0, deleted: 0 };
}

/**
 * Creates a staging table with the column types of the target. On SQL Server, the union drops the identity property of
 * columns.
 */
function stagingTable(kind: SqlKind, staged: string, target: string, names: readonly string[]): string {
  const list = names.join(', ');
  if (kind === 'pg')
    return `create temporary table ${staged} on commit drop as select ${list} from ${target} where false`;
  return `select top (0) ${list} into ${staged} from ${target} union all select top (0) ${list} from ${target}`;
}

function refuseBlankKeys(
  target: string,
  names: readonly string[],
  keys: readonly string[],
  rows: Upsert['rows'],
): void {
  const keyIndexes = keys.map((key) => names.indexOf(key));
  const blank = rows.findIndex((row) => keyIndexes.some((index) => row[index] === null));
  if (blank >= 0)
    throw new StepRefused(
      'Failed',
      `Nothing was written to '${target}': row ${blank + 1} has no value in a key column`,
    );
}

async function refuseTwins(
  trx: Knex.Transaction,
  target: string,
  staged: string,
  keys: readonly string[],
): Promise<void> {
  const list = keys.join(', ');
  const twins = await count(
    trx,
    `select count(*) as "Count" from (select ${list} from ${staged} group by ${list} having count(*) > 1) K`,
  );
  if (twins > 0)
    throw new StepRefused(
      'Failed',
      `Nothing was written to '${target}': ${twins} ${twins === 1 ? 'key occurs' : 'keys occur'} in more than one row`,
    );
}

/** PostgreSQL counts in bigint, which its driver returns as text. */
async function count(trx: Knex.Transaction, sql: string): Promise<number> {
  const answer = (await trx.raw(sql)) as { rows?: { Count: number | string }[] } | { Count: number | string }[];
  const rows = Array.isArray(answer) ? answer : (answer.rows ?? []);
  return Number(rows[0]?.Count ?? 0);
}
