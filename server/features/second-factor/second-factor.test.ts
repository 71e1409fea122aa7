import { afterAll, beforeAll, expect, test } from 'vitest';
import { resetAdministrator } from '#server/features/users/administrator.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { codeOf } from '#test/support/authenticator.ts';
import {
  bearer,
  createUser,
  encryptPasswords,
  postTokenWith,
  signIn,
  signedInUser,
  TEST_PASSWORD,
  type TestUser,
} from '#test/support/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: { requireSecondFactor: 'administrators', title: 'Reports' } });
});
afterAll(() => app.close());

type Headers = { authorization: string };

async function post(headers: Headers, url: string, payload: object = {}) {
  const answer = await app.http.inject({ method: 'POST', url: `/api/users/secondfactor/${url}`, headers, payload });
  const { result, message } = answer.json<{ result?: Answer; message?: string }>();
  return { status: answer.statusCode, ...result, message };
}

interface Answer {
  Key?: string;
  Uri?: string;
  RecoveryCodes?: string[];
}

const state = async (headers: Headers) =>
  (await app.http.inject({ url: '/api/users/secondfactor', headers })).json<{ result: object }>().result;

const enter = (userName: string, code?: string) => postTokenWith(app, userName, [TEST_PASSWORD], code);

const encrypted = async (userName: string, password = TEST_PASSWORD) =>
  (await encryptPasswords(app.http, userName, [password]))[0];

/** Simulates half a minute passing since the last code. */
const forgetStep = ({ UserId }: TestUser) =>
  app.database.knex('Users').where({ UserId }).update({ SecondFactorStep: 0 });

const actionsOn = (TargetUserName: string) =>
  app.database.knex('SecurityActions').where({ TargetUserName }).orderBy('Id').pluck('Action');

async function withFactor(userName: string) {
  const user = await createUser(app, { userName });
  const headers = bearer(await signIn(app, user));
  const { Key = '', Uri } = await post(headers, 'begin', { Password: await encrypted(userName) });
  const { RecoveryCodes = [] } = await post(headers, 'confirm', { Code: codeOf(Key) });
  await forgetStep(user);
  return { user, headers, key: Key, uri: Uri, codes: RecoveryCodes };
}

test('who turned it on signs in with a code, which is taken once', async () => {
  const { user, headers, key, uri, codes } = await withFactor('anna');
  expect(uri).toMatch(/^otpauth:\/\/totp\/Reports:anna\?secret=[A-Z2-7]{32}&issuer=Reports/);
  expect(codes).toHaveLength(10);
  expect(await state(headers)).toEqual({ IsOffered: true, IsOn: true, IsRequired: false, RecoveryCodes: 10 });
  expect((await enter('anna')).body).toMatchObject({
    error: 'second_factor_required',
    error_description: expect.stringMatching(/^display:/),
  });
  expect((await enter('anna', '000000')).body.error).toBe('second_factor_wrong');
  const code = codeOf(key);
  expect((await enter('anna', code)).status).toBe(200);
  expect((await enter('anna', code)).body.error).toBe('second_factor_wrong');
  expect((await enter('anna', codeOf(key, 1))).status).toBe(200);
  await forgetStep(user);
  expect((await enter('anna', codeOf(key, -5))).body.error).toBe('second_factor_wrong');
  expect(await actionsOn('anna')).toEqual(['TurnOnSecondFactor']);
});

test('a wrong code is reported at the next sign-in, and a wrong password never asks for a code', async () => {
  const { key } = await withFactor('bert');
  await enter('bert', '000000');
  const entered = await enter('bert', codeOf(key));
  expect(Date.parse(String(entered.headers['x-last-failed-login-time']))).not.toBeNaN();
  expect((await postTokenWith(app, 'bert', ['Wrong-Horse-7'], codeOf(key, 1))).body.error).toBe('invalid_grant');
});

test('recovery codes work once each, for their own user, however they are typed; new ones end the old', async () => {
  const { headers, key, codes } = await withFactor('carl');
  const other = await withFactor('dora');
  const [first = '', second = ''] = codes;
  expect((await enter('dora', first)).body.error).toBe('second_factor_wrong');
  expect((await enter('carl', first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
  expect((await enter('carl', first)).body.error).toBe('second_factor_wrong');
  expect(await state(headers)).toMatchObject({ RecoveryCodes: 9 });
  const renewed = await post(headers, 'codes', { Password: await encrypted('carl'), Code: codeOf(key) });
  expect(renewed.RecoveryCodes).toHaveLength(10);
  expect((await enter('carl', second)).body.error).toBe('second_factor_wrong');
  expect(await actionsOn('carl')).toEqual(['TurnOnSecondFactor', 'UseRecoveryCode', 'MakeRecoveryCodes']);
  expect(JSON.stringify(await app.database.knex('RecoveryCodes'))).not.toContain(other.codes[0]);
});

test('to turn it off takes the password and a code', async () => {
  const { user, headers, key } = await withFactor('emil');
  const off = async (password: string, Code: string) =>
    post(headers, 'off', { Password: await encrypted('emil', password), Code });
  expect((await off('Wrong-Horse-7', codeOf(key))).status).toBe(400);
  expect((await off(TEST_PASSWORD, '123')).status).toBe(400);
  expect((await enter('emil')).body.error).toBe('second_factor_required');
  await forgetStep(user);
  expect((await off(TEST_PASSWORD, codeOf(key))).status).toBe(200);
  expect((await enter('emil')).status).toBe(200);
  expect(await state(headers)).toMatchObject({ IsOn: false, RecoveryCodes: 0 });
});

test('administrators must set one up while they sign in where the configuration says so, and are shown recovery codes', async () => {
  const user = await createUser(app, { userName: 'fred', isUserAdmin: true });
  const asked = await enter('fred');
  expect(asked.body.error).toBe('second_factor_setup');
  const key = asked.body.setup!.Key;
  const wrong = await enter('fred', '000000');
  expect(wrong.body).toMatchObject({ error: 'second_factor_setup', setup: { Key: key } });
  const done = await enter('fred', codeOf(key));
  expect(done.body.recoveryCodes).toHaveLength(10);
  await forgetStep(user);
  const again = await enter('fred', codeOf(key));
  expect(again.status).toBe(200);
  expect(again.body.recoveryCodes).toBeUndefined();
});

test('a manager asks it of one user, and takes off that of a user who lost it', async () => {
  const manager = await signedInUser(app, ['sk.ManageUsers', 'sk.ManageUserPasswords']);
  const lost = await withFactor('gina');
  const call = (url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url: `/api/users/${url}`, headers: manager.headers, payload });
  expect((await call(`secondfactor/remove/${lost.user.UserId}`)).statusCode).toBe(200);
  expect((await app.http.inject({ url: '/api/users/secondfactor', headers: lost.headers })).statusCode).toBe(401);
  expect((await enter('gina')).status).toBe(200);
  const fields = {
    UserId: lost.user.UserId,
    UserName: 'gina',
    FirstName: 'G',
    MiddleName: '',
    LastName: '',
    Email: '',
  };
  expect((await call('update', { ...fields, SecondFactorRequired: true })).statusCode).toBe(200);
  expect((await enter('gina')).body.error).toBe('second_factor_setup');
  expect((await call('update', { ...fields, SecondFactorRequired: false })).statusCode).toBe(200);
  expect((await enter('gina')).status).toBe(200);
  const expected = ['RemoveSecondFactor', 'UpdateUser', 'RequireSecondFactor', 'UpdateUser', 'WaiveSecondFactor'];
  expect(await actionsOn('gina')).toEqual(['TurnOnSecondFactor', ...expected]);
  const boss = await createUser(app, { userName: 'hugo', isUserAdmin: true });
  expect((await call(`secondfactor/remove/${boss.UserId}`)).statusCode).toBe(403);
  const nobody = await signedInUser(app);
  expect((await post(nobody.headers, `remove/${lost.user.UserId}`)).status).toBe(403);
});

test('keys are encrypted for their own user', async () => {
  const [ines, jana] = [await withFactor('ines'), await withFactor('jana')];
  const rows = app.database.knex('Users');
  const [row] = (await rows.clone().where({ UserId: ines.user.UserId })) as { SecondFactorKey: string }[];
  expect(row!.SecondFactorKey).not.toContain(ines.key);
  await rows.clone().where({ UserId: jana.user.UserId }).update({ SecondFactorKey: row!.SecondFactorKey });
  const refused = await enter('jana', codeOf(ines.key));
  expect(refused.body.error).toBe('second_factor_failed');
  expect(refused.body.error_description).toMatch(/^display:Your second factor cannot be checked/);
});

test('a password of the command line brings an administrator in without the factor that was lost', async () => {
  const { user } = await withFactor('admin');
  await resetAdministrator(app.database);
  const [row] = (await app.database.knex('Users').where({ UserId: user.UserId })) as { SecondFactorOn: boolean }[];
  expect(row!.SecondFactorOn).toBe(false);
});
