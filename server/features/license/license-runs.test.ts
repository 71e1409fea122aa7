/** Tests that a run picked up without a license ends with the reason, and that it is executed with one. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { startJobs } from '#server/queue/worker/start-jobs.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createFakeExecutor } from '#test/support/fake-executor.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { createUser } from '#test/support/users.ts';

let app: TestApp;
let isAllowed = false;
let stopJobs: () => Promise<void>;

beforeAll(async () => {
  const executor = createFakeExecutor();
  app = await testApp({ executor });
  const isLicensed = async () => isAllowed;
  const { versions } = app;
  const context = { database: app.database, versions, files: app.fileStore, executor, log: pino({ level: 'silent' }) };
  stopJobs = startJobs({ ...context, isLicensed }, app.signals, loadConfig({}), { hasNotifications: false });
});
afterAll(async () => {
  await stopJobs();
  await app.close();
});

test('a run without a licence ends NotLicensed with its reason, and no longer needs a worker', async () => {
  const { knex } = app.database;
  const { UserId } = await createUser(app);
  const { key: StoreKey, contentLength: ContentLength, sha256: Sha256 } = await app.fileStore.put(Buffer.from('book'));
  const FileId = StoreKey.slice(0, 43);
  const file = { FileId, StoreKey, FileName: 'a.xlsx', ContentLength, Sha256, Purpose: 'version' };
  await knex('StoredFiles').insert(file);
  const ActivityId = await insertActivity(knex, { UserId, FileId });
  const ended = async (run: number) =>
    until('the end of the run', () => knex('ActivityRuns').where('Id', run).whereNotNull('EndTime').first());
  const refused = await insertRun(knex, { ActivityId, UserId });
  expect(await ended(refused)).toMatchObject({ Status: 'NotLicensed', LeaseUntil: null });
  expect(await knex('RunLogEntries').where('ActivityRunId', refused).pluck('Message')).toEqual([
    'The run was disallowed because of an invalid or expired license',
  ]);
  isAllowed = true;
  expect(await ended(await insertRun(knex, { ActivityId, UserId }))).toMatchObject({ Status: 'Succeeded' });
});
