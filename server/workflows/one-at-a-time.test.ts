import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('who asks while it is being done, or rests, has it done once more together with all others who did', async () => {
  let started = 0;
  let now = 0;
  const ends: number[] = [];
  const working = oneAtATime(async () => {
    started += 1;
    now += 1;
    expect(now).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    ends.push(performance.now());
    return 40;
  });
  const asked = [working.ask(1)];
  while (ends.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const [ended] = ends;
  asked.push(working.ask(1), working.ask(1));
  await Promise.all(asked);
  expect(started).toBe(2);
  expect(ends[1]! - ended!).toBeGreaterThanOrEqual(40);
});

test('who asks hears of it when it was done, although others ask on and on', async () => {
  let count = 0;
  const working = oneAtATime(async (id) => {
    count += 1;
    // Like the rows of a table that end one after the other.
    if (count < 1000) void working.ask(id);
    return 1;
  });
  await working.ask(1);
  await working.ask(1);
  expect(count).toBe(2);
  await working.stop();
});

test('who asks hears that it failed, and may ask again', async () => {
  let isBroken = true;
  const working = oneAtATime(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (isBroken) throw new Error('broken');
    return 0;
  });
  const asked = [working.ask(1), working.ask(1)];
  const settled = await Promise.allSettled(asked);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  await working.ask(1);
  await working.stop();
});

test('of different ids each is done separately, and none after the stop', async () => {
  const done: number[] = [];
  const working = oneAtATime(async (id) => {
    done.push(id);
    return 0;
  });
  await Promise.all([working.ask(1), working.ask(2)]);
  await working.stop();
  await working.ask(3);
  expect(done).toEqual([1, 2]);
});
