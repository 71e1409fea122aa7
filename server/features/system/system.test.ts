import { afterAll, beforeAll, expect, test } from 'vitest';
import { pino } from 'pino';
import { newServerState } from '#server/base/server-state.ts';
import { startSigns } from '#server/compose/signs-of-life.ts';
import { loadConfig } from '#server/config/load-config.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import type { SystemState } from '#shared/contract/system.ts';
import { startRunPortal, type RunPortal } from '#test/support/run-portal.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { refuseStarts } from './maintenance-service.ts';
import { percentile } from './run-times.ts';

const state = newServerState();
let portal: RunPortal;
let admin: Record<string, string>;
beforeAll(async () => {
  portal = await startRunPortal({ state });
  admin = bearer(await signIn(portal.app, await createUser(portal.app, { isUserAdmin: true })));
});
afterAll(() => portal.close());

const call = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) =>
  portal.app.http.inject({ method, url, headers, payload });
const system = async () => (await call('GET', '/api/admin/system', admin)).json<{ result: SystemState }>().result;
const maintain = (Text: unknown, headers = admin) => call('POST', '/api/admin/maintenance', headers, { Text });

test('is for administrators of users alone; what people are told is for all who are signed in', async () => {
  const { headers } = portal.owner;
  expect((await call('GET', '/api/admin/system', headers)).statusCode).toBe(403);
  expect((await maintain('no', headers)).statusCode).toBe(403);
  expect((await call('GET', '/api/maintenance', headers)).json()).toEqual({ result: { Text: null } });
  expect((await call('GET', '/api/maintenance', {})).statusCode).toBe(401);
  for (const Text of ['', 'x'.repeat(501), 7]) expect((await maintain(Text)).statusCode).toBe(400);
});

test('during maintenance nothing is started or retried, what runs comes to its end, and both are logged', async () => {
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
  expect((await portal.start()).status).toBe(200);
  const actions = await portal.app.database.knex('SecurityActions').orderBy('Id', 'desc').limit(2).pluck('Action');
  expect(actions).toEqual(['EndMaintenance', 'BeginMaintenance']);
});

/** What begins no run by itself. */
const STARTS_NOTHING = [
  // Hands the outputs of a run over to a form.
  '/api/activities/startlink',
  '/api/activities/schedule/resume/:id',
  '/api/checklists/schedule/resume/:id',
  '/api/activities/timetables/resume/:id',
  '/api/checklists/timetables/resume/:id',
  '/api/activities/triggers/resume/:id',
  '/api/checklists/triggers/resume/:id',
  // Which page somebody sees first.
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

test('another server learns of it by its signs, and is shown until it leaves or falls silent', async () => {
  const other = newServerState();
  const { app } = portal;
  const config = { ...loadConfig({}), role: 'worker' as const, workerThreads: 3 };
  const executor = { pool: { threads: () => [{ isFree: false }, { isFree: true }] } } as never;
  await maintain('Soon.');
  const stop = await startSigns({ system: app.system, config, state: other, executor, log: pino({ level: 'silent' }) });
  expect(other.maintenance).toBe('Soon.');
  await maintain(null);
  const [server] = (await system()).Servers;
  expect(server).toMatchObject({ Role: 'worker', Threads: 3, BusyThreads: 1, IsGone: false, IsDraining: false });
  expect(server!.MemoryMb).toBeGreaterThan(10);
  const { knex, dialect } = app.database;
  await knex('Servers').update({ LastTime: dialect.nowPlus(knex, -60) });
  expect((await system()).Servers[0]!.IsGone).toBe(true);
  await stop();
  expect((await system()).Servers).toEqual([]);
});

test('the slowest activities and the failures of the newest runs are told', async () => {
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

test('a percentile is one of the values', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([0.5, 0.95, 0.99].map((share) => percentile(hundred, share))).toEqual([50, 95, 99]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBeNull();
});
