import { createPublicKey } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PasswordKey } from '#shared/contract/auth.ts';
import { UNATTENDED_HEADER } from '#shared/contract/headers.ts';
import { createPairSource, createPasswordKeysService } from './password-keys-service.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { bearer, createUser, encryptPasswords, postToken, signIn, TEST_PASSWORD } from '#test/support/users.ts';

const NEW_PASSWORD = 'Another-Horse-8';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

async function profile(token: string, rights: string[] = []) {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/users/profile',
    headers: bearer(token),
    payload: rights,
  });
  return { status: answer.statusCode, result: answer.json<{ result: Record<string, unknown> }>().result };
}

/** Moves a session's times into the past, to simulate waiting. */
async function age(token: string, table: 'Sessions' | 'AccessTokens', column: string, seconds: number): Promise<void> {
  const { SessionId } = await app.sessions.authenticate(token, { address: '', unattended: true });
  const { knex, dialect } = app.database;
  await knex(table)
    .where({ SessionId })
    .whereNotNull(column)
    .update({ [column]: dialect.plusSeconds(knex, column, -seconds) });
}

test('a user signs in with an encrypted password and gets a token that works', async () => {
  const user = await createUser(app, { userName: 'Anna', rights: ['sk.RunActivity'] });
  const { status, body } = await postToken(app, 'anna', TEST_PASSWORD);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ssoExpiry: null, ssoProvider: null, inactivityTimeout: 1200, lastLoginTime: null });
  expect(Date.parse(body.expiry)).toBeGreaterThan(Date.now() + 29 * 60_000);
  const { result } = await profile(body.access_token, ['sk.RunActivity', 'sk.ManageUsers', 'IsUserAdmin', 'no.Such']);
  expect(result).toEqual({
    UserId: user.UserId,
    UserName: 'Anna',
    FirstName: 'Anna',
    LastName: '',
    Source: 'Local',
    Rights: { 'sk.RunActivity': true, 'sk.ManageUsers': false, IsUserAdmin: false, 'no.Such': false },
    IsUserAdmin: false,
    DisableInputDownload: false,
    EditorsMayShare: true,
    Language: null,
    Region: null,
    License: { Company: 'Community', Expiry: null },
  });
});

test('keys for passwords have 3,072 bits; those of a minute share a pair, but each is good for one password', async () => {
  const keyOf = async () => {
    const payload = { UserName: 'anybody' };
    const answer = await app.http.inject({ method: 'POST', url: '/api/users/generatekey', payload });
    return answer.json<{ result: PasswordKey }>().result;
  };
  const [one, two, three] = [await keyOf(), await keyOf(), await keyOf()];
  const key = createPublicKey({ key: Buffer.from(one.Key, 'base64'), format: 'der', type: 'spki' });
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(3072);
  expect(new Set([one, two, three].map(({ KeyId }) => KeyId)).size).toBe(3);
  let time = 0;
  const keys = createPasswordKeysService(
    app.database,
    createPairSource(() => time),
  );
  const pair = (await keys.generate('anybody')).Key;
  expect((await keys.generate('anybody')).Key).toBe(pair);
  time = 61_000;
  await expect.poll(async () => (await keys.generate('anybody')).Key).not.toBe(pair);
});

test('a wrong password and a name that nobody has are refused in the same words', async () => {
  await createUser(app, { userName: 'Bert' });
  const refusal = {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'display:Invalid user name or password' },
  };
  expect(await postToken(app, 'bert', 'Wrong-Horse-7')).toMatchObject(refusal);
  expect(await postToken(app, 'nobody', TEST_PASSWORD)).toMatchObject(refusal);
});

test('the next sign-in says when the last one was, and names a failed attempt in a header', async () => {
  await createUser(app, { userName: 'Carl' });
  const first = await postToken(app, 'carl', TEST_PASSWORD);
  expect(first.headers['x-last-failed-login-time']).toBeUndefined();
  await postToken(app, 'carl', 'Wrong-Horse-7');
  const second = await postToken(app, 'carl', TEST_PASSWORD);
  expect(second.body.lastLoginTime).not.toBeNull();
  expect(Date.parse(String(second.headers['x-last-failed-login-time']))).not.toBeNaN();
  const third = await postToken(app, 'carl', TEST_PASSWORD);
  expect(third.headers['x-last-failed-login-time']).toBeUndefined();
});

test('a key decrypts once: the same encrypted password signs in no second time', async () => {
  await createUser(app, { userName: 'Dora' });
  const [encrypted = ''] = await encryptPasswords(app.http, 'dora', [TEST_PASSWORD]);
  const post = () =>
    app.http.inject({
      method: 'POST',
      url: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ grant_type: 'password', username: 'dora', password: encrypted }).toString(),
    });
  expect((await post()).statusCode).toBe(200);
  expect((await post()).json()).toMatchObject({ error: 'invalid_grant' });
  expect(await app.database.knex('PasswordKeys').where({ UserNameKey: 'dora' })).toEqual([]);
});

test('who must change the password is asked to, and gets in with a new one that meets the policy', async () => {
  const { UserId } = await createUser(app, { userName: 'Emil' });
  await app.database.knex('Users').where({ UserId }).update({ MustChangePassword: true });
  const asked = await postToken(app, 'emil', TEST_PASSWORD);
  expect(asked.body.error_description).toMatch(/^display:You must change your password/);
  const weak = await postToken(app, 'emil', TEST_PASSWORD, 'weak');
  expect(weak.body.error_description).toMatch(/^display:Password must be at least 8 characters/);
  const same = await postToken(app, 'emil', TEST_PASSWORD, TEST_PASSWORD);
  expect(same.body.error_description).toBe('display:The new password must differ from the old one');
  expect((await postToken(app, 'emil', TEST_PASSWORD, NEW_PASSWORD)).status).toBe(200);
  expect((await postToken(app, 'emil', TEST_PASSWORD)).status).toBe(400);
  expect((await postToken(app, 'emil', NEW_PASSWORD)).status).toBe(200);
});

test('a disabled user neither signs in nor keeps a session', async () => {
  const user = await createUser(app, { userName: 'Fred' });
  const token = await signIn(app, user);
  await app.database.knex('Users').where({ UserId: user.UserId }).update({ Enabled: false });
  expect((await postToken(app, 'fred', TEST_PASSWORD)).status).toBe(400);
  expect((await profile(token)).status).toBe(401);
});

test('a renewed token works, and the old one only for calls in flight', async () => {
  const old = await signIn(app, await createUser(app));
  const answer = await app.http.inject({ method: 'POST', url: '/api/renewtoken', headers: bearer(old) });
  const renewed = answer.json<{ result: { access_token: string } }>().result.access_token;
  expect((await profile(old)).status).toBe(200);
  expect((await profile(renewed)).status).toBe(200);
  await age(renewed, 'AccessTokens', 'ReplacedTime', 31);
  expect((await profile(old)).status).toBe(401);
  // Somebody may have copied the token, so nobody can continue the session.
  expect((await profile(renewed)).status).toBe(401);
});

test('of tokens that were renewed at the same time, one lasts', async () => {
  const old = await signIn(app, await createUser(app));
  const renew = async (): Promise<string> => {
    const answer = await app.http.inject({ method: 'POST', url: '/api/renewtoken', headers: bearer(old) });
    return answer.json<{ result: { access_token: string } }>().result.access_token;
  };
  const renewed = await Promise.all([renew(), renew(), renew(), renew()]);
  const works = async (): Promise<boolean[]> =>
    Promise.all(renewed.map(async (token) => (await profile(token)).status === 200));
  // Each response's token is valid for calls that are sent before a later response arrives.
  expect(await works()).toEqual([true, true, true, true]);
  await age(renewed[0]!, 'AccessTokens', 'ExpiryTime', 31);
  expect((await works()).filter(Boolean)).toHaveLength(1);
});

test('an expired token is refused', async () => {
  const token = await signIn(app, await createUser(app));
  await age(token, 'AccessTokens', 'ExpiryTime', 30 * 60 + 1);
  expect((await profile(token)).status).toBe(401);
});

test('a session ends after inactivity, and each use puts that off', async () => {
  const token = await signIn(app, await createUser(app));
  await age(token, 'Sessions', 'LastUsedTime', 19 * 60);
  expect((await profile(token)).status).toBe(200);
  await age(token, 'Sessions', 'LastUsedTime', 19 * 60);
  expect((await profile(token)).status).toBe(200);
  await age(token, 'Sessions', 'LastUsedTime', 22 * 60);
  expect((await profile(token)).status).toBe(401);
});

test('a session ends a day after the sign-in, however it is used', async () => {
  const token = await signIn(app, await createUser(app));
  await age(token, 'Sessions', 'CreatedTime', 24 * 3600 - 60);
  expect((await profile(token)).status).toBe(200);
  await age(token, 'Sessions', 'CreatedTime', 61);
  expect((await profile(token)).status).toBe(401);
});

test('a session is not kept alive by what screens do while nobody is there', async () => {
  const token = await signIn(app, await createUser(app));
  const poll = async () => {
    const headers = { ...bearer(token), [UNATTENDED_HEADER]: '1' };
    return (await app.http.inject({ method: 'GET', url: '/api/activities/pendingruns', headers })).statusCode;
  };
  await age(token, 'Sessions', 'LastUsedTime', 19 * 60);
  expect(await poll()).toBe(200);
  await age(token, 'Sessions', 'LastUsedTime', 3 * 60);
  expect(await poll()).toBe(401);
  expect((await profile(token)).status).toBe(401);
});

test('logging out ends the session', async () => {
  const token = await signIn(app, await createUser(app));
  const answer = await app.http.inject({ method: 'POST', url: '/api/logout', headers: bearer(token), payload: {} });
  expect(answer.json()).toEqual({ result: null });
  expect((await profile(token)).status).toBe(401);
});

test('logging out everywhere ends all sessions of the person and nobody else’s, and is logged', async () => {
  const user = await createUser(app, { userName: 'Ivo' });
  const [mine, other] = [await signIn(app, user), await signIn(app, user)];
  const stranger = await signIn(app, await createUser(app));
  const logout = (token: string, payload?: object) =>
    app.http.inject({ method: 'POST', url: '/api/logout', headers: bearer(token), ...(payload ? { payload } : {}) });
  const third = await signIn(app, user);
  expect((await logout(third)).statusCode).toBe(200);
  expect((await profile(other)).status).toBe(200);
  const [Password] = await encryptPasswords(app.http, 'Ivo', [TEST_PASSWORD]);
  expect((await logout(mine, { Everywhere: true, Password })).json()).toEqual({ result: null });
  for (const token of [mine, other, third]) expect((await profile(token)).status).toBe(401);
  expect((await profile(stranger)).status).toBe(200);
  const actions = app.database.knex('SecurityActions').where({ TargetUserName: 'Ivo' });
  expect(await actions.pluck('Action')).toEqual(['LogOutEverywhere']);
});

test('each person has one key for drafts, the same in every session', async () => {
  const [ann, bob] = [await createUser(app), await createUser(app)];
  const keyOf = async (token: string) => {
    const answer = await app.http.inject({ url: '/api/users/draftkey', headers: bearer(token) });
    expect(answer.headers['cache-control']).toContain('no-store');
    return answer.json<{ result: { Key: string } }>().result.Key;
  };
  const key = await keyOf(await signIn(app, ann));
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  expect(await keyOf(await signIn(app, ann))).toBe(key);
  expect(await keyOf(await signIn(app, bob))).not.toBe(key);
});

test('changing the password asks for the old one and ends the other sessions', async () => {
  const user = await createUser(app, { userName: 'Gina' });
  const [mine, other] = [await signIn(app, user), await signIn(app, user)];
  const change = async (old: string, wanted: string) => {
    const [Password, NewPassword] = await encryptPasswords(app.http, 'Gina', [old, wanted]);
    const url = '/api/users/changepassword';
    return app.http.inject({ method: 'POST', url, headers: bearer(mine), payload: { Password, NewPassword } });
  };
  expect((await change('Wrong-Horse-7', NEW_PASSWORD)).json()).toEqual({
    message: 'The old password is wrong',
    modelState: { '': ['The old password is wrong'] },
  });
  expect((await change(TEST_PASSWORD, 'weak')).statusCode).toBe(400);
  expect((await profile(other)).status).toBe(200);
  expect((await change(TEST_PASSWORD, NEW_PASSWORD)).json()).toEqual({ result: null });
  expect((await profile(other)).status).toBe(401);
  expect((await profile(mine)).status).toBe(200);
  expect((await postToken(app, 'gina', NEW_PASSWORD)).status).toBe(200);
});

test('neither tokens nor passwords stand in the database', async () => {
  const user = await createUser(app, { userName: 'Hugo' });
  const token = await signIn(app, user);
  const tokens = JSON.stringify(await app.database.knex('AccessTokens'));
  const [row] = (await app.database.knex('Users').where({ UserId: user.UserId })) as { PasswordHash: string }[];
  expect(tokens).not.toContain(token);
  expect(row?.PasswordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('calls of an address, and those with passwords, are limited as the settings say', async () => {
  const strict = await testApp({ limits: {}, settings: { callsPerMinute: 4, signInsPerMinute: 2 } });
  const statuses = async (method: 'GET' | 'POST', url: string) => {
    const answers = [];
    for (let n = 0; n < 5; n += 1) answers.push((await strict.http.inject({ method, url })).statusCode);
    return answers;
  };
  expect(await statuses('POST', '/api/users/resetpassword')).toEqual([400, 400, 429, 429, 429]);
  expect(await statuses('GET', '/api/health')).toEqual([200, 200, 200, 200, 429]);
  await strict.close();
});

test('sign-ins are logged, those that fail too, without passwords and tokens', async () => {
  const lines: string[] = [];
  const logged = await testApp({ log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }) });
  const { UserId, UserName } = await createUser(logged);
  const warnings = () => lines.map((line) => JSON.parse(line) as { level: number }).filter(({ level }) => level >= 30);
  await postToken(logged, UserName, 'Wrong-Horse-7');
  const { body } = await postToken(logged, UserName, TEST_PASSWORD);
  expect(warnings()).toEqual([
    expect.objectContaining({ level: 40, msg: 'failed sign-in', user: UserName, address: '127.0.0.1' }),
    expect.objectContaining({ level: 30, msg: 'signed in', userId: UserId, address: '127.0.0.1' }),
  ]);
  expect(lines.join('')).not.toMatch(new RegExp(`Horse|${body.access_token}`));
  // A password in the wrong field, and an unknown name in a path.
  lines.length = 0;
  await postToken(logged, 'My-Secret-Horse-9', TEST_PASSWORD);
  await logged.http.inject({ method: 'POST', url: '/api/users/resetpassword/name/My-Secret-Horse-9' });
  expect(warnings()).toEqual([expect.objectContaining({ msg: 'failed sign-in', address: '127.0.0.1' })]);
  expect(lines.join('')).not.toMatch(/secret-horse/i);
  await logged.close();
});

test('at level debug, the log says why a token is refused, which the response does not', async () => {
  const lines: string[] = [];
  const logged = await testApp({ log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }) });
  const token = await signIn(logged, await createUser(logged, { userName: 'Rita' }));
  const refusal = async (used: string) => {
    lines.length = 0;
    const { body } = await logged.http.inject({ url: '/api/users/sessions', headers: bearer(used) });
    expect(body).toBe('{"message":"You do not have permissions for this operation"}');
    return lines.map((line) => JSON.parse(line) as object).find((line) => 'reason' in line);
  };
  expect(await refusal('undefined')).toMatchObject({ status: 401, reason: 'no token of an open session' });
  await logged.database.knex('Users').where({ UserName: 'Rita' }).update({ Enabled: false });
  expect(await refusal(token)).toMatchObject({ status: 401, reason: 'the user is disabled', user: 'Rita' });
  await logged.close();
});

test('a person chooses the language of the screens, an API key and an unknown language do not', async () => {
  const session = await signIn(app, await createUser(app, { userName: 'Lena' }));
  const choose = async (payload: object, authorization = session) =>
    (
      await app.http.inject({
        method: 'POST',
        url: '/api/users/language',
        headers: bearer(authorization),
        payload,
      })
    ).statusCode;
  expect(await choose({ Language: 'de' })).toBe(200);
  expect((await profile(session)).result).toMatchObject({ Language: 'de' });
  expect(await choose({ Language: 'xx' })).toBe(400);
  expect(await choose({ Language: 'de' }, 'no-session')).toBe(401);
  expect(await choose({ Language: null })).toBe(200);
  expect((await profile(session)).result).toMatchObject({ Language: null });
});

test('a person chooses the region of their values, and none that is unknown', async () => {
  const session = await signIn(app, await createUser(app, { userName: 'Lea' }));
  const choose = async (Region: string | null) =>
    (
      await app.http.inject({
        method: 'POST',
        url: '/api/users/region',
        headers: bearer(session),
        payload: { Region },
      })
    ).statusCode;
  expect(await choose('de-CH')).toBe(200);
  expect((await profile(session)).result).toMatchObject({ Language: null, Region: 'de-CH' });
  expect(await choose('xx-XX')).toBe(400);
  expect(await choose(null)).toBe(200);
  expect((await profile(session)).result).toMatchObject({ Region: null });
});
