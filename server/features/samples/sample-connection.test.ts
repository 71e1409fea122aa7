/** What a start does with the sample database, tested with the involved parts of the server. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '#server/config/config-schema.ts';
import { createConnections } from '#server/connections/connections.ts';
import type { Connections } from '#server/connections/types.ts';
import { createDatabase } from '#server/db/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { ensureSchemas } from '#server/features/schemas/schemas-service.ts';
import type { ActivityList } from '#shared/contract/activities.ts';
import type { TableViewItem } from '#shared/contract/tableviews.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { fillDataFolder } from '#test/support/made-cluster.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';
import { addDatabaseSamples } from './add-samples.ts';
import { createRunningParts } from '#server/background/running-parts.ts';
import { openSampleDatabase, type SampleDatabase } from './sample-connection.ts';

const warned = Promise.withResolvers<never>();
warned.promise.catch(() => undefined);
const log = pino({ level: 'warn' }, { write: (line: string) => warned.reject(new Error(line)) });

let folder: string;
let embedded: EmbeddedPostgres;
let app: TestApp;
let connections: Connections;
beforeAll(async () => {
  folder = await mkdtemp(join(runFolder(), 'sample-database-'));
  await chmod(folder, 0o755);
  await fillDataFolder(folder);
  embedded = await startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false });
});
afterAll(async () => {
  await app?.close();
  await connections?.close();
  await embedded?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const open = (settings: Partial<Pick<Config, 'samples' | 'connections'>> = {}): Promise<SampleDatabase | null> =>
  openSampleDatabase({ samples: true, connections: {}, ...settings }, embedded, log);

/** Fills the database as a start does, and waits until the samples that show it are published. */
async function fill(sample: SampleDatabase): Promise<void> {
  const parts = createRunningParts(log);
  await new Promise<void>((resolve, reject) => {
    sample.fillInBackground(parts, (signal) => addDatabaseSamples({ ...app, log }, signal).then(resolve, reject));
  });
  await parts.stopAll();
}

async function get<T>(path: string, body?: object): Promise<T> {
  const user = await app.users.findByName('admin');
  const call = { url: path, headers: bearer(await signIn(app, user!)) };
  const answer = await app.http.inject(body ? { ...call, method: 'POST', payload: body } : call);
  expect(answer.statusCode, path).toBe(200);
  return answer.json<{ result: T }>().result;
}

const shownViews = async (): Promise<TableViewItem[]> =>
  (await get<{ Items: TableViewItem[] }>('/api/tableviews')).Items;
const shownProcedures = async (): Promise<string[]> =>
  (await get<ActivityList>('/api/activities')).Activities.filter(({ Type }) => Type === 'StoredProcedure')
    .map(({ Name }) => Name)
    .toSorted();

test('does not exist if samples are off, or if a connection of the settings has its name', async () => {
  expect(await open({ samples: false })).toBeNull();
  expect(await open({ connections: { samples: { url: 'postgres://nobody@127.0.0.1:1/none' } } })).toBeNull();
  expect(await openSampleDatabase({ samples: true, connections: {} }, null, log)).toBeNull();
  const database = createDatabase({ url: embedded.url });
  expect(await database.knex('pg_database').where({ datname: 'samples' })).toEqual([]);
  await database.close();
});

test('the first start has a connection, two table views and three activities of it, and later ones make nothing again', async () => {
  const sample = (await open())!;
  connections = createConnections(sample.connections, { timeZone: 'UTC' });
  app = await testApp({ connections });
  await createUser(app, { userName: 'admin', isUserAdmin: true });
  await ensureSchemas(app.database, ['Samples']);
  await fill(sample);
  const views = await shownViews();
  expect(views.map(({ ConnectionName, TableName, ViewName }) => [ConnectionName, TableName, ViewName])).toEqual([
    ['Samples', 'shop.orders', 'Orders'],
    ['Samples', 'shop.rates', 'Exchange Rates'],
  ]);
  for (const { Id } of views) {
    const page = await get<{ Rows: unknown[]; Message: string }>(`/api/tableviews/values/${Id}`, {});
    expect(page).toMatchObject({ Message: '' });
    expect(page.Rows).toHaveLength(100);
  }
  expect(await get(`/api/tableviews/count/${views[0]!.Id}`, {})).toMatchObject({ Count: 200_000 });
  expect(await shownProcedures()).toEqual(['Import orders', 'Payment reconciliation', 'Revenue by region']);

  await app.database.knex('TableViews').delete();
  await app.database.knex('Activities').where({ Name: 'Import orders' }).update({ Name: 'Mine', NameKey: 'mine' });
  await fill((await open())!);
  expect(await app.database.knex('TableViews').pluck('ViewName')).toEqual([]);
  const names = app.database.knex('Activities').where({ Type: 'StoredProcedure' }).orderBy('Name').pluck('Name');
  expect(await names).toEqual(['Mine', 'Payment reconciliation', 'Revenue by region']);
});
