import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { withClient } from '#server/db/embedded/provision.ts';
import { findRunningPostgres } from '#server/db/embedded/running-postgres.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';
import { fillDataFolder } from '#test/support/made-cluster.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { until } from '#test/support/until.ts';
import type { ActivityList } from '#shared/contract/activities.ts';
import type { TableViewItem } from '#shared/contract/tableviews.ts';
import { startServer } from './start-server.ts';

let folder: string;
const running: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(runFolder(), 'sample-portal-'));
  await chmod(folder, 0o755);
  await fillDataFolder(folder);
});
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

interface Started {
  lines: { level: number; msg: string }[];
  get<T>(path: string, body?: object): Promise<T>;
  views(): Promise<TableViewItem[]>;
  /** Names of activities of procedures. */
  procedures(): Promise<string[]>;
  stop(): Promise<void>;
}

/** A portal as `npm start` brings it up, with somebody who may all and a look at its log. */
async function start(settings: Record<string, string> = {}): Promise<Started> {
  const lines: Started['lines'] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
  const config = loadConfig({
    RUNSHEET_DATA_DIR: folder,
    RUNSHEET_PORT: '0',
    RUNSHEET_WORKER_THREADS: '1',
    ...settings,
  });
  const server = await startServer({ config, log, onAdministrator: () => {} });
  const stop = (): Promise<void> => server.stop();
  running.push(stop);
  const token = await withPortalDatabase(administratorToken);
  const get = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(new URL(path, server.address!), { headers, ...sent });
    expect(answer.status, path).toBe(200);
    return ((await answer.json()) as { result: T }).result;
  };
  return {
    lines,
    get,
    procedures: async () =>
      (await get<ActivityList>('/api/activities')).Activities.filter(({ Type }) => Type === 'StoredProcedure')
        .map(({ Name }) => Name)
        .toSorted(),
    views: async () => (await get<{ Items: TableViewItem[] }>('/api/tableviews')).Items,
    stop: async () => {
      running.splice(running.indexOf(stop), 1);
      await stop();
    },
  };
}

/** Beside the portal that runs. */
async function withPortalDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = createDatabase({ url: await findRunningPostgres(folder) });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function administratorToken(database: Database): Promise<string> {
  const log = pino({ level: 'silent' });
  const sessions = createSessionsService({ database, log, tokenMinutes: 30, inactivityMinutes: 30, sessionHours: 24 });
  const users = createUsersService(database);
  const found = await users.findByName('somebody');
  const UserId =
    found?.UserId ?? (await users.createUser({ UserName: 'somebody', password: 'Correct-Horse-7', IsUserAdmin: true }));
  return (await sessions.start(database.knex, UserId, '127.0.0.1')).token;
}

const warnings = ({ lines }: Started): string[] => lines.filter(({ level }) => level >= 40).map(({ msg }) => msg);

test('the first start has a connection, two table views and three activities of the sample database, later ones make nothing again', async () => {
  const first = await start();
  // Whatever has been made by then, nothing is wrong.
  expect(await first.get('/api/tableviews/tables')).toMatchObject({ Messages: [] });
  const views = await until('the views are there', async () => {
    const found = await first.views();
    return found.length === 2 && found;
  });
  expect(views.map(({ ConnectionName, TableName, ViewName }) => [ConnectionName, TableName, ViewName])).toEqual([
    ['Samples', 'shop.orders', 'Orders'],
    ['Samples', 'shop.rates', 'Exchange Rates'],
  ]);
  for (const { Id } of views) {
    const page = await first.get<{ Rows: unknown[]; Message: string }>(`/api/tableviews/values/${Id}`, {});
    expect(page).toMatchObject({ Message: '' });
    expect(page.Rows).toHaveLength(100);
  }
  expect(await first.get(`/api/tableviews/count/${views[0]!.Id}`, {})).toMatchObject({ Count: 200_000 });
  const activities = await until('the activities are there', async () => {
    const found = await first.procedures();
    return found.length === 3 && found;
  });
  expect(activities).toEqual(['Import orders', 'Payment reconciliation', 'Revenue by region']);
  expect(warnings(first)).toEqual([]);
  await first.stop();

  await withStoppedPortal((url) =>
    withClient({ connectionString: url }, (client) =>
      client.query(
        `delete from "TableViews"; update "Activities" set "Name" = 'Mine', "NameKey" = 'mine' where "Name" = 'Import orders'`,
      ),
    ),
  );
  const second = await start();
  await second.stop();
  expect(second.lines.map(({ msg }) => msg)).not.toContain('filled the sample database');
  const third = await start();
  expect(await third.views()).toEqual([]);
  expect(await third.procedures()).toEqual(['Mine', 'Payment reconciliation', 'Revenue by region']);
  expect(warnings(third)).toEqual([]);
}, 120_000);

test('RUNSHEET_SAMPLES=false makes none of it; without it a data folder from before gets it', async () => {
  const without = await start({ RUNSHEET_SAMPLES: 'false' });
  expect(await without.get('/api/tableviews/tables')).toEqual({ Items: [], Messages: [] });
  await without.stop();
  const databases = async (url: string): Promise<unknown> =>
    withClient({ connectionString: url }, async (client) => {
      const { rows } = await client.query('select datname from pg_database where not datistemplate order by 1');
      return rows.map(({ datname }: { datname: string }) => datname);
    });
  expect(await withStoppedPortal(databases)).toEqual(['postgres', 'runsheet']);

  const from = await start();
  await until('the views are there', async () => (await from.views()).length === 2);
  await from.stop();
  const again = await start({ RUNSHEET_SAMPLES: 'false' });
  expect(await again.views()).toEqual([]);
}, 120_000);

test('a connection of the settings with that name stays what it is', async () => {
  const connections = { samples: { url: 'postgres://nobody@127.0.0.1:1/none' } };
  const portal = await start({ RUNSHEET_CONNECTIONS: JSON.stringify(connections) });
  const { Messages } = await portal.get<{ Messages: string[] }>('/api/tableviews/tables');
  expect(Messages).toEqual([expect.stringContaining("'samples'")]);
  await portal.stop();
  expect(portal.lines.map(({ msg }) => msg)).not.toContain('filled the sample database');
}, 120_000);

test('a portal that is stopped while it fills the sample database makes it whole at the next start', async () => {
  const first = await start();
  await first.stop();
  expect(warnings(first)).toEqual([]);
  const second = await start();
  await until('the views are there', async () => (await second.views()).length === 2);
  const [orders] = await second.views();
  expect(await second.get(`/api/tableviews/count/${orders!.Id}`, {})).toMatchObject({ Count: 200_000 });
}, 120_000);

/** The embedded database of a portal that does not run. */
async function withStoppedPortal<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = await startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false });
  try {
    return await work(server.adminUrl('runsheet'));
  } finally {
    await server.stop();
  }
}
