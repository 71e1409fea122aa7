import { expect, it } from 'vitest';
import { createPurgePace } from './purge-pace.ts';

it('pauses as long as a transaction took, and takes fewer runs after a long one', async () => {
  const pauses: number[] = [];
  const pace = createPurgePace((ms) => Promise.resolve(void pauses.push(ms)));
  const sizes: number[] = [pace.size()];
  for (const took of [10, 10, 40, 200, 200, 200, 200, 90_000]) {
    await pace.rest(took);
    sizes.push(pace.size());
  }
  expect(pauses).toEqual([10, 10, 40, 200, 200, 200, 200, 1000]);
  expect(sizes).toEqual([50, 100, 100, 100, 50, 25, 12, 10, 10]);
});

it('ends its pause when it is stopped', async () => {
  const stopping = new AbortController();
  const resting = createPurgePace().rest(60_000, stopping.signal);
  stopping.abort();
  await expect(resting).resolves.toBeUndefined();
});
