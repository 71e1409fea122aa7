import { expect, test } from 'vitest';
import { countedAttempts } from '#test/support/counted-attempts.ts';
import { createSignInDelays } from './sign-in-delays.ts';

function testDelays() {
  let time = 0;
  const slept: number[] = [];
  const delays = createSignInDelays(
    countedAttempts(() => time),
    { now: () => time, sleep: async (ms) => void slept.push(ms) },
  );
  const attempt = async (account: string, address = '10.0.0.1'): Promise<number> => {
    slept.length = 0;
    await delays.wait(account, address);
    return slept[0] ?? 0;
  };
  return { delays, attempt, pass: (ms: number) => void (time += ms) };
}

test('a few failures cost nothing, the next ones more and more, up to a bound', async () => {
  const { delays, attempt } = testDelays();
  const waits: number[] = [];
  for (let failure = 0; failure < 12; failure++) {
    waits.push(await attempt('anna'));
    await delays.failed('anna', '10.0.0.1');
  }
  expect(waits).toEqual([0, 0, 0, 250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
});

test('other accounts are not slowed down by it, a success ends it, and so does time', async () => {
  const { delays, attempt, pass } = testDelays();
  for (let failure = 0; failure < 5; failure++) await delays.failed('anna', '10.0.0.1');
  expect(await attempt('bert')).toBe(0);
  expect(await attempt('anna', '10.0.0.2')).toBe(1000);
  await delays.succeeded('anna');
  expect(await attempt('anna')).toBe(0);
  for (let failure = 0; failure < 5; failure++) await delays.failed('anna', '10.0.0.1');
  pass(16 * 60_000);
  expect(await attempt('anna')).toBe(0);
});

test('an address that tries many names is slowed down for all of them', async () => {
  const { delays, attempt } = testDelays();
  for (let failure = 0; failure < 22; failure++) await delays.failed(`name${failure}`, '10.0.0.1');
  expect(await attempt('anna')).toBe(1000);
  expect(await attempt('anna', '10.0.0.2')).toBe(0);
});

test('only so many attempts of an address may wait at once', async () => {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const delays = createSignInDelays(countedAttempts(), { now: () => 0, sleep: () => gate });
  for (let failure = 0; failure < 3; failure++) await delays.failed('anna', '10.0.0.1');
  const waiting = Array.from({ length: 20 }, () => delays.wait('anna', '10.0.0.1'));
  await expect(delays.wait('anna', '10.0.0.1')).rejects.toMatchObject({ status: 429 });
  release();
  await Promise.all(waiting);
  await delays.wait('anna', '10.0.0.1');
});
