/** A key for running activities does no more, whoever its user is. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';

let app: TestApp;
let admin: { UserId: number; headers: { authorization: string } };
let activityId: number;
beforeAll(async () => {
  app = await testApp();
  const user = await createUser(app, { isUserAdmin: true });
  admin = { ...user, headers: bearer(await signIn(app, user)) };
  await app.database.knex('Schemas').insert({ Name: 'Finance', DisplayName: 'Finance' });
  activityId = await insertActivity(app.database.knex, { UserId: user.UserId, Schema: 'Finance', Name: 'Loan' });
});
afterAll(() => app.close());

async function call(headers: object, method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await app.http.inject({ method, url, headers: { ...headers }, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json<{ result: { Key: string; Scope: string } }>() };
}

async function keyOf(body: object | null): Promise<{ headers: object; Scope: string }> {
  const url = `/api/users/apikeys/create/${admin.UserId}`;
  const { result } = await call(admin.headers, 'POST', url, body ?? undefined);
  return { headers: bearer(result.Key), Scope: result.Scope };
}

test('a key to run activities of an administrator runs them, and administers, edits and deletes nothing', async () => {
  const { headers, Scope } = await keyOf({ Name: 'Nightly', Scope: 'Run' });
  expect(Scope).toBe('Run');
  const { result } = await call(headers, 'GET', '/api/activities');
  expect(JSON.stringify(result)).toContain('"Loan"');
  const refused: ['GET' | 'POST', string, object?][] = [
    ['GET', '/api/users'],
    ['GET', '/api/rights'],
    ['GET', '/api/roles'],
    ['GET', '/api/rights/userRightList'],
    ['GET', '/api/rights/securityActionsList/0'],
    ['POST', '/api/roles/create/mine'],
    ['POST', `/api/rights/sk.ManageUsers/users/grant`, [admin.UserId]],
    ['POST', `/api/users/disable/${admin.UserId}`],
    ['POST', '/api/admin/renewLicense', { Key: 'x' }],
  ];
  for (const [method, url, payload] of refused) {
    expect([url, (await call(headers, method, url, payload)).status]).toEqual([url, 403]);
  }
  const asked = { method: 'POST' as const, url: '/api/users/profile', headers: { ...headers } };
  const names = ['IsUserAdmin', 'sk.RunActivity', 'sk.EditActivity', 'sk.PurgeRuns'];
  const profile = (await app.http.inject({ ...asked, payload: names })).json<{ result: { Rights: object } }>();
  expect(profile.result.Rights).toEqual({
    IsUserAdmin: false,
    'sk.RunActivity': true,
    'sk.EditActivity': false,
    'sk.PurgeRuns': false,
  });
  expect(activityId).toBeGreaterThan(0);
});

test('a key made as before, or for everything, does what its user may', async () => {
  for (const body of [null, { Name: 'All', Scope: 'All' }]) {
    const { headers, Scope } = await keyOf(body);
    expect(Scope).toBe('All');
    expect((await call(headers, 'GET', '/api/users')).status).toBe(200);
  }
  const url = `/api/users/apikeys/create/${admin.UserId}`;
  expect((await call(admin.headers, 'POST', url, { Scope: 'Everything' })).status).toBe(400);
});
