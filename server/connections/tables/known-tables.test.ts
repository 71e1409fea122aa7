/** Cached tables never outlive changes to them. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bindFragments, type BoundQuery } from '#shared/codecs/query-text.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';
import { createConnections } from '../connections.ts';
import type { Connections, NamedConnection } from '../types.ts';
import { readTable } from './known-tables.ts';
import { pageSql } from './page-sql.ts';
import type { CatalogTable } from './types.ts';

let made: TestDatabase;
let connections: Connections;
let connection: NamedConnection;
/** Number of queries sent to the connection. */
let asked: { alone: number; many: number };

const never = new AbortController().signal;

beforeAll(async () => {
  made = await testDatabase({ migrated: false, isPostgres: true });
});
beforeEach(async () => {
  const { knex } = made;
  await knex.raw('drop table if exists things cascade');
  await knex.raw('create table things (id int primary key, flag int, note text)');
  await knex.raw(`insert into things values (1, 1, 'a'), (2, 0, 'b')`);
  await connections?.close();
  connections = createConnections({ Shop: { url: made.url, poolSize: 1 } }, { timeZone: 'UTC' });
  const shop = connections.get('Shop');
  asked = { alone: 0, many: 0 };
  connection = {
    ...shop,
    readAll: (query, options) => ((asked.alone += 1), shop.readAll(query, options)),
    readMany: (queries, options) => ((asked.many += 1), shop.readMany(queries, options)),
  };
});
afterAll(async () => {
  await connections.close();
  await made.drop();
});

const everyRow = (table: CatalogTable): BoundQuery =>
  bindFragments(
    pageSql(
      { table, columns: table.columns, filters: [], conditions: [], sort: [], after: null, limit: 10, cutAt: 100 },
      'pg',
    ),
    'pg',
  );

async function read(): Promise<string> {
  const answer = await readTable(connection, 'public.things', { signal: never }, everyRow);
  if (!answer) return 'none';
  const { table, batch } = answer;
  const names = table.columns.map(({ name }) => name).join();
  const key = table.key.map(({ name }) => name).join();
  return `${names} by ${key}: ${batch.rows.map((row) => row.slice(0, table.columns.length).join()).join(' ')}`;
}

it('a table that has not changed is read in one round trip', async () => {
  expect(await read()).toBe('id,flag,note by id: 1,1,a 2,0,b');
  asked = { alone: 0, many: 0 };
  expect(await read()).toBe('id,flag,note by id: 1,1,a 2,0,b');
  expect(asked).toEqual({ alone: 0, many: 1 });
});

it.each([
  [
    'has another type',
    'alter table things alter flag type boolean using flag = 1',
    'id,flag,note by id: 1,TRUE,a 2,FALSE,b',
  ],
  ['was added', 'alter table things add more int default 7', 'id,flag,note,more by id: 1,1,a,7 2,0,b,7'],
  ['is gone', 'alter table things drop flag', 'id,note by id: 1,a 2,b'],
  ['is named otherwise', 'alter table things rename flag to mark', 'id,mark,note by id: 1,1,a 2,0,b'],
])('a column that %s is seen at the next read', async (_, change, expected) => {
  await read();
  await made.knex.raw(change);
  expect(await read()).toBe(expected);
  expect(await read()).toBe(expected);
});

it('a key that is lost or found is so at the next read', async () => {
  await read();
  await made.knex.raw('alter table things drop constraint things_pkey');
  expect(await read()).toBe('id,flag,note by : 1,1,a 2,0,b');
  await made.knex.raw('alter table things alter note set not null, add unique (note)');
  expect(await read()).toBe('id,flag,note by note: 1,1,a 2,0,b');
  await made.knex.raw('create table children () inherits (things)');
  expect(await read()).toBe('id,flag,note by : 1,1,a 2,0,b');
});

it('another table of the name is read as what it is, and none as none', async () => {
  await read();
  await made.knex.raw('alter table things rename to others');
  expect(await read()).toBe('none');
  await made.knex.raw(`create table things as select true as id, 'x' as note`);
  expect(await read()).toBe('id,note by : TRUE,x');
  await made.knex.raw('drop table others');
});

it('a table that changes while a read waits for it is read as it has become', async () => {
  await read();
  const changing = await made.knex.transaction();
  await changing.raw('alter table things alter flag type boolean using flag = 1');
  const reading = read();
  await until('the read to wait', async () => {
    const { rows } = (await made.knex.raw(
      `select 1 from pg_locks where not granted and relation = 'things'::regclass`,
    )) as {
      rows: unknown[];
    };
    return rows.length > 0;
  });
  await changing.commit();
  expect(await reading).toBe('id,flag,note by id: 1,TRUE,a 2,FALSE,b');
});

it('rights of the login hold at the next read, those taken and those given', async () => {
  await read();
  await made.knex.raw(`revoke select on things from current_user`);
  expect(await read()).toBe('none');
  await made.knex.raw(`grant select (id, note) on things to current_user`);
  expect(await read()).toBe('id,note by id: 1,a 2,b');
  await made.knex.raw(`grant select on things to current_user`);
  expect(await read()).toBe('id,flag,note by id: 1,1,a 2,0,b');
});

it('queries that are asked together cannot write, and leave nothing in the session', async () => {
  const ask = (...sql: string[]) =>
    connection.readMany(
      sql.map((one) => ({ sql: one, values: [] })),
      { signal: never },
    );
  await made.knex.raw(
    `create or replace function meddle() returns int language plpgsql as $$ begin delete from things; return 1; end $$`,
  );
  await expect(ask('select 1', 'select meddle()')).rejects.toThrow('read-only transaction');
  await expect(ask('select 1; drop table things')).rejects.toThrow('cannot insert multiple commands');
  await expect(ask('delete from things returning id')).rejects.toThrow('rejected');
  await ask(`select set_config('search_path', 'nowhere', false), pg_advisory_lock(4711)`);
  const [first, second] = await ask(`select current_setting('search_path')`, 'select count(*) from public.things');
  expect([first!.rows, second!.rows]).toEqual([[['"$user", public']], [[2]]]);
  const locks = (await made.knex.raw(
    `select 1 from pg_locks where locktype = 'advisory' and objid = 4711
     and database = (select oid from pg_database where datname = current_database())`,
  )) as { rows: unknown[] };
  expect(locks.rows).toEqual([]);
  const few = { signal: never, maxRows: 3 };
  const many = connection.readMany([{ sql: 'select generate_series(1, 1000)', values: [] }], few);
  await expect(many).rejects.toThrow('more than 3 rows');
});

it('a user who leaves ends them in the database, and the connection serves the next user', async () => {
  const leaving = new AbortController();
  const query = { sql: 'select pg_sleep(61)', values: [] };
  const left = connection.readMany([query, query], { signal: leaving.signal }).catch((error: Error) => error.message);
  const sleeping = async (): Promise<boolean> => {
    const sql = `select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`;
    return ((await made.knex.raw(sql)) as { rows: unknown[] }).rows.length > 0;
  };
  await until('the statement to run', sleeping);
  leaving.abort();
  expect(await left).toContain('was cancelled');
  await until('the statement to end', async () => !(await sleeping()));
  expect(await read()).toBe('id,flag,note by id: 1,1,a 2,0,b');
});
