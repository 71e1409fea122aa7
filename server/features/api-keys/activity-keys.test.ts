/** Tests keys that are restricted to some activities, and the rotation of keys. */
import { expect } from 'vitest';
import type { ActivityList } from '#shared/contract/activities.ts';
import type { ApiKey } from '#shared/contract/users.ts';
import { contractEndpoints } from '#test/support/contract.ts';
import { test as base } from '#test/support/fixtures/step-portal.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';

const DOUBLE = {
  sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1*2', value: 2 } } }],
  names: { in_Amount: 'S!$A$1', out_Double: 'S!$B$1' },
};

const idOf = ({ result }: { result: unknown }): number => (result as { Id: number }).Id;

const test = base.extend('keys', { scope: 'file' }, async ({ portal }) => {
  async function call(headers: object, method: 'GET' | 'POST', url: string, payload?: object) {
    const answer = await portal.app.http.inject({
      method,
      url,
      headers: { ...headers },
      ...(payload ? { payload } : {}),
    });
    return { status: answer.statusCode, ...answer.json<{ result: unknown; message: string }>() };
  }

  async function keyOf(body: object): Promise<ApiKey & { headers: object }> {
    const { result, status } = await call(admin.headers, 'POST', `/api/users/apikeys/create/${admin.UserId}`, body);
    expect(status).toBe(200);
    const made = result as ApiKey;
    return { ...made, headers: bearer(made.Key) };
  }

  const start = (headers: object, ActivityId: number) =>
    call(headers, 'POST', '/api/activities/start', { ActivityId, ActivityVersion: 1, Inputs: [] });
  const user = await createUser(portal.app, { isUserAdmin: true });
  const admin = { ...user, headers: bearer(await signIn(portal.app, user)) };
  const own = (await portal.publish(DOUBLE, 'Own')) as number;
  const other = (await portal.publish(DOUBLE, 'Other')) as number;
  return { admin, own, other, call, keyOf, start };
});

test('a key for an activity finds, runs and watches that one, and its user’s runs of others are not there for it', async ({
  keys: { keyOf, own, call, start, other, admin },
}) => {
  const key = await keyOf({ Name: 'Nightly', Activities: [own] });
  expect([key.Scope, key.Activities]).toEqual(['Run', [own]]);
  const listed = await call(key.headers, 'GET', '/api/activities');
  expect((listed.result as ActivityList).Activities.map(({ Name }) => Name)).toEqual(['Own']);
  const started = await start(key.headers, own);
  expect(started.status).toBe(200);
  expect((await call(key.headers, 'GET', `/api/activities/status/${idOf(started)}`)).status).toBe(200);

  expect((await start(key.headers, other)).status).toBe(404);
  const theirs = await start(admin.headers, other);
  expect(theirs.status).toBe(200);
  const id = idOf(theirs);
  expect((await call(admin.headers, 'GET', `/api/activities/status/${id}`)).status).toBe(200);
  expect((await call(key.headers, 'GET', `/api/activities/status/${id}`)).status).toBe(404);
  expect((await call(key.headers, 'POST', `/api/activities/cancel/${id}`)).status).toBe(404);
  expect((await call(key.headers, 'GET', `/api/activities/details/${other}`)).status).toBe(404);
});

test('it makes the calls that running takes, and every other one is refused', async ({
  keys: { keyOf, own, call },
}) => {
  const { headers } = await keyOf({ Activities: [own] });
  const allowed: string[] = [];
  for (const { method, path, access } of await contractEndpoints()) {
    if (access.kind === 'public' || access.kind === 'token') continue;
    const url = path.replaceAll(/:[A-Za-z]+/g, '1');
    if ((await call(headers, method, url)).status !== 403) allowed.push(`${method} ${path}`);
  }
  expect(allowed.sort()).toEqual([
    'GET /api/activities',
    'GET /api/activities/details/:id',
    'GET /api/activities/downloadFiles/:runId',
    'GET /api/activities/pdf/:runId',
    'GET /api/activities/status/:id',
    'POST /api/activities/cancel/:runId',
    'POST /api/activities/picker/:activityId/:inputId/:index',
    'POST /api/activities/provideinput',
    'POST /api/activities/retry/:runId',
    'POST /api/activities/start',
    'POST /api/activities/status/:id',
    'POST /api/activities/updateui',
    'POST /api/files/upload',
    'POST /api/users/profile',
  ]);
});

test('a key whose activities are gone runs nothing; activities that are not there, and all rights for some of them, are refused', async ({
  portal,
  keys: { keyOf, own, start, admin, call },
}) => {
  const gone = await keyOf({ Activities: [own] });
  await portal.app.database
    .knex('ApiKeys')
    .where({ KeyId: gone.Key.split('.')[0] })
    .update({ ActivityIds: '[]' });
  expect((await start(gone.headers, own)).status).toBe(403);
  const url = `/api/users/apikeys/create/${admin.UserId}`;
  const unknown = await call(admin.headers, 'POST', url, { Activities: [own, 999_999] });
  expect([unknown.status, unknown.message]).toEqual([400, 'There is no such activity']);
  const all = await call(admin.headers, 'POST', url, { Scope: 'All', Activities: [own] });
  expect(all.status).toBe(400);
  expect((await call(admin.headers, 'POST', url, { Activities: [] })).status).toBe(400);
});

test('a rotated key has the same rights; the old one stays valid for a while or not at all', async ({
  portal,
  keys: { keyOf, own, call, admin },
}) => {
  const old = await keyOf({ Name: 'Nightly', Activities: [own], ExpiryDays: 30 });
  const asked = (key: string, body?: object) =>
    call(admin.headers, 'POST', `/api/users/apikeys/rotate/${admin.UserId}/${key}`, body);
  const rotate = async (key: string, body: object) => (await asked(key, body)).result as ApiKey;
  const next = await rotate(old.Key, { KeepHours: 2 });
  expect(next).toMatchObject({ Name: 'Nightly', Scope: 'Run', Activities: [own] });
  expect(next.Key.split('.')[0]).not.toBe(old.Key.split('.')[0]);
  expect((Date.parse(next.ExpiryTime!) - Date.parse(next.CreationTime)) / 86_400_000).toBeCloseTo(30, 1);
  for (const { Key } of [old, next]) expect((await call(bearer(Key), 'GET', '/api/activities')).status).toBe(200);
  const { result } = await call(admin.headers, 'GET', `/api/users/apikeys/${admin.UserId}`);
  const ending = (result as { Items: ApiKey[] }).Items.find(({ Key }) => old.Key.startsWith(Key))!;
  expect((Date.parse(ending.ExpiryTime!) - Date.now()) / 3_600_000).toBeCloseTo(2, 1);

  const last = await rotate(next.Key, { KeepHours: 0 });
  expect((await call(bearer(next.Key), 'GET', '/api/activities')).status).toBe(401);
  expect((await call(bearer(last.Key), 'GET', '/api/activities')).status).toBe(200);
  expect((await asked(next.Key)).status).toBe(404);
  expect((await call(bearer(last.Key), 'POST', `/api/users/apikeys/rotate/${admin.UserId}/${last.Key}`)).status).toBe(
    403,
  );
  const logged = await portal.app.database.knex('SecurityActions').where('Action', 'RotateApiKey').count({ n: '*' });
  expect(Number(logged[0]!['n'])).toBe(2);
});
