/** Reads all rows of a PostgreSQL database as of one point in time, and loads them into an empty database. */
import type { Readable, Writable } from 'node:stream';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CopiedTable, Loading, Sequence, Snapshot } from './types.ts';

const TABLES = `
select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
from pg_class c join pg_attribute a on a.attrelid = c.oid
where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
group by c.relname order by c.relname`;

const SEQUENCES = `
select sequencename as name from pg_sequences where schemaname = current_schema() order by sequencename`;

const FOREIGN_KEYS = `
select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace order by oid`;

/** Values are written in formats that any server reads back identically, and no limit of the login ends a long copy. */
const SETTINGS = [
  "set local datestyle = 'ISO'",
  "set local timezone = 'UTC'",
  'set local extra_float_digits = 3',
  'set local statement_timeout = 0',
  'set local lock_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
];

const connectionOf = (trx: Knex.Transaction): Promise<Client> =>
  (trx.client as { acquireConnection(): Promise<Client> }).acquireConnection();

/**
 * Runs `work` with a view of all rows as of one point in time, while others continue to write. The tables are locked
 * against changes of their structure, because a table rewritten by a migration appears empty to an older snapshot.
 */
export async function withSnapshot<T>(knex: Knex, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const names = await listTables(knex);
  const readInSnapshot = async (trx: Knex.Transaction): Promise<T> => {
    const client = await connectionOf(trx);
    for (const setting of SETTINGS) await client.query(setting);
    // Before the first query, which fixes the point in time.
    const locked = names.map((name) => client.escapeIdentifier(name)).join(', ');
    if (locked !== '') await client.query(`lock table ${locked} in access share mode`);
    const { rows } = await client.query<CopiedTable>(TABLES);
    return work({
      db: trx,
      tables: rows,
      // Read after the snapshot was taken, so each sequence is at least as far as the rows.
      sequences: () => readSequences(client),
      read: (table): Readable => client.query(copyTo(`copy ${listed(client, table)} to stdout`)),
    });
  };
  return knex.transaction(readInSnapshot, { isolationLevel: 'repeatable read', readOnly: true });
}

async function readSequences(client: Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(SEQUENCES);
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const state = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${client.escapeIdentifier(name)}`,
    );
    sequences.push({ name, ...state.rows[0]! });
  }
  return sequences;
}

const listed = (client: Client, { name, columns }: CopiedTable): string =>
  `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`;

/**
 * Runs `work`, which writes all tables, in one transaction; existing rows are deleted first. The database checks
 * foreign keys when all rows are present, because the foreign keys form cycles.
 */
export function loadSnapshot(knex: Knex, work: (loading: Loading) => Promise<void>): Promise<void> {
  return knex.transaction(async (trx) => {
    const client = await connectionOf(trx);
    for (const setting of SETTINGS) await client.query(setting);
    const { rows: tables } = await client.query<CopiedTable>(TABLES);
    const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS);
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
    const names = tables.map(({ name }) => client.escapeIdentifier(name));
    if (names.length > 0) await client.query(`truncate ${names.join(', ')}`);
    await work({
      tables,
      write: (table): Writable => client.query(copyFrom(`copy ${listed(client, table)} from stdin`)),
      setSequence: async ({ name, last, called }) => {
        await client.query('select setval($1::regclass, $2::bigint, $3)', [
          client.escapeIdentifier(name),
          last,
          called,
        ]);
      },
    });
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
    for (const name of names) await client.query(`analyze ${name}`);
  });
}

export async function listTables(knex: Knex): Promise<string[]> {
  const { rows } = (await knex.raw(TABLES)) as { rows: CopiedTable[] };
  return rows.map(({ name }) => name);
}
