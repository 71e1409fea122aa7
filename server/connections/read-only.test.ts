/**
 * Whether anything can be written through a read-only connection: runs every text of ATTACK_QUERIES against a real
 * server with canary data.
 */
import type { Knex } from 'knex';
import { until } from '#test/support/until.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQueryText, bindQuery } from '#shared/codecs/query-text.ts';
import { TARGETS, type OpenTarget } from '#test/dialect/targets.ts';
import { ATTACK_QUERIES, TRANSACTION_ENDING } from '#test/support/attack-queries.ts';
import { ConnectionError } from './connection-error.ts';
import { createConnections } from './connections.ts';
import type { Connections } from './types.ts';

const never = new AbortController().signal;

const SETUP = {
  pg: [
    'create table canary (id int primary key)',
    'create sequence numbers',
    `create function wipe() returns setof int language sql as 'delete from canary returning id'`,
    `create procedure wipe_all() language sql as 'delete from canary'`,
    `create function hold_lock() returns void language sql as 'select pg_advisory_lock(8)'`,
    `create function set_by_function() returns text language sql as $$ select set_config('search_path', 'elsewhere', false) $$`,
  ],
  mssql: [
    'create table canary (id int primary key)',
    'create sequence numbers as int start with 1',
    'create procedure wipe_all as delete from canary',
  ],
};

/**
 * Returns the URL of a login that may only read. On PostgreSQL, the owner of the tables gives up its other rights,
 * because it may not create roles.
 */
async function readingLogin({
  database: { knex, dialect },
  url,
}: OpenTarget): Promise<{ url: string; undo: string[] }> {
  if (dialect.name === 'pg') {
    await knex.raw('revoke insert, update, delete, truncate on canary from current_user');
    return { url, undo: ['grant insert, update, delete, truncate on canary to current_user'] };
  }
  const address = new URL(url);
  const name = `reader_${address.pathname.slice(-6)}`;
  await knex.raw(`create login ${name} with password = 'Read-only-7'`);
  await knex.raw(`create user ${name} for login ${name}`);
  await knex.raw(`grant select on canary to ${name}`);
  address.username = name;
  address.password = 'Read-only-7';
  return {
    url: address.href,
    undo: [`revoke select on canary from ${name}`, `drop user ${name}`, `drop login ${name}`],
  };
}

/** Returns what must be unchanged after each attack. */
async function traces({ database: { knex, dialect } }: OpenTarget): Promise<unknown> {
  const ids = await knex('canary').orderBy('id').pluck('id');
  if (dialect.name === 'mssql') {
    const [sequence] = (await knex.raw(
      "select cast(current_value as int) as at from sys.sequences where name = 'numbers'",
    )) as { at: number }[];
    return { ids, sequence };
  }
  const { rows: locks } = await raw(
    knex,
    `select count(*) as n from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  );
  const { rows: sequence } = await raw(knex, 'select last_value, is_called from numbers');
  const { rows: tables } = await raw(knex, "select count(*) as n from pg_class where relname like 'canary%'");
  const { rows: objects } = await raw(knex, 'select count(*) as n from pg_largeobject_metadata');
  return { ids, locks, sequence, tables, objects };
}

const raw = (knex: Knex, sql: string): Promise<{ rows: unknown[] }> => knex.raw(sql) as never;

describe.each(TARGETS)('a connection that only reads, on $name', (target) => {
  let opened: OpenTarget;
  let connections: Connections;
  const lines: { level: number; connection?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });

  beforeAll(async () => {
    if (target.missing !== undefined) return;
    opened = await target.open();
    const { knex, dialect } = opened.database;
    for (const statement of SETUP[dialect.name]) await knex.raw(statement);
    await knex('canary').insert([1, 2, 3].map((id) => ({ id })));
    const settings = { url: opened.url, poolSize: 1, timeLimitSeconds: 20 };
    connections = createConnections({ Read: settings }, { timeZone: 'UTC', log });
  });
  afterAll(async () => {
    if (target.missing !== undefined) return;
    await connections.close();
    await opened.drop();
  });

  /** Executes a query in the same way as steps and pickers. */
  async function attack(sql: string): Promise<string> {
    const connection = connections.get('Read');
    const { problem, ...query } = parseQueryText(sql, connection.kind);
    if (problem !== null) return 'refused by us';
    const bound = bindQuery(query, connection.kind, () => null);
    return connection.readAll(bound, { signal: never }).then(
      ({ rows }) => `answered ${rows.length}`,
      (error: unknown) => (error instanceof ConnectionError ? error.kind : String(error)),
    );
  }

  it('leaves no trace of any attack, and is of use after each', async (context) => {
    context.skip(target.missing !== undefined, target.missing);
    const { name } = opened.database.dialect;
    expect(ATTACK_QUERIES[name].length).toBeGreaterThanOrEqual(60);
    const before = await traces(opened);
    for (const sql of ATTACK_QUERIES[name]) {
      const came = await attack(sql);
      expect(await traces(opened), `${JSON.stringify(sql)}: ${came}`).toEqual(before);
      expect(await attack('select count(*) as n from canary'), JSON.stringify(sql)).toBe('answered 1');
    }
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('sets an alarm where a query ends the transaction that was to take it back', async (context) => {
    context.skip(target.missing !== undefined, target.missing);
    const connection = connections.get('Read');
    for (const sql of TRANSACTION_ENDING) {
      const error = (await connection
        .readAll({ sql, values: [] }, { signal: never })
        .catch((thrown: unknown) => thrown)) as ConnectionError;
      // PostgreSQL accepts only one statement, so the next check is not needed.
      if (connection.kind === 'pg') {
        expect(error.kind).toBe('refused');
        continue;
      }
      expect(error.kind, sql).toBe('transactionLeft');
      expect(error.message).toBe(
        "A query on the connection 'Read' ended the transaction that was to take it back, so that it may have changed data: tell an administrator",
      );
      expect(lines.at(-1)).toMatchObject({ level: 50, connection: 'Read' });
      expect((await connection.readAll({ sql: 'select 1 as a', values: [] }, { signal: never })).rows).toEqual([[1]]);
    }
  });

  it('is reported in the log if its login may write', async (context) => {
    context.skip(target.missing !== undefined, target.missing);
    await connections.warnOfWritingLogins();
    expect(lines.at(-1)).toMatchObject({ level: 40, connection: 'Read' });
    const login = await readingLogin(opened);
    const own = createConnections({ Read: { url: login.url } }, { timeZone: 'UTC', log });
    const before = lines.length;
    await own.warnOfWritingLogins();
    const count = { sql: 'select count(*) as n from canary', values: [] };
    expect((await own.get('Read').readAll(count, { signal: never })).rows).toHaveLength(1);
    await own.close();
    // A login is in use until the server has noticed the end of its connection.
    for (const statement of login.undo) {
      await until(statement, () =>
        opened.database.knex.raw(statement).then(
          () => true,
          (error: Error) => {
            if (!error.message.includes('currently logged in')) throw error;
            return false;
          },
        ),
      );
    }
    expect(lines.slice(before)).toEqual([]);
  });

  it('continues with a clean session after a refused query', async (context) => {
    context.skip(target.missing !== undefined, target.missing);
    expect(await attack("select cast('x' as int) as a")).toBe('refused');
    expect(await attack('select 1 as a')).toBe('answered 1');
  });
});
