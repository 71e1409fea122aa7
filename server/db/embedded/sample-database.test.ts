import { Client } from 'pg';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { query, sampleCluster, settled } from '#test/support/sample-cluster.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { until } from '#test/support/until.ts';
import { withClient } from './provision.ts';
import { fillSampleDatabase, provisionSampleDatabase } from './sample-database.ts';

const never = new AbortController().signal;
const cluster = sampleCluster();
const { asSuperuser, asLogin, state, filling } = cluster;

const urlOf = (database: string): string => {
  const changed = new URL(cluster.url());
  changed.pathname = `/${database}`;
  return changed.href;
};

describe('the filling of the sample database', () => {
  beforeEach(async () => {
    await asSuperuser('drop schema if exists shop cascade');
  });

  it('makes all of it once, also where two are at it', async () => {
    const made = await Promise.all([
      fillSampleDatabase(cluster.server(), never),
      fillSampleDatabase(cluster.server(), never),
    ]);
    expect(made.toSorted()).toEqual([false, true]);
    expect(await state()).toBe('all');
    await asSuperuser("update shop.orders set product = 'Mine' where order_id = 1");
    expect(await fillSampleDatabase(cluster.server(), never)).toBe(false);
    expect((await asSuperuser('select product from shop.orders where order_id = 1')).rows).toEqual([
      { product: 'Mine' },
    ]);
  });

  it.runIf(isFullSet)(
    'leaves nothing when the portal stops in the middle, and makes all of it at the next start',
    async () => {
      const stopping = new AbortController();
      const filled = settled(fillSampleDatabase(cluster.server(), stopping.signal));
      await filling();
      stopping.abort();
      expect(await filled).toBe('failed');
      expect(await state()).toBe('nothing');
      expect(await fillSampleDatabase(cluster.server(), never)).toBe(true);
      expect(await state()).toBe('all');
    },
  );

  it.runIf(isFullSet)('continues after any part of database and login that an interrupted start has made', async () => {
    await asSuperuser('drop database samples with (force)', 'postgres');
    expect(await provisionSampleDatabase(cluster.server())).toBe(cluster.url());
    await asSuperuser('drop database samples with (force)', 'postgres');
    await asSuperuser('drop role samples', 'postgres');
    expect(await provisionSampleDatabase(cluster.server())).toBe(cluster.url());
    expect(await fillSampleDatabase(cluster.server(), never)).toBe(true);
    expect((await asLogin('select count(*)::int as n from shop.orders')).rows).toEqual([{ n: 200_000 }]);
  });
});

describe('the login of the sample database', () => {
  beforeAll(async () => {
    await fillSampleDatabase(cluster.server(), never);
    await asSuperuser('create database restored_backup', 'postgres');
    await provisionSampleDatabase(cluster.server());
  });

  it.each(['runsheet', 'postgres', 'template1', 'restored_backup'])(
    'cannot connect to the database %s',
    async (name) => {
      await expect(query(urlOf(name), 'select 1')).rejects.toThrow(`permission denied for database "${name}"`);
      expect((await query(cluster.server().adminUrl(name), 'select 1 as one')).rows).toEqual([{ one: 1 }]);
    },
  );

  it('leaves the portal its own database', async () => {
    expect((await query(cluster.server().url, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it.each([
    "copy (select 1) to '/tmp/runsheet-sample'",
    "copy (select 1) to program 'touch /tmp/runsheet-sample'",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "select lo_from_bytea(0, 'x')",
    'select lo_create(0)',
    'create role other',
    'create role other superuser',
    'alter role samples superuser',
    'alter role samples createdb',
    'set role postgres',
    'set role samples_owner',
    'set role runsheet',
    'set session authorization postgres',
    'create database other',
    'create extension file_fdw schema shop',
    "alter system set shared_buffers = '1MB'",
    "set temp_file_limit = '-1'",
    'create schema other',
    'create table public.other (id int)',
    'create table shop.other (id int)',
    'create temporary table other (id int)',
    'do $$ begin perform 1; end $$',
    "create function public.f() returns int language sql as 'select 1'",
    "insert into shop.rates values ('EUR', now(), 1)",
    'update shop.orders set paid = amount',
    'delete from shop.customers',
    'truncate shop.orders',
    'drop schema shop cascade',
    'select passwd from pg_shadow',
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'",
  ])('cannot: %s', async (statement) => {
    await expect(asLogin(statement)).rejects.toThrow(/permission denied|must be (owner|superuser)/i);
  });

  it('holds a few of the connections, and no more', async () => {
    const held: Client[] = [];
    const connect = async (): Promise<boolean> => {
      const client = new Client({ connectionString: cluster.url() });
      const connected = (await settled(client.connect())) === 'done';
      if (connected) held.push(client);
      else await client.end();
      return connected;
    };
    try {
      // The server counts connections of earlier tests until their processes have ended.
      await until('eight connections', async () => (await connect()) && held.length === 8);
      await expect(query(cluster.url(), 'select 1')).rejects.toThrow('too many connections for role "samples"');
    } finally {
      await Promise.all(held.map((client) => client.end()));
    }
  });
});

describe('the procedures of the sample database', () => {
  beforeAll(async () => void (await fillSampleDatabase(cluster.server(), never)));

  /** Returns the notices and the result row of a call. */
  async function call(text: string, values: unknown[]): Promise<{ notices: string[]; row: unknown }> {
    return withClient({ connectionString: cluster.url() }, async (client) => {
      const notices: string[] = [];
      client.on('notice', ({ message }) => notices.push(message ?? ''));
      const { rows } = await client.query(text, values);
      return { notices, row: rows[0] };
    });
  }

  it('reports the revenue that the tables hold', async () => {
    const report = await asLogin("select * from shop.revenue_by_region('2026-08-01', '2026-09-30', 'CHF', 'Paid')");
    expect(report.rows).toHaveLength(10);
    const plain = await asLogin(
      `select count(*) as orders, sum(o.amount / t.rate * w.rate) as revenue from shop.orders o
        join shop.rates t on t.currency = o.currency and t.rate_date = o.ordered_on
        join shop.rates w on w.currency = 'CHF' and w.rate_date = o.ordered_on
        where o.status = 'Paid' and o.ordered_on between '2026-08-01' and '2026-09-30'`,
    );
    const sum = (name: string): number => report.rows.reduce((total, row) => total + Number(row[name]), 0);
    expect(sum('orders')).toBe(Number(plain.rows[0].orders));
    expect(sum('revenue')).toBeCloseTo(Number(plain.rows[0].revenue), 0);
    expect(sum('share')).toBeCloseTo(2, 2);
  });

  it.each([
    ["'2026-02-01', '2026-01-01'", 'The first day, 2026-02-01, is after the last one, 2026-01-01'],
    ["'2026-01-01', '2026-01-31', 'XXX'", 'There are no rates of the currency XXX'],
  ])('refuses to report for %s', async (values, message) => {
    await expect(asLogin(`select * from shop.revenue_by_region(${values})`)).rejects.toThrow(message);
  });

  it('imports orders, and says of each that it leaves out why', async () => {
    const lines = [
      '(1,2026-10-01,Desk,2,100.00)',
      '(99999,2026-10-01,Desk,2,100)',
      '(97,2026-10-01,Desk,2,100)',
      '(1,1999-01-01,Desk,2,100)',
      '(1,2026-10-01,,2,100)',
      '(1,2026-10-01,Desk,0,100)',
      '(1,2026-10-01,Desk,1,-1)',
      '(1,2026-10-01,Desk,2000000000,99999999.99)',
      '(,,,,)',
    ];
    const { notices, row } = await call(
      'call shop.import_orders($1::text[]::shop.order_line[], null, null, null, $2)',
      [lines, 'From a test'],
    );
    expect(notices).toEqual([
      'Line 2 is rejected: there is no customer 99999',
      'Line 3 is rejected: Harbour Studios 97 gets no deliveries',
      'Line 4 is rejected: there is no rate of 1999-01-01',
      'Line 5 is rejected: the product is missing',
      'Line 6 is rejected: the quantity must be more than 0',
      'Line 7 is rejected: the price must not be less than 0',
      'Line 8 is rejected: the amount is too large',
      'Line 9 is rejected: there is no customer without a number',
    ]);
    const written = await asLogin(
      `select o.amount, round(o.amount / r.rate, 2) as eur from shop.orders o
        join shop.rates r on r.currency = o.currency and r.rate_date = o.ordered_on where o.import_reference = 'From a test'`,
    );
    expect(written.rows).toEqual([{ amount: '200.00', eur: expect.any(String) }]);
    expect(row).toEqual({ imported: 1, rejected: 8, total_eur: written.rows[0].eur });
  });

  it('reconciles month by month, says how far it is, and can be cancelled', async () => {
    const { notices, row } = await call(
      "call shop.reconcile_payments('2026-01-15', '2026-02-01', null, null, null, 0)",
      [],
    );
    expect(notices).toEqual([
      '2026-01: 6506 orders checked, 106 not paid in full',
      '2026-02: 5916 orders checked, 97 not paid in full',
    ]);
    expect(row).toMatchObject({ checked: '12422', differing: '203' });

    await withClient({ connectionString: cluster.url() }, async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      const said = new Promise((resolve) => client.once('notice', resolve));
      const slow = settled(
        client.query("call shop.reconcile_payments('2024-01-01', '2026-10-01', null, null, null, 60)"),
      );
      await said;
      await asLogin(`select pg_cancel_backend(${rows[0].pid})`);
      expect(await slow).toBe('failed');
    });
  });

  it.each(["'2026-02-01', '2026-01-01'", "'0001-01-01', '9999-12-31'", "'2026-01-01', 'infinity'"])(
    'refuses to reconcile %s rather than run forever',
    async (months) => {
      await expect(asLogin(`call shop.reconcile_payments(${months}, null, null, null, 0)`)).rejects.toThrow(
        /is after the last one|Ten years|infinite dates/,
      );
    },
  );
});
