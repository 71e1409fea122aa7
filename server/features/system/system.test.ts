import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import { pino } from 'pino';
import { newServerState } from '#server/base/server-state.ts';
import { VERSION } from '#server/base/version.ts';
import { startSigns } from '#server/compose/signs-of-life.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import type { ActivityTrend, ServerItem, StorageGrowth, SystemState } from '#shared/contract/system.ts';
import { insertWithId } from '#test/support/insert-with-id.ts';
import { withRunPortal } from '#test/support/fixtures/run-portal.ts';
import { until } from '#test/support/until.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { refuseStarts } from './maintenance-service.ts';
import { percentile } from './run-times.ts';
import { readStorageGrowth } from './storage-growth.ts';
import { refusePublishing, UPGRADE_UNDER_WAY } from './upgrade-guard.ts';

const state = newServerState();

const test = withRunPortal({ state }).extend('administration', { scope: 'file' }, async ({ portal }) => {
  const call = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) =>
    portal.app.http.inject({ method, url, headers, payload });
  const system = async () => (await call('GET', '/api/admin/system', admin)).json<{ result: SystemState }>().result;
  const maintain = (Text: unknown, headers = admin) => call('POST', '/api/admin/maintenance', headers, { Text });
  const admin = bearer(await signIn(portal.app, await createUser(portal.app, { isUserAdmin: true })));
  return { admin, call, system, maintain };
});

test('is for administrators of users alone; what people are told is for all who are signed in', async ({
  portal,
  administration: { call, maintain },
}) => {
  const { headers } = portal.owner;
  expect((await call('GET', '/api/admin/system', headers)).statusCode).toBe(403);
  expect((await maintain('no', headers)).statusCode).toBe(403);
  expect((await call('GET', '/api/maintenance', headers)).json()).toEqual({ result: { Text: null } });
  expect((await call('GET', '/api/maintenance', {})).statusCode).toBe(401);
  for (const Text of ['', 'x'.repeat(501), 7]) expect((await maintain(Text)).statusCode).toBe(400);
});

test('during maintenance nothing is started or retried, what runs comes to its end, and both are logged', async ({
  portal,
  administration: { maintain, system },
}) => {
  const release = portal.holdRuns();
  const running = await portal.started();
  expect((await maintain('We are back at ten.')).json()).toEqual({ result: { Text: 'We are back at ten.' } });
  const refused = await portal.start();
  expect([refused.status, refused.body.error ?? refused.body]).toMatchObject([423, expect.anything()]);
  expect(JSON.stringify(refused.body)).toContain('We are back at ten.');
  release();
  expect((await portal.ended(running)).Status).toBe('Succeeded');
  expect((await portal.post(`retry/${running}`)).status).toBe(423);
  expect((await system()).Maintenance).toBe('We are back at ten.');
  await maintain(null);
  expect((await portal.ended(await portal.started())).Status).toBe('Succeeded');
  const actions = await portal.app.database.knex('SecurityActions').orderBy('Id', 'desc').limit(2).pluck('Action');
  expect(actions).toEqual(['EndMaintenance', 'BeginMaintenance']);
});

/** Calls that do not start runs themselves. */
const STARTS_NOTHING = [
  // Passes the outputs of a run to a form.
  '/api/activities/startlink',
  '/api/activities/schedule/resume/:id',
  '/api/checklists/schedule/resume/:id',
  '/api/activities/timetables/resume/:id',
  '/api/checklists/timetables/resume/:id',
  '/api/activities/triggers/resume/:id',
  '/api/checklists/triggers/resume/:id',
  // These only set which page somebody sees first.
  '/api/dashboards/startroles',
  '/api/startPage',
  '/api/startPage',
];

test('every call whose path speaks of starting is refused during maintenance', async () => {
  const paths = (await contractEndpoints())
    .map(({ path }) => path)
    .filter((path) => /start|retry|resume|runnow/i.test(path));
  const refused = paths.filter((path) => {
    try {
      refuseStarts({ ...newServerState(), maintenance: 'Later.' }, path);
      return false;
    } catch {
      return true;
    }
  });
  expect(paths.filter((path) => !refused.includes(path)).toSorted()).toEqual(STARTS_NOTHING.toSorted());
});

test('another server learns of it by its signs, and is shown until it leaves or falls silent', async ({
  portal,
  administration: { maintain, system },
}) => {
  const other = newServerState();
  const { app } = portal;
  const signs = { system: app.system, signals: app.signals, log: pino({ level: 'silent' }) };
  const config = { ...loadConfig({}), role: 'worker' as const, workerThreads: 3 };
  const executor = { pool: { threads: () => [{ isFree: false }, { isFree: true }] } } as never;
  await maintain('Soon.');
  const stop = await startSigns({ ...signs, config, state: other, executor });
  expect(other.maintenance).toBe('Soon.');
  await maintain(null);
  const [server] = (await system()).Servers;
  expect(server).toMatchObject({
    Role: 'worker',
    Threads: 3,
    BusyThreads: 1,
    Runs: 0,
    IsGone: false,
    IsDraining: false,
  });
  expect(server!.MemoryMb).toBeGreaterThan(10);
  const { knex, dialect } = app.database;
  await knex('Servers').update({ LastTime: dialect.nowPlus(knex, -60) });
  expect((await system()).Servers[0]!.IsGone).toBe(true);
  await stop();
  expect((await system()).Servers).toEqual([]);
});

/** Calls that store or try nothing that another version of the program would have to execute, despite their paths. */
const PUBLISHES_NOTHING = [
  '/api/dashboards/publish',
  '/api/dashboards/unpublish/:id',
  '/api/roles/create/:name',
  '/api/rights/create',
  '/api/users/create',
  '/api/users/apikeys/create/:id',
  '/api/admin/schemas/create',
  '/api/admin/webhooks/create',
  '/api/tableviews/create',
];

test('while another version is at work nothing is published that it may not understand, and all else goes on', async ({
  portal,
  administration: { call },
}) => {
  const { app } = portal;
  const { knex, dialect } = app.database;
  const signs = { system: app.system, signals: app.signals, log: pino({ level: 'silent' }) };
  const executor = { pool: { threads: () => [] } } as never;
  const learn = async () => (await startSigns({ ...signs, config: loadConfig({}), state, executor }))();
  const of = (ServerId: string, Version: string) => ({
    Name: 'other',
    Role: 'both',
    ServerId,
    Version,
    IsDraining: false,
    Threads: 1,
    BusyThreads: 0,
    MemoryMb: 1,
    Processors: 0,
  });
  await knex('Servers').insert([of('newer', '99.0.0'), of('same', VERSION)]);
  await learn();
  expect(state.otherVersions).toEqual(['99.0.0']);
  const publish = () => call('POST', '/api/activities/create', portal.owner.headers, {});
  const refused = await publish();
  expect([refused.statusCode, refused.json()]).toEqual([423, { Message: UPGRADE_UNDER_WAY }]);
  const { status, body } = await portal.start();
  expect(status).toBe(200);
  await knex('Servers')
    .where({ ServerId: 'newer' })
    .update({ LastTime: dialect.nowPlus(knex, -60) });
  await learn();
  expect(state.otherVersions).toEqual([]);
  // The guard no longer refuses the call, so its content is checked.
  expect((await publish()).statusCode).toBe(415);
  await knex('Servers').delete();
  // The next tests count and hold the runs that are at work.
  expect((await portal.ended(body.result.Id)).Status).toBe('Succeeded');
});

test('every call whose path speaks of publishing is refused while another version is at work', async () => {
  const paths = (await contractEndpoints())
    .filter(({ method }) => method === 'POST')
    .map(({ path }) => path)
    .filter((path) => /create|publish|workflows\/(update|import)|procedures\/update/i.test(path));
  const passes = (path: string): boolean => {
    try {
      refusePublishing({ ...newServerState(), otherVersions: ['0.0.1'] }, path);
      return true;
    } catch {
      return false;
    }
  };
  expect(paths.filter(passes).toSorted()).toEqual(PUBLISHES_NOTHING.toSorted());
});

test('a server that is drained takes no runs, ends its own, is not ready, and takes runs again', async ({
  portal,
  administration: { system, admin, call },
  onTestFinished,
}) => {
  const { app } = portal;
  const { knex } = app.database;
  const config = { ...loadConfig({}), role: 'both' as const };
  const executor = { pool: { threads: () => [] } } as never;
  const log = pino({ level: 'silent' });
  const stop = await startSigns({
    system: app.system,
    signals: app.signals,
    config,
    state,
    executor,
    log,
    interval: 20,
  });
  // The next tests need a server that takes runs, even if this one fails.
  onTestFinished(async () => {
    await stop();
    Object.assign(state, { isDraining: false, isStopping: false });
  });
  const { ServerId, Name } = (await system()).Servers[0]!;
  const drain = (body: object, headers = admin) => call('POST', '/api/admin/system/drain', headers, body);
  const seen = (wanted: Partial<ServerItem>) =>
    until('the server says so', async () => {
      const [server] = (await system()).Servers;
      return Object.entries(wanted).every(([name, value]) => server![name as keyof ServerItem] === value);
    });
  const ready = async () => (await call('GET', '/api/health/ready', {})).statusCode;
  expect((await drain({ ServerId, Drain: true }, portal.owner.headers)).statusCode).toBe(403);
  expect((await drain({ ServerId: 'gone', Drain: true })).statusCode).toBe(404);
  expect((await drain({ ServerId })).statusCode).toBe(400);

  const release = portal.holdRuns();
  onTestFinished(release);
  const own = await portal.started();
  await portal.status(own, 'Started');
  for (let count = 0; count < 2; count++)
    expect((await drain({ ServerId, Drain: true })).json()).toEqual({ result: { IsDrainAsked: true } });
  await seen({ IsDrainAsked: true, IsDraining: true, Runs: 1 });
  expect(await ready()).toBe(503);
  expect((await system()).Pools.find(({ Pool }) => Pool === 'default')!.Servers).toBe(0);
  const later = await portal.started();
  release();
  expect((await portal.ended(own)).Status).toBe('Succeeded');
  await seen({ IsDraining: true, Runs: 0 });
  expect(await portal.status(later, 'Queued')).toBeDefined();

  await drain({ ServerId, Drain: false });
  await seen({ IsDrainAsked: false, IsDraining: false });
  await until('it is ready again', async () => (await ready()) === 200);
  expect((await portal.ended(later)).Status).toBe('Succeeded');
  const actions = await knex('SecurityActions').orderBy('Id', 'desc').limit(2).select('Action', 'KeyColumnValue');
  expect(actions).toEqual([
    { Action: 'EndServerDrain', KeyColumnValue: Name },
    { Action: 'DrainServer', KeyColumnValue: Name },
  ]);

  // A stopping server does not accept runs again just because it is not draining.
  state.isStopping = true;
  await seen({ IsDraining: true });
  state.isStopping = false;
  await seen({ IsDraining: false });
});

test('the slowest activities and the failures of the newest runs are told', async ({
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

test('the trend of an activity is told in periods, and whose newer half takes longer', async ({
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

test('what the newest runs stored is told by activity and day, and a rate only where a day is known', async ({
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
