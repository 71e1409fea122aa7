/** Tests maintenance, and the servers of the portal: their heartbeats, versions and draining. */
import { expect } from 'vitest';
import { pino } from 'pino';
import { newServerState } from '#server/base/server-state.ts';
import { VERSION } from '#server/base/version.ts';
import { startHeartbeat } from '#server/operations/heartbeat.ts';
import { loadConfig } from '#server/config/load-config.ts';
import type { ServerItem } from '#shared/contract/system.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { withSystemPortal } from '#test/support/fixtures/system-portal.ts';
import { until } from '#test/support/until.ts';
import { refuseStarts } from './maintenance-service.ts';
import { refusePublishing, UPGRADE_UNDER_WAY } from './upgrade-guard.ts';

const state = newServerState();

const test = withSystemPortal({ state });

test('is only for administrators of users; the message to people is for all who are signed in', async ({
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
  // Only says what a retry would start.
  '/api/activities/retryplan',
  '/api/checklists/resumeplan/:runId',
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

test('another server learns of it with its heartbeat, and is shown until it leaves or falls silent', async ({
  portal,
  administration: { maintain, system },
}) => {
  const other = newServerState();
  const { app } = portal;
  const parts = { system: app.system, signals: app.signals, log: pino({ level: 'silent' }) };
  const config = { ...loadConfig({}), role: 'worker' as const, workerThreads: 3 };
  const executor = { pool: { threads: () => [{ isFree: false }, { isFree: true }] } } as never;
  await maintain('Soon.');
  const stop = await startHeartbeat({ ...parts, config, state: other, executor });
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

test('while another version is running, nothing is published that it may not understand, and everything else works', async ({
  portal,
  administration: { call },
}) => {
  const { app } = portal;
  const { knex, dialect } = app.database;
  const parts = { system: app.system, signals: app.signals, log: pino({ level: 'silent' }) };
  const executor = { pool: { threads: () => [] } } as never;
  const learn = async () => (await startHeartbeat({ ...parts, config: loadConfig({}), state, executor }))();
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
  const stop = await startHeartbeat({
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
