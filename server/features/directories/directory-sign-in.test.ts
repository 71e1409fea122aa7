import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkSignInSources } from '#server/config/sign-in-sources.ts';
import { countedAttempts } from '#test/support/counted-attempts.ts';
import { createSignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { makeCertificate, makeServerCertificate } from '#test/support/peers/certificates.ts';
import { DIRECTORY_SETTINGS, PEOPLE } from '#test/support/peers/ldap-people.ts';
import { startLdapPeer, type LdapPeer } from '#test/support/peers/ldap.ts';
import { bearer, createUser, encryptPasswords, postToken, TEST_PASSWORD } from '#test/support/users.ts';

const [grace, edsger] = PEOPLE;
const WRONG = 'display:Invalid user name or password';

let peer: LdapPeer;
let ca: string;
let app: TestApp;
/** Minimum durations, in milliseconds, that failed attempts were extended to. */
const levelled: number[] = [];

const sourcesOf = (directories: object[], all: object = {}) => ({
  ...checkSignInSources({ directories, ...all }, '.'),
  readFile: () => ca,
});

beforeAll(async () => {
  const authority = await makeCertificate('Test authority', { isAuthority: true });
  ca = authority.certificate;
  peer = await startLdapPeer(await makeServerCertificate(authority));
  const directory = { ...DIRECTORY_SETTINGS, urls: [peer.url], caFile: 'ca.pem' };
  app = await testApp({
    signInSources: sourcesOf([
      { ...directory, key: 'away', urls: ['ldaps://localhost:1'], createUsers: true },
      { ...directory, createUsers: true },
    ]),
    signInDelays: createSignInDelays(countedAttempts(), {
      clock: { now: () => 0, sleep: async (ms) => void levelled.push(ms) },
      signInsPerMinute: 1000,
    }),
  });
});
afterAll(async () => {
  await app.close();
  await peer.stop();
});

const refusal = async (...parameters: [string, string]) => {
  const { status, body } = await postToken(app, ...parameters);
  return [status, body.error_description];
};

test('the first sign-in makes a user of what the directory says, the next ones find it', async () => {
  const first = await postToken(app, 'grace', grace!.password);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ ssoProvider: null, ssoExpiry: null, lastLoginTime: null });
  const second = await postToken(app, 'GRACE', grace!.password);
  expect(second.body.lastLoginTime).not.toBeNull();
  const users = await app.database.knex('Users').where({ Source: 'AD' });
  expect(users).toMatchObject([
    { UserName: 'grace', FirstName: 'Grace', Email: 'grace@example.org', PasswordHash: null },
  ]);
  const [action] = await app.database.knex('SecurityActions').where({ Action: 'CreateUser' });
  expect(action).toMatchObject({ TargetUserName: 'grace', UserName: 'system' });
});

test('nobody learns from a refusal whether there is such a user, here or in the directory', async () => {
  const { UserName } = await createUser(app);
  levelled.length = 0;
  const attempts: [string, string][] = [
    ['grace', 'wrong'],
    ['edsger', 'wrong'],
    ['nobody', 'wrong'],
    [UserName, 'wrong'],
    // Another person's correct password, and a blank one.
    ['edsger', grace!.password],
    ['edsger', ' '],
  ];
  for (const attempt of attempts) expect(await refusal(...attempt), attempt[0]).toEqual([400, WRONG]);
  // All attempts were extended to the same duration.
  expect(levelled.filter((ms) => ms === 1000)).toHaveLength(attempts.length);
});

test('the passwords of local users are sent to no directory', async () => {
  const { UserName } = await createUser(app);
  const before = peer.binds.length;
  expect((await postToken(app, UserName, TEST_PASSWORD)).status).toBe(200);
  expect((await postToken(app, UserName, 'wrong')).status).toBe(400);
  expect(peer.binds.length).toBe(before);
});

test('who is disabled here does not come in by the directory', async () => {
  expect((await postToken(app, 'edsger', edsger!.password)).status).toBe(200);
  await app.database.knex('Users').where({ UserName: 'edsger' }).update({ Enabled: false });
  expect(await refusal('edsger', edsger!.password)).toEqual([400, WRONG]);
});

test('a password of a directory is not changed here', async () => {
  expect((await postToken(app, 'grace', grace!.password, 'Another-Horse-8')).body.error_description).toBe(
    'display:Your password is not stored in this portal',
  );
  const { body } = await postToken(app, 'grace', grace!.password);
  const [Password, NewPassword] = await encryptPasswords(app.http, 'grace', [grace!.password, 'Another-Horse-8']);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/users/changepassword',
    headers: bearer(body.access_token),
    payload: { Password, NewPassword },
  });
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'Your password is not stored in this portal']);
});

test('a name that a local user has stays theirs', async () => {
  await createUser(app, { userName: 'o (ops)*' });
  expect(await refusal('o (ops)*', 'Paren-Theses-7')).toEqual([400, WRONG]);
});

test('without createUsers only those come in whom an administrator has made, without local users only they', async () => {
  const directory = { ...DIRECTORY_SETTINGS, urls: [peer.url], caFile: 'ca.pem' };
  const strict = await testApp({ signInSources: sourcesOf([directory], { allowLocalUsers: false }) });
  expect((await postToken(strict, 'grace', grace!.password)).status).toBe(400);
  const { UserName } = await createUser(strict);
  expect((await postToken(strict, UserName, TEST_PASSWORD)).status).toBe(400);
  const config = await strict.http.inject({ method: 'POST', url: '/api/sso/config' });
  expect(config.json().result).toMatchObject({ AllowADUsers: true, AllowLocalUsers: false });
  await strict.close();
});
