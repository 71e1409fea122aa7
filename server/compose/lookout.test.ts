/** Counts the statements that a completely idle server sends to the database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fullSetTest } from '#test/support/full-set-test.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { insertDeliveries } from '#server/automation/deliveries/delivery-rows.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { startServer, type RunningServer } from './start-server.ts';

/** A server polls about once per second; over this many seconds, an average is meaningful. */
const WINDOW_SECONDS = 5;
const MAX_WINDOWS = 6;

let database: TestDatabase;
let folder: string;
let server: RunningServer;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'runsheet-idle-'));
  const config = loadConfig({
    RUNSHEET_DATABASE_URL: database.url,
    RUNSHEET_DATA_DIR: folder,
    RUNSHEET_PORT: '0',
    RUNSHEET_SAMPLES: 'false',
    RUNSHEET_WORKER_THREADS: '1',
  });
  server = await startServer({ config, log: pino({ level: 'silent' }), onAdministrator: () => {} });
});
afterAll(async () => {
  await server?.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

fullSetTest('an idle server asks hardly more than once a second', async (context) => {
  context.skip(database.dialect.name === 'mssql', 'Statements are counted at the client of PostgreSQL');
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const counts: number[] = [];
  // On a slow machine, the start still has work to do in the first windows.
  do {
    sent.mockClear();
    await pause(WINDOW_SECONDS * 1000);
    counts.push(sent.mock.calls.length);
  } while (counts.at(-1)! >= 2 * WINDOW_SECONDS && counts.length < MAX_WINDOWS);
  sent.mockRestore();
  expect(counts.at(-1)).toBeGreaterThan(0);
  expect(counts.at(-1)! / WINDOW_SECONDS, counts.join()).toBeLessThan(2);
});

test('work that arrives without a notification is found', async () => {
  const { knex } = database;
  const UserId = await insertUser(knex);
  const ActivityId = await insertActivity(knex, { UserId });
  await insertDeliveries(knex, [{ Channel: 'Mail', Event: 'e', SubjectId: null, UserId, TargetKey: 't', Body: '{}' }]);
  await insertRun(knex, { ActivityId, UserId, Status: 'Queued' });
  const attempted = () => knex('DeliveryAttempts').first();
  const ended = () => knex('ActivityRuns').whereNotNull('EndTime').first();
  await until('the delivery to be attempted', attempted);
  await until('the run to be taken from the queue', ended);
});
