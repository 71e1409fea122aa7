/** An embedded PostgreSQL server with an empty sample database. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryResult } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { withClient } from '#server/db/embedded/provision.ts';
import { provisionSampleDatabase } from '#server/db/embedded/sample-database.ts';
import { fillDataFolder } from './made-cluster.ts';
import { runFolder } from './run-folder.ts';
import { until } from './until.ts';

export const query = (connectionString: string, text: string): Promise<QueryResult> =>
  withClient({ connectionString }, (client) => client.query(text));

export const settled = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    () => 'failed',
  );

/** Starts the server before the tests of a file and stops it after them. Call it once, outside of the tests. */
export function sampleCluster() {
  let folder: string;
  let server: EmbeddedPostgres;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(runFolder(), 'samples-'));
    await chmod(folder, 0o755);
    await fillDataFolder(folder);
    server = await startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false });
    url = await provisionSampleDatabase(server);
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  const asSuperuser = (text: string, database = 'samples'): Promise<QueryResult> =>
    query(server.adminUrl(database), text);

  /** Returns 'nothing', 'all', or the part that exists. */
  async function state(): Promise<unknown> {
    const { rows } = await asSuperuser("select to_regclass('shop.orders') is not null as is_there");
    if (!rows[0].is_there) return 'nothing';
    const counted = await asSuperuser(
      `select (select count(*)::int from shop.orders) as orders, (select count(*)::int from shop.customers) as customers,
        (select count(*)::int from shop.rates) as rates, (select count(*)::int from pg_proc where pronamespace = 'shop'::regnamespace) as routines`,
    );
    const all = { orders: 200_000, customers: 2000, rates: 8768, routines: 3 };
    return JSON.stringify(counted.rows[0]) === JSON.stringify(all) ? 'all' : counted.rows[0];
  }

  /** Waits until a fill has created its tables, and returns while it creates their rows. */
  const filling = (): Promise<unknown> =>
    until('the rows are being made', async () => {
      const { rows } = await asSuperuser(
        `select count(*)::int as locks from pg_locks where mode = 'AccessExclusiveLock' and locktype = 'relation'
          and database = (select oid from pg_database where datname = 'samples')`,
      );
      return rows[0].locks >= 5;
    });

  return {
    server: () => server,
    /** The URL for the login of the sample database. */
    url: () => url,
    asSuperuser,
    asLogin: (text: string): Promise<QueryResult> => query(url, text),
    state,
    filling,
  };
}
