import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createUser, encryptPasswords, signedInUser, TEST_PASSWORD } from '#test/support/users.ts';

const INSIDE = '10.1.2.3';
const OUTSIDE = '203.0.113.9';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: { trustedNetworks: ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'] } });
});
afterAll(() => app.close());

async function signInFrom(UserName: string, remoteAddress: string, given = TEST_PASSWORD) {
  const [password = ''] = await encryptPasswords(app.http, UserName, [given]);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/token',
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ grant_type: 'password', username: UserName, password }).toString(),
  });
  return { status: answer.statusCode, text: answer.json<{ error_description?: string }>().error_description };
}

const callFrom = async (headers: { authorization: string }, remoteAddress: string, url = '/api/roles') =>
  (await app.http.inject({ url, headers, remoteAddress })).statusCode;

test('to sign in from outside takes the right to', async () => {
  const { UserName } = await createUser(app);
  const traveller = await createUser(app, { rights: ['sk.InternetAccess'] });
  expect((await signInFrom(UserName, INSIDE)).status).toBe(200);
  expect((await signInFrom(UserName, `::ffff:${INSIDE}`)).status).toBe(200);
  expect((await signInFrom(UserName, 'fd00::1')).status).toBe(200);
  expect((await signInFrom(traveller.UserName, OUTSIDE)).status).toBe(200);
});

test('from outside the right password reveals no more than a wrong one, and counts as one', async () => {
  const { UserId, UserName } = await createUser(app);
  const wrong = await signInFrom(UserName, OUTSIDE, 'Wrong-Horse-7');
  expect(wrong).toEqual({ status: 400, text: 'display:Invalid user name or password' });
  expect(await signInFrom(UserName, OUTSIDE)).toEqual(wrong);
  expect(await signInFrom('nobody', OUTSIDE)).toEqual(wrong);
  // Even if the password must be changed, or a second factor is required.
  await app.database.knex('Users').where({ UserId }).update({ MustChangePassword: true });
  expect(await signInFrom(UserName, OUTSIDE)).toEqual(wrong);
  const user = await app.users.findById(UserId);
  expect(user).toMatchObject({ LastLoginTime: null, LastFailedLoginTime: expect.any(Date) });
});

test('from outside a right counts only where the internet has it too, even for administrators', async () => {
  const manager = await signedInUser(app, ['sk.ManageRoles', 'sk.InternetAccess']);
  const stayer = await signedInUser(app, ['sk.ManageRoles']);
  const admin = await createUser(app, { isUserAdmin: true });
  const rightsOf = (fromInternet: boolean) =>
    app.rights.has({ UserId: admin.UserId, IsUserAdmin: true, fromInternet }, 'sk.ManageRoles');
  expect(await callFrom(manager.headers, INSIDE)).toBe(200);
  expect(await callFrom(manager.headers, OUTSIDE)).toBe(403);
  expect([await rightsOf(false), await rightsOf(true)]).toEqual([true, false]);
  await app.database.knex('Grants').insert({ RightName: 'sk.ManageRoles', GranteeKind: 'internet', Access: 1 });
  expect(await callFrom(manager.headers, OUTSIDE)).toBe(200);
  expect(await callFrom(stayer.headers, OUTSIDE)).toBe(401);
  expect(await rightsOf(true)).toBe(true);
});

test('lists are narrowed to what the internet is granted', async () => {
  const { knex } = app.database;
  const person = { UserId: (await createUser(app, { rights: ['sk.RunActivity'] })).UserId, IsUserAdmin: false };
  const grant = { RightName: 'sk.RunActivity', KeyColumnName: 'Schema', KeyColumnValue: 'Public' };
  await knex('Grants').insert({ ...grant, GranteeKind: 'internet', Access: 1 });
  expect(await app.rights.scope(person, 'sk.RunActivity')).toEqual({ kind: 'every' });
  expect(await app.rights.scope({ ...person, fromInternet: true }, 'sk.RunActivity')).toEqual({
    kind: 'in',
    column: 'Schema',
    values: ['Public'],
  });
});
