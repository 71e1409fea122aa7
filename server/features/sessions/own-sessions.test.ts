import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnSession } from '#shared/contract/own-sessions.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { bearer, createUser, encryptPasswords, postToken, signIn, TEST_PASSWORD } from '#test/support/users.ts';
import { createOwnSessionsService } from './own-sessions-service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: { inactivityMinutes: 20 } });
});
afterAll(() => app.close());

const call = (token: string, method: 'GET' | 'POST', path = '', payload?: object) =>
  app.http.inject({
    method,
    url: `/api/users/sessions${path}`,
    headers: bearer(token),
    ...(payload ? { payload } : {}),
  });
const sessionsOf = async (token: string): Promise<OwnSession[]> =>
  (await call(token, 'GET')).json<{ result: { Items: OwnSession[] } }>().result.Items;
const proof = async (userName: string, password = TEST_PASSWORD) => ({
  Password: (await encryptPasswords(app.http, userName, [password]))[0]!,
});
const isIn = async (token: string): Promise<boolean> => (await call(token, 'GET')).statusCode === 200;

test('one sees one’s own sessions that have not ended, and nobody else’s', async () => {
  const { knex, dialect } = app.database;
  const user = await createUser(app, { userName: 'Ines' });
  const { body } = await postToken(app, 'ines', TEST_PASSWORD);
  const tokens = [body.access_token, await signIn(app, user), await signIn(app, user), await signIn(app, user)];
  await signIn(app, await createUser(app));
  const [mine = '', other = '', idle = '', ended = ''] = tokens;
  const idOf = async (token: string) => (await app.sessions.authenticate(token, { address: '' })).SessionId;
  const past = dialect.plusSeconds(knex, 'LastUsedTime', -25 * 60);
  await knex('Sessions')
    .where('SessionId', await idOf(idle))
    .update({ LastUsedTime: past });
  await app.http.inject({ method: 'POST', url: '/api/logout', headers: bearer(ended), payload: {} });
  await knex('Sessions')
    .where('SessionId', await idOf(other))
    .update({ Address: '203.0.113.9', Client: 'Some program', LastUsedTime: dialect.nowPlus(knex, -60) });
  const sessions = await sessionsOf(mine);
  expect(sessions).toMatchObject([
    { IsCurrent: true, Client: 'lightMyRequest' },
    { IsCurrent: false, Address: '203.0.113.9', Client: 'Some program' },
  ]);
  // The id that the tables use for a session is not revealed to anybody.
  expect(JSON.stringify(sessions)).not.toContain(await idOf(other));
});

test('one ends a session of one’s own, and cannot end another’s; it is logged', async () => {
  const [user, stranger] = [await createUser(app, { userName: 'Jona' }), await createUser(app)];
  const [mine, other, theirs] = [await signIn(app, user), await signIn(app, user), await signIn(app, stranger)];
  const [foreign] = await sessionsOf(theirs);
  const refused = await call(mine, 'POST', '/end', { Id: foreign!.Id, ...(await proof('Jona')) });
  expect([refused.statusCode, refused.json()]).toEqual([404, { message: 'There is no such session' }]);
  expect(await isIn(theirs)).toBe(true);
  const { Id } = (await sessionsOf(mine)).find(({ IsCurrent }) => !IsCurrent)!;
  expect((await call(mine, 'POST', '/end', { Id, ...(await proof('Jona')) })).json()).toEqual({ result: null });
  expect([await isIn(mine), await isIn(other)]).toEqual([true, false]);
  expect((await call(mine, 'POST', '/end', { Id, ...(await proof('Jona')) })).statusCode).toBe(404);
  expect(await actionsOf('Jona')).toEqual(['EndSession']);
});

test('one ends all sessions but the one in use', async () => {
  const user = await createUser(app, { userName: 'Kira' });
  const [mine, other, third] = [await signIn(app, user), await signIn(app, user), await signIn(app, user)];
  const stranger = await signIn(app, await createUser(app));
  expect((await call(mine, 'POST', '/endothers', await proof('Kira'))).statusCode).toBe(200);
  expect([await isIn(mine), await isIn(other), await isIn(third)]).toEqual([true, false, false]);
  expect(await isIn(stranger)).toBe(true);
  expect(await sessionsOf(mine)).toHaveLength(1);
  expect(await actionsOf('Kira')).toEqual(['EndOtherSessions']);
});

test('who only has the session of a person ends none of theirs: that takes the password', async () => {
  const user = await createUser(app, { userName: 'Mara' });
  const [mine, other] = [await signIn(app, user), await signIn(app, user)];
  const { Id } = (await sessionsOf(mine)).find(({ IsCurrent }) => !IsCurrent)!;
  const everywhere = (payload: object) =>
    app.http.inject({ method: 'POST', url: '/api/logout', headers: bearer(mine), payload });
  const wrong = await proof('Mara', 'not-the-password');
  for (const answer of [
    await call(mine, 'POST', '/end', { Id }),
    await call(mine, 'POST', '/endothers', {}),
    await everywhere({ Everywhere: true }),
  ])
    expect([answer.statusCode, answer.json().message]).toEqual([400, 'Please enter your password']);
  const refused = await call(mine, 'POST', '/end', { Id, ...wrong });
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'The password is wrong']);
  // A sign-in at a provider proves nothing for a person who did not sign in through one.
  expect((await call(mine, 'POST', '/endothers', { Ott: 'x'.repeat(43) })).statusCode).toBe(400);
  expect([await isIn(mine), await isIn(other)]).toEqual([true, true]);
  expect(await actionsOf('Mara')).toEqual([]);
  expect((await everywhere({ Everywhere: true, ...(await proof('Mara')) })).statusCode).toBe(200);
  expect([await isIn(mine), await isIn(other)]).toEqual([false, false]);
});

test('a call without a session, as with an API key, ends none', async () => {
  const user = await createUser(app, { userName: 'Lena' });
  const token = await signIn(app, user);
  const { UserId, UserName } = await app.sessions.authenticate(token, { address: '' });
  const person = { UserId, UserName, FirstName: '', LastName: '', Source: 'Local', IsUserAdmin: false } as const;
  const own = createOwnSessionsService(app.database, { inactivityMinutes: 20, sessionHours: 24 });
  await expect(own.endOthers({ ...person, SessionId: '' }, '')).rejects.toMatchObject({ status: 403 });
  expect(await isIn(token)).toBe(true);
  expect(await own.list({ ...person, SessionId: '' })).toMatchObject([{ IsCurrent: false }]);
});

const actionsOf = (TargetUserName: string): Promise<string[]> =>
  app.database.knex('SecurityActions').where({ TargetUserName }).pluck('Action') as unknown as Promise<string[]>;
