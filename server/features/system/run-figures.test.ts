/** Tests the figures of the newest runs: their times, failures and storage. */
import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import type { ActivityTrend, StorageGrowth } from '#shared/contract/system.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { withSystemPortal } from '#test/support/fixtures/system-portal.ts';
import { insertWithId } from '#test/support/insert-with-id.ts';
import { percentile } from './run-times.ts';
import { readStorageGrowth } from './storage-growth.ts';

const test = withSystemPortal({});

test('the slowest activities and the failures of the newest runs are listed', async ({
  portal,
  administration: { system },
}) => {
  portal.executor.onRun = async () => ({ ...SUCCESS, status: 'Failed' });
  const runId = await portal.started();
  await portal.ended(runId);
  const { knex, dialect } = portal.app.database;
  await knex('ActivityRuns')
    .where({ Id: runId })
    .update({ StartTime: dialect.nowPlus(knex, -100), EndTime: dialect.nowPlus(knex, -60) });
  const { Activities, Failures, LookedAt, Queue } = await system();
  expect(LookedAt.Runs).toBe((await knex('ActivityRuns')).length);
  expect(Activities[0]).toMatchObject({ ActivityId: portal.ActivityId, Failed: 1 });
  expect(Activities[0]!.P99).toBeCloseTo(40, 1);
  expect(Failures).toMatchObject([{ Status: 'Failed', ActivityId: portal.ActivityId, Runs: 1 }]);
  expect(Failures[0]!.Name).not.toBe('');
  expect(Queue).toMatchObject({ Queued: 0, Running: 0, LateSchedules: 0 });
});

test('the trend of an activity is shown in periods, and whose newer half takes longer', async ({
  portal,
  administration: { admin, call, system },
}) => {
  const { knex, dialect } = portal.app.database;
  const ActivityId = await portal.publish();
  const { UserId } = portal.owner;
  const run = (minutesAgo: number, seconds: number) => ({
    ActivityId,
    ActivityVersion: 1,
    Status: 'Succeeded',
    UserId,
    MemoryCost: 0,
    QueueTime: dialect.nowPlus(knex, -60 * minutesAgo),
    StartTime: dialect.nowPlus(knex, -60 * minutesAgo),
    EndTime: dialect.nowPlus(knex, -60 * minutesAgo + seconds),
  });
  const trend = async (headers = admin) => call('GET', `/api/admin/system/trend/${ActivityId}`, headers);
  expect((await trend(portal.owner.headers)).statusCode).toBe(403);
  expect((await trend()).json()).toEqual({ result: { Runs: 0, HasOlder: false, PeriodSeconds: 0, Periods: [] } });
  const old = Array.from({ length: 20 }, (_, index) => run(720, index < 18 ? 1 : 4));
  const recent = Array.from({ length: 20 }, (_, index) => run(300, index < 18 ? 2 : 8));
  await knex('ActivityRuns').insert([...old, ...recent]);
  const { Runs, PeriodSeconds, Periods } = (await trend()).json<{ result: ActivityTrend }>().result;
  expect([Runs, PeriodSeconds]).toEqual([40, 900]);
  const whole = Periods.map((period) => ({
    ...period,
    Time: '',
    P50: Math.round(period.P50),
    P95: Math.round(period.P95),
  }));
  expect(whole).toMatchObject([
    { Runs: 20, P50: 1, P95: 4 },
    { Runs: 20, P50: 2, P95: 8 },
  ]);
  const activity = (await system()).Activities.find((one) => one.ActivityId === ActivityId)!;
  expect([activity.OlderP95, activity.NewerP95].map((seconds) => Math.round(seconds!))).toEqual([4, 8]);
});

test('what the newest runs stored is shown by activity and day, and a rate only if a day is known', async ({
  portal,
  administration: { call, admin },
}) => {
  const { knex, dialect } = portal.app.database;
  const storage = async () =>
    (await call('GET', '/api/admin/system/storage', admin)).json<{ result: StorageGrowth }>().result;
  expect((await call('GET', '/api/admin/system/storage', portal.owner.headers)).statusCode).toBe(403);
  const before = await storage();
  expect(before.PerDay).toBeNull();
  expect(before.Runs).toBe((await knex('ActivityRuns')).length);
  const ActivityId = await portal.publish();
  const { UserId } = portal.owner;
  const stored = async (daysAgo: number, ContentLength: number, Value: string | null) => {
    const run = { ActivityId, ActivityVersion: 1, Status: 'Succeeded', UserId, MemoryCost: 0 };
    const QueueTime = dialect.nowPlus(knex, -86_400 * daysAgo);
    const oldest = (await knex('ActivityRuns').min({ Id: 'Id' }).first()) as { Id: number };
    // Inserted in the past, and therefore with a lower id.
    await insertWithId(knex, 'ActivityRuns', { ...run, Id: oldest.Id - 1, QueueTime });
    const ActivityRunId = oldest.Id - 1;
    await knex('RunOutputs').insert({ ActivityRunId, ContentLength, FileName: 'a.xlsx' });
    await knex('RunInputs').insert({ ActivityRunId, ActivityParameterId: 1, Value });
  };
  await stored(2, 1_000_000, 'ä');
  await stored(10, 3_000_000, null);
  const ten = await storage();
  const own = ten.Activities.find((one) => one.ActivityId === ActivityId)!;
  // ä takes two bytes in the encoding of either database.
  expect(own).toMatchObject({ Runs: 2, Bytes: 4_000_000 + Buffer.byteLength('ä') });
  expect(ten.Activities[0]!.ActivityId).toBe(ActivityId);
  expect(own.PerDay).toBeCloseTo(400_000, -2);
  expect(ten.Bytes).toBe(before.Bytes + own.Bytes);
  expect(ten.Periods.reduce((sum, { Bytes }) => sum + Bytes, 0)).toBe(ten.Bytes);
  expect(ten.Periods.filter(({ Bytes }) => Bytes >= 1_000_000)).toHaveLength(2);
  // The folder of these settings does not exist.
  expect(ten.FreeBytes).toBeNull();
  const free = await readStorageGrowth({ database: portal.app.database, folder: tmpdir() });
  expect(free.FreeBytes).toBeGreaterThan(0);
  // Ids do not always follow the order of time: runs that wait for others keep their ids.
  await stored(1, 0, null);
  expect((await storage()).PerDay).toBeCloseTo(ten.PerDay!, -2);
  // Runs before the last 30 days only affect the time, not the sums.
  await stored(40, 9_000_000, null);
  const month = await storage();
  expect(month.Bytes).toBe(ten.Bytes);
  expect(month.PerDay).toBeCloseTo(ten.Bytes / 30, -2);
});

test('a percentile is one of the values', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([0.5, 0.95, 0.99].map((share) => percentile(hundred, share))).toEqual([50, 95, 99]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBeNull();
});
