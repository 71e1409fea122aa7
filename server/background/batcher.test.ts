import { expect, test } from 'vitest';
import { createBatcher } from './batcher.ts';

const refused = new Error('refused');
const lost = new Error('lost');

/** Each batch ends when its function in `ends` is called. */
function bench(maxBatchSize = 10) {
  const batches: number[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const alone: number[] = [];
  const add = createBatcher<number, string>({
    many: (items) =>
      new Promise((resolve, reject) => {
        batches.push([...items]);
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => `many ${item}`))));
      }),
    alone: async (item) => {
      alone.push(item);
      if (item === 3) throw refused;
      return `alone ${item}`;
    },
    isUncertain: (error) => error === lost,
    maxBatchSize,
  });
  return { batches, ends, alone, add };
}

test('items that arrive during a batch form the next one, up to its maximum size; each gets its own result', async () => {
  const { batches, ends, add } = bench(2);
  const results = [1, 2, 3, 4].map((item) => add(item));
  expect(batches).toEqual([[1]]);
  ends[0]!();
  expect(await results[0]).toBe('many 1');
  await expect.poll(() => batches).toEqual([[1], [2, 3]]);
  ends[1]!();
  expect(await Promise.all(results.slice(1, 3))).toEqual(['many 2', 'many 3']);
  await expect.poll(() => batches).toHaveLength(3);
  ends[2]!();
  expect(await results[3]).toBe('many 4');
});

test('the items of a refused batch are processed one by one; those of an uncertain one are not', async () => {
  const { batches, ends, alone, add } = bench();
  const first = add(1);
  const others = [2, 3, 4].map((item) => add(item));
  ends[0]!(refused);
  await expect(first).rejects.toBe(refused);
  await expect.poll(() => batches).toHaveLength(2);
  ends[1]!(refused);
  expect(await Promise.allSettled(others)).toEqual([
    { status: 'fulfilled', value: 'alone 2' },
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: 'alone 4' },
  ]);
  expect(alone).toEqual([2, 3, 4]);
  const fifth = add(5);
  await expect.poll(() => batches).toHaveLength(3);
  const more = [6, 7].map((item) => add(item));
  ends[2]!();
  await fifth;
  await expect.poll(() => batches).toHaveLength(4);
  ends[3]!(lost);
  for (const one of more) await expect(one).rejects.toBe(lost);
  expect(alone).toHaveLength(3);
});

test('a batch that hangs blocks the next one only briefly', async () => {
  const { batches, ends, add } = bench();
  void add(1);
  const second = add(2);
  await expect.poll(() => batches).toEqual([[1], [2]]);
  ends[1]!();
  expect(await second).toBe('many 2');
});
