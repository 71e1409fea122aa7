import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { queriesOf } from '#test/support/queries.ts';
import { grant, signedInUser } from '#test/support/users.ts';
import { createRecentCallers } from '#server/access/sign-in/recent-callers.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

type Signed = Pick<Awaited<ReturnType<typeof signedInUser>>, 'headers'>;

const users = async ({ headers }: Signed): Promise<number> =>
  (await app.http.inject({ url: '/api/users', headers })).statusCode;

/** Returns the first tables that a call queries. */
async function firstAsked(signed: Signed): Promise<string[]> {
  const { queries } = await queriesOf(app.database.knex, () => users(signed));
  return queries.slice(0, 2).map((sql) => (/"Grants"|\[Grants\]/.test(sql) ? 'Grants' : 'AccessTokens'));
}

test('grants of who has called before are asked for together with their session, once', async () => {
  const manager = await signedInUser(app, ['sk.ManageUsers']);
  expect(await firstAsked(manager)).toEqual(['AccessTokens', 'Grants']);
  const { queries } = await queriesOf(app.database.knex, () => users(manager));
  expect(queries.filter((sql) => sql.includes('RoleUsers') && sql.includes('KeyColumnValue'))).toHaveLength(1);
  expect(await firstAsked(manager)).toEqual(['Grants', 'AccessTokens']);
});

test('what is granted and taken holds from the next call on', async () => {
  const manager = await signedInUser(app);
  expect(await users(manager)).toBe(403);
  await grant(app, manager.UserId, 'sk.ManageUsers');
  expect(await users(manager)).toBe(200);
  await app.database
    .knex('Grants')
    .where({ Grantee: String(manager.UserId) })
    .delete();
  expect(await users(manager)).toBe(403);
});

test('a session that has ended lets nobody in whose grants are known', async () => {
  const manager = await signedInUser(app, ['sk.ManageUsers']);
  expect(await users(manager)).toBe(200);
  await app.http.inject({ method: 'POST', url: '/api/logout', headers: manager.headers });
  expect(await users(manager)).toBe(401);
});

test('a user who becomes or stops being an administrator is judged by their state at the call', async () => {
  const person = await signedInUser(app);
  const setAdmin = (IsUserAdmin: boolean) =>
    app.database.knex('Users').where({ UserId: person.UserId }).update({ IsUserAdmin });
  expect(await users(person)).toBe(403);
  await setAdmin(true);
  expect([await users(person), await users(person)]).toEqual([200, 200]);
  await setAdmin(false);
  expect(await users(person)).toBe(403);
});

test('the callers that are remembered are the last ones, and no administrators', () => {
  const recent = createRecentCallers(2);
  recent.remember('a', { UserId: 1, IsUserAdmin: false });
  recent.remember('b', { UserId: 2, IsUserAdmin: false });
  recent.remember('a', { UserId: 1, IsUserAdmin: false });
  recent.remember('c', { UserId: 3, IsUserAdmin: false });
  expect(['a', 'b', 'c'].map((token) => recent.userOf(token))).toEqual([1, undefined, 3]);
  recent.remember('a', { UserId: 1, IsUserAdmin: true });
  expect(recent.userOf('a')).toBeUndefined();
});
