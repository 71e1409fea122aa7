import { expect, test } from 'vitest';
import { countedAttempts } from '#test/support/counted-attempts.ts';
import { createCodeAttempts } from './code-attempts.ts';

function createClock() {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    pass: (milliseconds: number) => (now += milliseconds),
    attempts: countedAttempts(() => now),
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
  };
}

const wrong = async (): Promise<boolean> => false;
const right = async (): Promise<boolean> => true;

test('wrong codes make the next attempts slower, up to half a minute, and a right one ends that', async () => {
  const clock = createClock();
  const attempts = createCodeAttempts(clock.attempts, clock);
  for (let count = 0; count < 10; count++) expect(await attempts.check('ann', wrong)).toBe(false);
  expect(clock.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(await attempts.check('bob', wrong)).toBe(false);
  expect(clock.waits).toHaveLength(7);
  expect(await attempts.check('ann', right)).toBe(true);
  await attempts.check('ann', wrong);
  expect(clock.waits).toHaveLength(8);
});

test('they are forgotten after an hour without another', async () => {
  const clock = createClock();
  const attempts = createCodeAttempts(clock.attempts, clock);
  for (let count = 0; count < 3; count++) await attempts.check('ann', wrong);
  clock.pass(3_600_001);
  await attempts.check('ann', wrong);
  expect(clock.waits).toEqual([]);
});

test('attempts of an account are made one after the other, a few may wait, and another account is not kept', async () => {
  const attempts = createCodeAttempts(countedAttempts(), createClock());
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const started: number[] = [];
  const inLine = [1, 2, 3, 4, 5].map((number) =>
    attempts.check('ann', () => {
      started.push(number);
      return number === 1 ? promise : wrong();
    }),
  );
  await expect(attempts.check('ann', right)).rejects.toMatchObject({ status: 429 });
  expect(await attempts.check('bob', right)).toBe(true);
  await expect.poll(() => started).toEqual([1]);
  resolve(true);
  await Promise.all(inLine);
  expect(started).toEqual([1, 2, 3, 4, 5]);
  expect(await attempts.check('ann', right)).toBe(true);
});
