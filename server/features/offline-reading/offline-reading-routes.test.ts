import { afterAll, beforeAll, expect, test } from 'vitest';
import { OFFLINE_DAYS_DEFAULT, OFFLINE_DAYS_MAX } from '#shared/contract/offline-reading.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { bearer, createUser, signIn } from '#test/support/users.ts';

let app: TestApp;
let admin: Record<string, string>;
let anybody: Record<string, string>;
beforeAll(async () => {
  app = await testApp();
  admin = bearer(await signIn(app, await createUser(app, { isUserAdmin: true })));
  anybody = bearer(await signIn(app, await createUser(app)));
});
afterAll(() => app.close());

const current = async (headers: Record<string, string>) =>
  (await app.http.inject({ method: 'GET', url: '/api/offlinereading', headers })).json<{ result: unknown }>().result;
const set = (headers: Record<string, string>, payload: object) =>
  app.http.inject({ method: 'POST', url: '/api/admin/offlinereading', headers, payload });

test('anybody who is signed in learns how long may be read; strangers do not', async () => {
  expect(await current(anybody)).toEqual({ Days: OFFLINE_DAYS_DEFAULT });
  expect((await app.http.inject({ method: 'GET', url: '/api/offlinereading' })).statusCode).toBe(401);
});

test('an administrator of users decides, which is logged', async () => {
  const answer = await set(admin, { Days: 0 });
  expect([answer.statusCode, answer.json()]).toEqual([200, { result: { Days: 0 } }]);
  expect(await current(anybody)).toEqual({ Days: 0 });
  const last = await app.database.knex('SecurityActions').orderBy('Id', 'desc').first();
  expect(last).toMatchObject({ Action: 'SetOfflineReading', KeyColumnName: 'Days', KeyColumnValue: '0' });
  await set(admin, { Days: 30 });
  expect(await current(anybody)).toEqual({ Days: 30 });
});

test('nobody else does, and no other number is taken', async () => {
  expect((await set(anybody, { Days: 3 })).statusCode).toBe(403);
  for (const payload of [
    { Days: -1 },
    { Days: OFFLINE_DAYS_MAX + 1 },
    { Days: 1.5 },
    { Days: null },
    {},
    { Days: 1, X: 1 },
  ])
    expect((await set(admin, payload)).statusCode).toBe(400);
  expect(await current(admin)).toEqual({ Days: 30 });
});

test('a value that cannot be read allows nothing', async () => {
  await app.database.knex('Settings').where('Name', 'OfflineDays').update({ Value: 'many' });
  expect(await current(anybody)).toEqual({ Days: 0 });
});
