import { expect, test } from 'vitest';
import { newServerState } from '#server/base/server-state.ts';
import { until } from '#test/support/until.ts';
import { watchFileStore } from './watch-file-store.ts';

test('the state says whether files can be stored, from the first check on and after each change, until the watch is stopped', async () => {
  const state = newServerState();
  let isAway = true;
  let checks = 0;
  const check = async (): Promise<void> => {
    checks += 1;
    if (isAway) throw new Error('not mounted');
  };
  const stop = await watchFileStore({ check }, state, 1);
  expect(state.isFileStoreAway).toBe(true);
  isAway = false;
  await until('the store is back', () => !state.isFileStoreAway);
  await stop();
  const before = checks;
  isAway = true;
  await new Promise((resolve) => setImmediate(resolve));
  expect([checks, state.isFileStoreAway]).toEqual([before, false]);
});
