import { expect, test } from 'vitest';
import { countedAttempts } from '#test/support/counted-attempts.ts';
import { createSignInDelays, type PasswordAttempt } from './sign-in-delays.ts';

const wrong = async (): Promise<null> => null;
const right = async (): Promise<string> => 'in';

/** Uses a clock that stands still while attempts wait, unless a test advances it. */
function testDelays(signInsPerMinute = 120) {
  let time = 0;
  const slept: number[] = [];
  const clock = { now: () => time, sleep: async (ms: number) => void slept.push(ms) };
  const delays = createSignInDelays(
    countedAttempts(() => time),
    { clock, signInsPerMinute },
  );
  const stranger = { account: 'anna', address: '10.0.0.1', device: null, isKnownAddress: false };
  /** Returns how long the attempt had to wait in milliseconds, its result, or the status if it was not checked. */
  async function attempt(who: Partial<PasswordAttempt>, judge: () => Promise<string | null> = wrong) {
    slept.length = 0;
    try {
      const judged = await delays.serialize({ ...stranger, ...who }, judge);
      return judged ?? slept.reduce((sum, ms) => sum + ms, 0);
    } catch (error) {
      return (error as { status: number }).status;
    }
  }
  return { delays, attempt, pass: (seconds: number) => void (time += seconds * 1000) };
}

test('a few failures cost nothing, the next ones more and more, up to a bound', async () => {
  const { attempt, pass } = testDelays();
  const waits: (number | string)[] = [];
  for (let failure = 0; failure < 11; failure++) {
    const wait = await attempt({ isKnownAddress: true });
    waits.push(wait);
    pass(Number(wait) / 1000);
  }
  expect(waits).toEqual([0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

test('guesses at one account are bounded, whatever addresses they come from', async () => {
  const { attempt, pass } = testDelays();
  let judged = 0;
  for (let second = 0; second < 600; second++) {
    for (let address = 0; address < 24; address++) {
      if ((await attempt({ address: `10.0.${second % 7}.${address}` })) !== 429) judged += 1;
    }
    pass(1);
  }
  // Ten, then one every eight seconds, plus three that are still waiting.
  expect(judged).toBeLessThanOrEqual(10 + 600 / 8 + 3);
  expect(judged).toBeGreaterThan(80);
});

test('the owner comes in while strangers try: by a browser or an address that was in the account, and by a session', async () => {
  const { attempt } = testDelays();
  for (let guess = 0; guess < 100; guess++) await attempt({ address: `10.0.0.${guess}` });
  expect(await attempt({ address: '10.9.9.9' })).toBe(429);
  expect(await attempt({ address: '10.9.9.9', device: 'own' }, right)).toBe('in');
  expect(await attempt({ address: '10.0.0.1', device: 'own' }, right)).toBe('in');
  expect(await attempt({ address: '10.9.9.8', isKnownAddress: true }, right)).toBe('in');
  expect(await attempt({ device: 'session 1' }, right)).toBe('in');
  // None of this lets strangers try faster.
  expect(await attempt({ address: '10.9.9.9' })).toBe(429);
});

test('a client that was signed in and keeps guessing slows down only itself', async () => {
  const { attempt } = testDelays();
  for (let guess = 0; guess < 20; guess++) await attempt({ device: 'left behind' });
  expect(await attempt({ device: 'left behind' }, right)).toBe(429);
  expect(await attempt({ device: 'own' }, right)).toBe('in');
  expect(await attempt({}, right)).toBe('in');
});

test('nobody can fill the queue of an owner with an account name that contains their address', async () => {
  const { attempt } = testDelays();
  const owner = { account: 'anna', address: '10.0.0.1', isKnownAddress: true };
  for (let guess = 0; guess < 100; guess++) {
    await attempt({ account: 'anna from 10.0.0.1', address: `10.9.0.${guess}` });
  }
  expect(await attempt(owner)).toBe(0);
  expect(await attempt(owner, right)).toBe('in');
});

test('neighbours at an address do not wait for each other: neither at one account, nor after as many failures as are forgiven', async () => {
  const { attempt } = testDelays();
  for (let guess = 0; guess < 50; guess++) await attempt({});
  expect(await attempt({})).toBe(429);
  for (const account of ['bert', 'carl', 'dora']) expect(await attempt({ account }, right)).toBe('in');
  // Somebody who tries many names slows down everybody who was never in an account from that address. People who were
  // are not affected.
  for (let name = 0; name < 200; name++) await attempt({ account: `name ${name}` });
  expect(await attempt({ account: 'emil' }, right)).toBe(429);
  expect(await attempt({ account: 'emil', isKnownAddress: true }, right)).toBe('in');
  expect(await attempt({ account: 'emil', address: '10.0.0.2' }, right)).toBe('in');
});

test('an address tries as many names in a minute as the settings say, after some that cost nothing', async () => {
  const { attempt, pass } = testDelays(60);
  let judged = 0;
  for (let second = 0; second < 60; second++) {
    for (let name = 0; name < 10; name++) if ((await attempt({ account: `${second} ${name}` })) !== 429) judged += 1;
    pass(1);
  }
  expect(judged).toBeGreaterThanOrEqual(80);
  expect(judged).toBeLessThanOrEqual(20 + 60 + 11);
});

test('an attempt that is not judged is no failure, one that succeeds takes none of others back, and time forgets', async () => {
  const { attempt, pass, delays } = testDelays();
  for (let guess = 0; guess < 13; guess++) await attempt({ address: `10.0.0.${guess}` });
  for (let again = 0; again < 9; again++) expect(await attempt({ address: '10.1.1.1' })).toBe(429);
  pass(40);
  expect(await attempt({ address: '10.1.1.1' }, right)).toBe('in');
  expect(await attempt({ address: '10.1.1.2' })).toBe(8000);
  await delays.forgive('anna');
  expect(await attempt({ address: '10.1.1.3' })).toBe(0);
  for (let guess = 0; guess < 13; guess++) await attempt({ address: `10.0.1.${guess}` });
  pass(16 * 60);
  expect(await attempt({ address: '10.0.1.1' })).toBe(0);
});
