import { expect, test } from 'vitest';
import { createKeyedSingleFlight } from './keyed-single-flight.ts';

test('requests during a call or its pause share one more call', async () => {
  let started = 0;
  let now = 0;
  const ends: number[] = [];
  const calls = createKeyedSingleFlight(async () => {
    started += 1;
    now += 1;
    expect(now).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    ends.push(performance.now());
    return 40;
  });
  const requests = [calls.request(1)];
  while (ends.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  const [ended] = ends;
  requests.push(calls.request(1), calls.request(1));
  await Promise.all(requests);
  expect(started).toBe(2);
  expect(ends[1]! - ended!).toBeGreaterThanOrEqual(40);
});

test('a request resolves after its call, even if further requests follow', async () => {
  let count = 0;
  const calls = createKeyedSingleFlight(async (id) => {
    count += 1;
    // Like the rows of a table that end one after the other.
    if (count < 1000) void calls.request(id);
    return 1;
  });
  await calls.request(1);
  await calls.request(1);
  expect(count).toBe(2);
  await calls.stop();
});

test('requests fail with the call, and later ones start over', async () => {
  let isBroken = true;
  const calls = createKeyedSingleFlight(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (isBroken) throw new Error('broken');
    return 0;
  });
  const requests = [calls.request(1), calls.request(1)];
  const settled = await Promise.allSettled(requests);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  await calls.request(1);
  await calls.stop();
});

test('calls for different ids are independent, and a stopped one makes none', async () => {
  const done: number[] = [];
  const calls = createKeyedSingleFlight(async (id) => {
    done.push(id);
    return 0;
  });
  await Promise.all([calls.request(1), calls.request(2)]);
  await calls.stop();
  await calls.request(3);
  expect(done).toEqual([1, 2]);
});
