import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity } from '#test/support/runs.ts';
import {
  bearer,
  createUser,
  encryptPasswords,
  postToken,
  signedInUser,
  signIn,
  TEST_PASSWORD,
} from '#test/support/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

type Headers = { authorization: string };

async function post(headers: Headers, url: string, payload?: object) {
  const answer = await app.http.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, ...answer.json<{ result?: never; message?: string; modelState?: object }>() };
}

const get = async (headers: Headers, url: string) =>
  (await app.http.inject({ url, headers })).json<{ result: Listed }>().result;

/** All fields of the responses that these tests use. */
interface Listed {
  Items: { UserName: string; Key: string }[];
  Total: number;
  HasMore: boolean;
}

const FIELDS = { FirstName: 'Nora', MiddleName: '', LastName: 'New', Email: 'nora@example.org' };

async function create(
  headers: Headers,
  UserName: string,
  changes: object = {},
  password: string | null = TEST_PASSWORD,
) {
  const Password = password === null ? undefined : (await encryptPasswords(app.http, UserName, [password]))[0];
  return post(headers, '/api/users/create', { ...FIELDS, UserName, ...(Password ? { Password } : {}), ...changes });
}

const actions = async (where: object = {}): Promise<string[]> =>
  (await app.database.knex('SecurityActions').where(where).orderBy('Id').pluck('Action')) as string[];

test('a manager makes a user, who has to change the password at the first sign-in', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  expect((await create(headers, 'Nora')).status).toBe(200);
  expect((await postToken(app, 'nora', TEST_PASSWORD)).body.error_description).toMatch(/You must change your password/);
  expect((await postToken(app, 'nora', TEST_PASSWORD, 'Another-Horse-8')).status).toBe(200);
  expect(await actions({ TargetUserName: 'Nora' })).toEqual(['CreateUser', 'ChangePassword']);
});

test('a user is refused by field: names, mail, password, a name in use', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  await createUser(app, { userName: 'Taken' });
  const problems = async (...args: [string, object?, (string | null)?]) => {
    const [name, changes, password] = args;
    return (await create(headers, name, changes, password)).modelState;
  };
  expect(await problems('a<b', { FirstName: '' })).toEqual({
    UserName: ['User name contains disallowed characters'],
    FirstName: ['First name must be specified'],
  });
  for (const Email of [
    'nowhere',
    '<script>@x.test',
    'a@x.test\r\nBcc: b@x.test',
    'a@x.test,b@x.test',
    'a\u0001@x.test',
    '"a"@x.test',
  ]) {
    expect(await problems('ok', { Email })).toEqual({ Email: ['Email is not a valid email address'] });
  }
  for (const evil of ['Ada\r\nLove', 'Ada\u0085', 'Ada\u2028Love', 'Ada\u202efdp.exe', 'Ada\u001b[31m']) {
    for (const field of ['FirstName', 'MiddleName', 'LastName']) {
      const said = expect.stringMatching(/ must not contain line breaks or control characters$/);
      expect(await problems('ok', { [field]: `${evil}.` })).toEqual({ [field]: [said] });
    }
    expect(await problems(`${evil}.`)).toMatchObject({ UserName: [expect.stringContaining('must not contain')] });
  }
  expect(await problems('ok', {}, 'weak')).toMatchObject({ Password: [expect.stringContaining('at least 8')] });
  expect(await problems('TAKEN')).toEqual({ UserName: ['A user with this name already exists'] });
  expect(await app.users.findByName('ok')).toBeUndefined();
});

test('only administrators touch administrators, or make others so', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  const admin = await createUser(app, { isUserAdmin: true });
  const root = bearer(await signIn(app, admin));
  expect((await create(headers, 'sneaky', { IsUserAdmin: true })).status).toBe(403);
  for (const call of ['enable', 'disable', 'delete']) {
    expect((await post(headers, `/api/users/${call}/${admin.UserId}`)).status).toBe(403);
  }
  const [Password] = await encryptPasswords(app.http, admin.UserName, [TEST_PASSWORD]);
  expect((await post(headers, '/api/users/setNewPassword', { UserName: admin.UserName, Password })).status).toBe(403);
  expect((await post(headers, `/api/users/apikeys/create/${admin.UserId}`)).status).toBe(403);
  expect((await create(root, 'helper', { IsUserAdmin: true })).status).toBe(200);
  const own = { ...FIELDS, UserId: admin.UserId, UserName: admin.UserName, IsUserAdmin: false };
  expect((await post(root, '/api/users/update', own)).status).toBe(400);
});

test('two who edit the same user undo nothing of each other', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  const { result } = await create(headers, 'shared');
  const { UserId } = result as unknown as { UserId: number };
  const flags = { IsUserAdmin: false, SecondFactorRequired: false, DisableInputDownload: false };
  const Seen = { UserName: 'shared', ...FIELDS, ...flags };
  const { IsUserAdmin: _isUserAdmin, ...unchanged } = { UserId, ...Seen };
  const update = (changes: object, seen: object = Seen) =>
    post(headers, '/api/users/update', { ...unchanged, ...changes, Seen: seen });
  const stored = () => app.users.findById(UserId);

  expect((await update({ Email: 'new@example.org', SecondFactorRequired: true })).status).toBe(200);
  expect((await update({ LastName: 'Later' })).status).toBe(200);
  expect(await stored()).toMatchObject({ LastName: 'Later', Email: 'new@example.org', SecondFactorRequired: true });

  const conflict = await update({ FirstName: 'Norah', LastName: 'Other' });
  expect(conflict).toMatchObject({ status: 409, modelState: { LastName: ["Another user changed this to 'Later'"] } });
  expect(await stored()).toMatchObject({ FirstName: 'Nora', LastName: 'Later' });
  const again = await update({ FirstName: 'Norah', LastName: 'Other' }, { ...Seen, LastName: 'Later' });
  expect(again.status).toBe(200);
  expect(await stored()).toMatchObject({ FirstName: 'Norah', LastName: 'Other', Email: 'new@example.org' });
});

test('two who save the same user at the same moment undo nothing of each other', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  const { result } = await create(headers, 'at once');
  const { UserId } = result as unknown as { UserId: number };
  const fields = { UserName: 'at once', ...FIELDS, SecondFactorRequired: false, DisableInputDownload: false };
  const Seen = { ...fields, IsUserAdmin: false };
  const changes = [{ FirstName: 'Norah' }, { LastName: 'Other' }, { DisableInputDownload: true }];
  const update = (change: object) => post(headers, '/api/users/update', { UserId, ...fields, ...change, Seen });
  const answers = await Promise.all(changes.map(update));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await app.users.findById(UserId)).toMatchObject(Object.assign({}, ...changes));
});

test('disabling ends the sessions at once; nobody disables or deletes themselves or somebody who is disabled', async () => {
  const manager = await signedInUser(app, ['sk.ManageUsers']);
  const user = await signedInUser(app);
  expect((await post(manager.headers, `/api/users/disable/${manager.UserId}`)).status).toBe(400);
  expect((await post(manager.headers, `/api/users/delete/${manager.UserId}`)).status).toBe(400);
  expect((await post(manager.headers, `/api/users/disable/${user.UserId}`)).status).toBe(200);
  expect((await post(user.headers, '/api/users/profile', [])).status).toBe(401);
  expect((await post(manager.headers, `/api/users/delete/${user.UserId}`)).message).toMatch(/^Only enabled users/);
  expect((await post(manager.headers, `/api/users/enable/${user.UserId}`)).status).toBe(200);
  expect(await actions({ TargetUserName: user.UserName })).toEqual(['DisableUser', 'EnableUser']);
  // The old session stays ended when the account is enabled again.
  expect((await post(user.headers, '/api/users/profile', [])).status).toBe(401);
});

test('a deleted user is gone, but for the name at what they made; the name is free again', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUsers']);
  const { knex } = app.database;
  const [maker, other] = [
    await createUser(app, { userName: 'Maker', rights: ['sk.RunActivity'] }),
    await createUser(app, { userName: 'Other' }),
  ];
  await knex('Schemas').insert({ Name: 'Finance', DisplayName: 'Finance' });
  await insertActivity(knex, { UserId: maker.UserId, Schema: 'Finance' });
  for (const { UserId } of [maker, other])
    expect((await post(headers, `/api/users/delete/${UserId}`)).status).toBe(200);
  expect(await knex('Users').where({ UserId: other.UserId })).toEqual([]);
  expect(await knex('Users').where({ UserId: maker.UserId }).first()).toMatchObject({
    UserName: 'Maker',
    Enabled: false,
    PasswordHash: null,
  });
  expect(await knex('Grants').where({ Grantee: String(maker.UserId) })).toEqual([]);
  expect((await post(headers, `/api/users/enable/${maker.UserId}`)).status).toBe(404);
  expect((await postToken(app, 'maker', TEST_PASSWORD)).status).toBe(400);
  const { Items } = await get(headers, '/api/users?Search=Maker');
  expect(Items).toEqual([]);
  expect((await create(headers, 'Maker')).status).toBe(200);
});

test('a password set by a manager has to be changed, and ends the sessions', async () => {
  const manager = await signedInUser(app, ['sk.ManageUserPasswords']);
  const user = await signedInUser(app);
  const set = async (UserName: string) => {
    const [Password] = await encryptPasswords(app.http, UserName, ['Given-Horse-9']);
    return post(manager.headers, '/api/users/setNewPassword', { UserName, Password });
  };
  expect((await set(user.UserName)).status).toBe(200);
  expect((await post(user.headers, '/api/users/profile', [])).status).toBe(401);
  expect((await postToken(app, user.UserName, 'Given-Horse-9')).body.error_description).toMatch(/must change/);
  expect((await set(manager.UserName)).status).toBe(400);
  expect((await set('nobody-here')).status).toBe(404);
});

test('the list is searched and paged, and says what the caller may do', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUserPasswords']);
  for (const name of ['Zoe_1', 'Zoe_2', 'Zoe%3']) await createUser(app, { userName: name });
  const first = await get(headers, '/api/users?Search=zoe&Take=2');
  expect(first).toMatchObject({ Total: 3, HasMore: true, canManageUsers: false, canManagePasswords: true });
  const rest = await get(headers, '/api/users?Search=zoe&Take=2&Skip=2');
  expect(rest.HasMore).toBe(false);
  expect([...first.Items, ...rest.Items].map(({ UserName }) => UserName).sort()).toEqual(
    ['Zoe%3', 'Zoe_1', 'Zoe_2'].sort(),
  );
  expect((await get(headers, `/api/users?Search=${encodeURIComponent('zoe%')}`)).Total).toBe(1);
  const stranger = await signedInUser(app);
  expect((await app.http.inject({ url: '/api/users', headers: stranger.headers })).statusCode).toBe(403);
});

test('an API key makes calls as its user until it is deleted or expires, and is stored as a hash', async () => {
  const { headers } = await signedInUser(app, ['sk.ManageUserPasswords']);
  const user = await createUser(app, { rights: ['sk.ManageUserPasswords'] });
  const made = (await post(headers, `/api/users/apikeys/create/${user.UserId}`, { Name: 'Nightly' })) as {
    result?: { Key: string };
  };
  const key = made.result!.Key;
  const profile = () => post(bearer(key), '/api/users/profile', []);
  expect(((await profile()) as { result?: { UserName: string } }).result?.UserName).toBe(user.UserName);
  expect((await post(bearer(`${key}x`), '/api/users/profile', [])).status).toBe(401);
  // A leaked key must not be able to create further keys or become a session.
  expect((await post(bearer(key), `/api/users/apikeys/create/${user.UserId}`)).status).toBe(403);
  expect((await post(bearer(key), '/api/renewtoken')).status).toBe(403);

  const [secret = ''] = key.split('.').slice(1);
  expect(JSON.stringify(await app.database.knex('ApiKeys'))).not.toContain(secret);
  const { Items } = await get(headers, `/api/users/apikeys/${user.UserId}`);
  expect(Items).toEqual([
    expect.objectContaining({ Name: 'Nightly', Key: key.split('.')[0], LastUsedTime: expect.any(String) }),
  ]);
  await app.database.knex('ApiKeys').update({ ExpiryTime: new Date(0) });
  expect((await profile()).status).toBe(401);
  await app.database.knex('ApiKeys').update({ ExpiryTime: null });
  expect((await profile()).status).toBe(200);
  expect((await post(headers, `/api/users/apikeys/delete/${user.UserId}/${Items[0]!.Key}`)).status).toBe(200);
  expect((await profile()).status).toBe(401);
  expect(await actions({ TargetUserName: user.UserName })).toEqual(['GrantRight', 'CreateApiKey', 'DeleteApiKey']);
});

test('without mail, who makes a user is shown a link once, with which the user sets the password, once', async () => {
  const strict = await testApp({ settings: { allowAdminToSetPassword: false } });
  const { headers } = await signedInUser(strict, ['sk.ManageUsers']);
  const call = (url: string, payload: object) => strict.http.inject({ method: 'POST', url, headers, payload });
  const [Password] = await encryptPasswords(strict.http, 'Newcomer', [TEST_PASSWORD]);
  const user = { ...FIELDS, UserName: 'Newcomer', Email: '' };
  expect((await call('/api/users/create', { ...user, Password })).statusCode).toBe(403);
  const made = await call('/api/users/create', user);
  const { SetPasswordPath } = made.json<{ result: { SetPasswordPath: string } }>().result;
  expect(SetPasswordPath).toMatch(/^resetpassword\?token=[\w-]{43}$/);
  const Token = SetPasswordPath.split('=')[1];
  const set = async () => {
    const [encrypted] = await encryptPasswords(strict.http, 'Newcomer', ['Chosen-Horse-9']);
    const payload = { UserName: 'Newcomer', Password: encrypted, Token };
    return (await strict.http.inject({ method: 'POST', url: '/api/users/resetpassword', payload })).statusCode;
  };
  expect(await set()).toBe(200);
  expect(await set()).toBe(400);
  expect((await postToken(strict, 'newcomer', 'Chosen-Horse-9')).status).toBe(200);
  const logged = await strict.database
    .knex('SecurityActions')
    .where({ TargetUserName: 'Newcomer' })
    .orderBy('Id')
    .pluck('Action');
  expect(logged).toEqual(['CreateUser', 'ShowPasswordLink', 'ResetPassword']);
  await strict.close();
});

test('settings switch off setting passwords and API keys', async () => {
  const strict = await testApp({ settings: { allowAdminToSetPassword: false, enableUserApiKeys: false } });
  const { headers, UserId } = await signedInUser(strict, ['sk.ManageUsers']);
  const { UserName } = await createUser(strict);
  const [Password] = await encryptPasswords(strict.http, UserName, [TEST_PASSWORD]);
  const call = (url: string, payload: object) => strict.http.inject({ method: 'POST', url, headers, payload });
  expect((await call('/api/users/setNewPassword', { UserName, Password })).statusCode).toBe(403);
  expect((await call(`/api/users/apikeys/create/${UserId}`, {})).json()).toMatchObject({
    message: 'This functionality is disabled',
  });
  await strict.close();
});
