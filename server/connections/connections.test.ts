import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindQuery, parseQueryText, type BoundQuery, type SqlParameter } from '#shared/codecs/query-text.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { until } from '#test/support/until.ts';
import { ConnectionError } from './connection-error.ts';
import { createConnections } from './connections.ts';
import type { Connections, NamedConnection } from './types.ts';

let database: TestDatabase;
let connections: Connections;
let reading: NamedConnection;
let writing: NamedConnection;
const never = new AbortController().signal;

beforeAll(async () => {
  database = await testDatabase({ migrated: false, isPostgres: true });
  await database.knex.raw('create table "Orders" ("Id" int primary key, "Amount" numeric(12,2), "Day" date)');
  await database.knex.raw(
    `insert into "Orders" select n, n * 1.5, date '2026-01-01' + n from generate_series(1, 5000) n`,
  );
  connections = createConnections(
    {
      Warehouse: { url: database.url, maxRows: 6000 },
      Ledger: { url: database.url, allowWrites: true },
      Away: { url: 'postgres://nobody:hidden@127.0.0.1:9/none' },
      Short: { url: database.url, timeLimitSeconds: 1 },
    },
    { timeZone: 'Europe/Berlin' },
  );
  reading = connections.get('warehouse');
  writing = connections.get('Ledger');
});
afterAll(async () => {
  await connections.close();
  await database.drop();
});

const query = (sql: string, values: Record<string, SqlParameter> = {}): BoundQuery =>
  bindQuery(parseQueryText(sql, 'pg'), 'pg', (name) => values[name] ?? null);

async function faultOf(work: Promise<unknown>): Promise<ConnectionError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConnectionError);
  return error as ConnectionError;
}

async function sleepers(): Promise<number> {
  const { rows } = (await database.knex.raw(
    `select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
  )) as { rows: { n: number }[] };
  return rows[0]!.n;
}

describe('a named connection', () => {
  it('answers values as cells hold them', async () => {
    const sql = `select 12.5::numeric as n, 9007199254740993 as big, true as b, null::text as nothing, 'x' as t,
      date '2026-01-05' as d, timestamp '2026-01-05 12:00' as ts, timestamptz '2026-01-05 11:00+00' as tz, time '06:00' as h,
      'infinity'::date as never, '{"a": 1}'::jsonb as j`;
    const { columns, rows } = await reading.readAll(query(sql), { signal: never });
    expect(columns.map(({ kind }) => kind).join()).toBe(
      'Number,Number,Boolean,Text,Text,Date,Date,Date,Date,Date,Text',
    );
    // 11:00 UTC is noon in Berlin.
    expect(rows).toEqual([
      [12.5, 9007199254740992, true, null, 'x', 46027, 46027.5, 46027.5, 0.25, 'infinity', '{"a": 1}'],
    ]);
  });

  it('binds values by the type of their place, and never pastes them', async () => {
    const sql =
      'select "Id" from "Orders" where "Amount" > @Least and "Day" = @Day and @Text = \'\'\'; drop table "Orders"\'';
    const Text = `'; drop table "Orders"`;
    const values = { Least: 3, Day: new Date(Date.UTC(2026, 0, 11)), Text };
    expect((await reading.readAll(query(sql, values), { signal: never })).rows).toEqual([[10]]);
  });

  it('streams a result in batches', async () => {
    let batches = 0;
    let count = 0;
    for await (const { rows } of reading.read(query('select * from "Orders"'), { signal: never })) {
      batches += 1;
      count += rows.length;
    }
    expect([batches, count]).toEqual([5, 5000]);
    for await (const { columns, rows } of reading.read(query('select "Id" from "Orders" where false'), {
      signal: never,
    })) {
      expect([columns, rows]).toEqual([[{ name: 'Id', kind: 'Number', bits: 32 }], []]);
    }
  });

  it('gives its connection back when the reader stops early', async () => {
    for (let times = 0; times < 10; times++) {
      for await (const { rows } of reading.read(query('select * from "Orders"'), { signal: never })) {
        expect(rows).toHaveLength(1000);
        break;
      }
    }
  });

  it('ends the statement in the database when it is cancelled', async () => {
    const stopping = new AbortController();
    const work = faultOf(reading.readAll(query('select pg_sleep(61)'), { signal: stopping.signal }));
    await until('the statement to run', async () => (await sleepers()) === 1);
    stopping.abort();
    expect((await work).kind).toBe('cancelled');
    await until('the statement to end', async () => (await sleepers()) === 0);
    expect((await reading.readAll(query('select 1'), { signal: never })).rows).toEqual([[1]]);
  });

  it('ends a query after its time, and one with too many rows', async () => {
    const short = await faultOf(connections.get('short').readAll(query('select pg_sleep(61)'), { signal: never }));
    expect([short.kind, short.message]).toEqual([
      'timeLimit',
      "A query on the connection 'Short' took longer than 1 s",
    ]);
    const many = await faultOf(reading.readAll(query('select generate_series(1, 7000)'), { signal: never }));
    expect([many.kind, many.message]).toEqual([
      'tooManyRows',
      "A query on the connection 'Warehouse' returns more than 6,000 rows",
    ]);
    const two = await faultOf(reading.readAll(query('select 1 union select 2'), { signal: never, maxRows: 1 }));
    expect(two.message).toBe("A query on the connection 'Warehouse' returns more than 1 row");
  });

  it.each([
    'delete from "Orders" returning "Id"',
    'with gone as (delete from "Orders" returning "Id") select * from gone',
    `select nextval('s')`,
    'select 1; commit; drop table "Orders"',
  ])('never writes while reading: %s', async (sql) => {
    await database.knex.raw('create sequence if not exists s');
    const { kind } = await faultOf(writing.readAll({ sql, values: [] }, { signal: never }));
    expect(kind).toBe('refused');
    expect(await database.knex('Orders').count({ n: '*' })).toEqual([{ n: 5000 }]);
  });

  it('says what is wrong without its address', async () => {
    expect((await faultOf(Promise.resolve().then(() => connections.get('Elsewhere')))).message).toBe(
      "There is no connection named 'Elsewhere' on this server",
    );
    const away = await faultOf(connections.get('Away').readAll(query('select 1'), { signal: never }));
    expect([away.kind, away.message]).toEqual([
      'unreachable',
      "The database of the connection 'Away' cannot be reached",
    ]);
    const wrong = await faultOf(reading.readAll(query('select "Nothing" from "Orders"'), { signal: never }));
    expect(wrong.message).toMatch(/rejected the query: .*"Nothing" does not exist/);
  });

  it('writes in one transaction where it may', async () => {
    const { knex } = database;
    expect((await faultOf(reading.write(async () => 1, { signal: never }))).kind).toBe('readOnly');
    const columns = await writing.write(
      async ({ trx, columnsOf }) => {
        await trx('Orders').where('Id', 1).update({ Amount: 7 });
        return columnsOf('public.Orders');
      },
      { signal: never },
    );
    expect(columns.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['Id Number', 'Amount Number', 'Day Date']);
    expect(await knex('Orders').where('Id', 1).first('Amount')).toEqual({ Amount: 7 });

    const own = new Error('mine');
    const failing = writing.write(
      async ({ trx }) => {
        await trx('Orders').where('Id', 1).update({ Amount: 8 });
        throw own;
      },
      { signal: never },
    );
    await expect(failing).rejects.toBe(own);
    expect(await knex('Orders').where('Id', 1).first('Amount')).toEqual({ Amount: 7 });
  });

  it('ends a write in the database when it is cancelled', async () => {
    const stopping = new AbortController();
    const work = faultOf(writing.write(async ({ trx }) => trx.raw('select pg_sleep(61)'), { signal: stopping.signal }));
    await until('the statement to run', async () => (await sleepers()) === 1);
    stopping.abort();
    expect((await work).kind).toBe('cancelled');
    await until('the statement to end', async () => (await sleepers()) === 0);
  });
});

describe('createConnections', () => {
  it('takes the password from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runsheet-connections-'));
    const passwordFile = join(folder, 'password');
    const url = new URL(database.url);
    writeFileSync(passwordFile, `${decodeURIComponent(url.password)}\n`);
    url.password = '';
    const made = createConnections({ Filed: { url: url.href, passwordFile } }, { timeZone: 'UTC' });
    expect((await made.get('Filed').readAll(query('select 1'), { signal: never })).rows).toEqual([[1]]);
    await made.close();
    rmSync(folder, { recursive: true });
    const gone = { url: url.href, passwordFile };
    expect(() => createConnections({ Filed: gone }, { timeZone: 'UTC' })).toThrow(/Filed cannot be read from .*ENOENT/);
  });
});
