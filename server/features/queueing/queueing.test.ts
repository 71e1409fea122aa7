import { expect } from 'vitest';
import { systemState, type SystemState } from '#shared/contract/system.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';

const PLAIN = { Pool: 'default', Priority: 'Normal', RunsAtOnce: null };

const test = base.extend('queueing', { scope: 'file' }, async ({ portal }) => {
  const address = (id = portal.ActivityId) => `/api/activities/queueing/${id}`;
  const call = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) =>
    portal.app.http.inject({ method, url, headers, payload });
  const set = (payload: object, headers = admin, id?: number) => call('POST', address(id), headers, payload);
  const admin = bearer(await signIn(portal.app, await createUser(portal.app, { isUserAdmin: true })));
  return { admin, address, call, set };
});

test('is for administrators of users alone, and says what it does not know', async ({
  portal,
  queueing: { call, address, admin, set },
}) => {
  expect((await call('GET', address(), admin)).json()).toEqual({
    result: { Queueing: PLAIN, Revision: 0, Pools: ['default'] },
  });
  for (const method of ['GET', 'POST'] as const)
    expect(
      (await call(method, address(), portal.owner.headers, method === 'POST' ? PLAIN : undefined)).statusCode,
    ).toBe(403);
  expect((await call('GET', address(9999), admin)).statusCode).toBe(404);
  expect((await set(PLAIN, admin, 9999)).statusCode).toBe(404);
  for (const wrong of [
    { Pool: 'Heavy' },
    { Pool: '' },
    { Pool: 'a,b' },
    { Pool: 'x'.repeat(31) },
    { Priority: 'Highest' },
    { RunsAtOnce: 0 },
    { RunsAtOnce: 1.5 },
    { Other: 1 },
  ])
    expect((await set({ ...PLAIN, ...wrong })).statusCode, JSON.stringify(wrong)).toBe(400);
});

test('a change moves waiting runs, is logged, and runs continue when their pool is served again', async ({
  portal,
  queueing: { set, call, admin },
}) => {
  expect((await set({ Pool: 'heavy', Priority: 'High', RunsAtOnce: 2 })).json()).toEqual({
    result: { Pool: 'heavy', Priority: 'High', RunsAtOnce: 2 },
  });
  const runId = await portal.started();
  const { knex } = portal.app.database;
  expect(await knex('ActivityRuns').where('Id', runId).first('Pool', 'RunsAtOnce', 'Status')).toEqual({
    Pool: 'heavy',
    RunsAtOnce: 2,
    Status: 'Queued',
  });
  const pools = async () =>
    (await call('GET', systemState.path, admin))
      .json<{ result: SystemState }>()
      .result.Pools.map(({ Pool, Queued, Servers }) => ({ Pool, Queued, Servers }));
  expect(await pools()).toEqual([{ Pool: 'heavy', Queued: 1, Servers: 0 }]);
  await knex('Servers').insert({
    ServerId: 'one',
    Name: 'one',
    Version: '1',
    Role: 'worker',
    IsDraining: false,
    Threads: 1,
    BusyThreads: 0,
    MemoryMb: 1,
    Processors: 0,
    Pools: 'gpu,heavy',
  });
  expect(await pools()).toEqual([
    { Pool: 'gpu', Queued: 0, Servers: 1 },
    { Pool: 'heavy', Queued: 1, Servers: 1 },
  ]);
  await set(PLAIN);
  expect((await portal.ended(runId)).Status).toBe('Succeeded');
  const actions = await knex('SecurityActions').orderBy('Id', 'desc').limit(2).select('Action', 'KeyColumnValue');
  const logged = { Action: 'SetQueueing', KeyColumnValue: String(portal.ActivityId) };
  expect(actions).toEqual([logged, logged]);
});

test('a limit holds for runs that are started one after the other, and lets the next go when one ends', async ({
  portal,
  queueing: { set },
}) => {
  await set({ ...PLAIN, RunsAtOnce: 1 });
  const release = portal.holdRuns();
  const first = await portal.started();
  const second = await portal.started();
  expect(await portal.status(first, 'Started')).toBeDefined();
  expect(await portal.status(second, 'Queued')).toBeDefined();
  release();
  expect((await portal.ended(second)).Status).toBe('Succeeded');
  await set(PLAIN);
});
