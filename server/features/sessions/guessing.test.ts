/** Tests guessing passwords over HTTP: how many guesses are checked, and who can still sign in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { bearer, createUser, encryptPasswords, TEST_PASSWORD } from '#test/support/users.ts';
import { createFailedAttempts } from '#server/access/sign-in/failed-attempts.ts';
import { createSignInDelays } from '#server/access/sign-in/sign-in-delays.ts';

let app: TestApp;
const delays = createSignInDelays(
  // Uses the app's database, although the app is created later.
  {
    add: (...call) => createFailedAttempts(app.database).add(...call),
    reserve: (...call) => createFailedAttempts(app.database).reserve(...call),
    takeBack: (...call) => createFailedAttempts(app.database).takeBack(...call),
    forget: (...call) => createFailedAttempts(app.database).forget(...call),
  },
  { clock: { now: () => performance.now(), sleep: async () => {} }, signInsPerMinute: 120 },
);
beforeAll(async () => {
  app = await testApp({ signInDelays: delays, limits: {} });
});
afterAll(() => app.close());

async function signIn(
  UserName: string,
  password: string,
  { address, cookie }: { address: string; cookie?: string | undefined },
) {
  const [encrypted = ''] = await encryptPasswords(app.http, UserName, [password]);
  const answer = await app.http.inject({
    method: 'POST',
    url: '/token',
    remoteAddress: address,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(cookie ? { cookie } : {}) },
    payload: new URLSearchParams({ grant_type: 'password', username: UserName, password: encrypted }).toString(),
  });
  const set = String(answer.headers['set-cookie'] ?? '');
  return { status: answer.statusCode, cookie: set.split(';')[0], set, body: answer.json<{ access_token: string }>() };
}

const OFFICE = '192.0.2.1';
const guesses = (UserName: string, addressOf: (index: number) => string) =>
  Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      return (await signIn(UserName, `Wrong-Horse-${index}`, { address: addressOf(index) })).status;
    }),
  );

/** Makes strangers wait at a guessed account as long as right after the guesses, however slow the machine is. */
function waitAnew() {
  const { knex, dialect } = app.database;
  return knex('FailedAttempts')
    .where('Failures', '>', 10)
    .update({ LastTime: dialect.nowPlus(knex, 24) });
}

test('of 24 simultaneous guesses at an account 13 are judged in half a minute, and its owner can still sign in', async () => {
  const anna = await createUser(app, { userName: 'Anna' });
  const before = await signIn('Anna', TEST_PASSWORD, { address: '198.51.100.1' });
  expect(before.set).toMatch(
    /^runsheet-device-[\w-]{8}=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
  );
  const began = performance.now();
  const answers = await guesses('anna', (index) => `203.0.113.${index}`);
  // Every eight seconds that a slow machine takes, one more guess is judged.
  const more = Math.floor((performance.now() - began) / 8000);
  const judged = answers.filter((status) => status === 400).length;
  expect(judged).toBeGreaterThanOrEqual(13);
  expect(judged).toBeLessThanOrEqual(13 + more);
  expect(answers.filter((status) => status === 429)).toHaveLength(24 - judged);
  // From a browser that was in the account before, at any address; and from a known address.
  expect((await signIn('ANNA', TEST_PASSWORD, { address: '203.0.113.1', cookie: before.cookie })).status).toBe(200);
  expect((await signIn('Anna', TEST_PASSWORD, { address: '198.51.100.1' })).status).toBe(200);
  // A stranger must wait, even with the correct password. The cookie of another account does not help.
  const bert = await createUser(app, { userName: 'Bert' });
  const { cookie } = await signIn('Bert', TEST_PASSWORD, { address: '198.51.100.2' });
  await waitAnew();
  expect((await signIn('Anna', TEST_PASSWORD, { address: '198.51.100.2', cookie })).status).toBe(429);
  const forged = before.cookie!.replace(/=[\w-]/, '=!').replace('!', before.cookie!.includes('=A') ? 'B' : 'A');
  await waitAnew();
  expect((await signIn('Anna', TEST_PASSWORD, { address: '198.51.100.2', cookie: forged })).status).toBe(429);
  expect([anna, bert]).toHaveLength(2);
});

test.runIf(isFullSet)('a neighbour at the address of who guesses signs in at once, and gets a key', async () => {
  await createUser(app, { userName: 'Carl' });
  await createUser(app, { userName: 'Dora' });
  for (let round = 0; round < 5; round++) await guesses('carl', () => OFFICE);
  // One guess may be judged every eight seconds.
  expect(await guesses('carl', () => OFFICE)).toContain(429);
  expect((await signIn('Dora', TEST_PASSWORD, { address: OFFICE })).status).toBe(200);
  const keys = await Promise.all(
    Array.from({ length: 200 }, () =>
      app.http.inject({
        method: 'POST',
        url: '/api/users/generatekey',
        remoteAddress: OFFICE,
        payload: { UserName: 'dora' },
      }),
    ),
  );
  expect(new Set(keys.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});

test.runIf(isFullSet)('while others guess, who is signed in confirms things with the password', async () => {
  await createUser(app, { userName: 'Emil' });
  const { body } = await signIn('emil', TEST_PASSWORD, { address: '198.51.100.9' });
  await guesses('emil', (index) => `203.0.113.${index}`);
  const [Password] = await encryptPasswords(app.http, 'emil', [TEST_PASSWORD]);
  const ended = await app.http.inject({
    method: 'POST',
    url: '/api/users/sessions/endothers',
    headers: bearer(body.access_token),
    payload: { Password },
  });
  expect(ended.statusCode).toBe(200);
});
