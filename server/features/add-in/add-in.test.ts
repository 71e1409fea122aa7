import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { bearer, createUser, signedInUser } from '#test/support/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ settings: { trustedNetworks: ['127.0.0.0/8'] } });
});
afterAll(() => app.close());

const REFUSED = [400, 'The code is not valid any more. Please sign in again.'];

function proof(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

async function issue(headers: object, Challenge: string, IsCopied = false) {
  const payload = { ClientKind: 'excel', Challenge, IsCopied };
  const answer = await app.http.inject({ method: 'POST', url: '/api/addin/code', headers: { ...headers }, payload });
  return { status: answer.statusCode, code: answer.json<{ result?: { Code: string } }>().result?.Code ?? '' };
}

async function redeem(Code: string, Verifier: string, remoteAddress = '127.0.0.1') {
  const request = { method: 'POST', url: '/api/addin/token', payload: { Code, Verifier }, remoteAddress } as const;
  const answer = await app.http.inject(request);
  const { result, message } = answer.json<{ result?: { access_token: string; UserName: string }; message?: string }>();
  return { status: answer.statusCode, result, said: [answer.statusCode, message] };
}

const nameFor = async (token: string) =>
  (await app.http.inject({ method: 'POST', url: '/api/users/profile', headers: bearer(token), payload: [] })).json()
    .result?.UserName;

test('a code becomes a session of its own, once, for the one who knows the proof key', async () => {
  const user = await signedInUser(app);
  const { verifier, challenge } = proof();
  const { code } = await issue(user.headers, challenge);
  expect(JSON.stringify(await app.database.knex('AddInCodes'))).not.toContain(code);
  const { status, result } = await redeem(code, verifier);
  expect([status, result?.UserName]).toEqual([200, user.UserName]);
  expect(await nameFor(result!.access_token)).toBe(user.UserName);
  expect((await redeem(code, verifier)).said).toEqual(REFUSED);
  // The browser's session and the program's end each by itself.
  await app.http.inject({ method: 'POST', url: '/api/logout', headers: user.headers });
  expect(await nameFor(result!.access_token)).toBe(user.UserName);
});

test('a wrong proof key gets nothing, and uses the code up', async () => {
  const user = await signedInUser(app);
  const { verifier, challenge } = proof();
  const { code } = await issue(user.headers, challenge);
  expect((await redeem(code, proof().verifier)).said).toEqual(REFUSED);
  expect((await redeem(code, verifier)).said).toEqual(REFUSED);
});

test('a code ends after a minute, or five where it is copied', async () => {
  const user = await signedInUser(app);
  const { knex } = app.database;
  const { verifier, challenge } = proof();
  const handed = await issue(user.headers, challenge);
  const copied = await issue(user.headers, challenge, true);
  // As if two minutes had passed.
  const later = (expiry: Date): Date => new Date(expiry.getTime() - 120_000);
  for (const { CodeHash, ExpiryTime } of (await knex('AddInCodes')) as { CodeHash: string; ExpiryTime: Date }[])
    await knex('AddInCodes')
      .where({ CodeHash })
      .update({ ExpiryTime: later(ExpiryTime) });
  expect((await redeem(handed.code, verifier)).said).toEqual(REFUSED);
  expect((await redeem(copied.code, verifier)).status).toBe(200);
});

test('a code is worth nothing once its session has ended, its user is disabled, or from where the user may not come in', async () => {
  const { verifier, challenge } = proof();
  const left = await signedInUser(app);
  const { code } = await issue(left.headers, challenge);
  await app.http.inject({ method: 'POST', url: '/api/logout', headers: left.headers });
  expect((await redeem(code, verifier)).said).toEqual(REFUSED);

  const disabled = await signedInUser(app);
  const second = await issue(disabled.headers, challenge);
  await app.database.knex('Users').where({ UserId: disabled.UserId }).update({ Enabled: false });
  expect((await redeem(second.code, verifier)).said).toEqual(REFUSED);

  const inside = await signedInUser(app);
  const third = await issue(inside.headers, challenge);
  expect((await redeem(third.code, verifier, '203.0.113.9')).said).toEqual(REFUSED);
});

test('an API key makes no codes, a visitor neither', async () => {
  const manager = await signedInUser(app, ['sk.ManageUserPasswords']);
  const { UserId } = await createUser(app);
  const url = `/api/users/apikeys/create/${UserId}`;
  const made = await app.http.inject({ method: 'POST', url, headers: manager.headers });
  const { Key } = made.json<{ result: { Key: string } }>().result;
  expect((await issue(bearer(Key), proof().challenge)).status).toBe(403);
  expect((await issue({}, proof().challenge)).status).toBe(401);
});
