import { expect, test } from 'vitest';
import { withAll } from './tick-all.ts';

const user = (UserId: number) => ({ UserId });

test('ticking or unticking all listed users leaves those whom a search hides as they are', () => {
  const hidden = new Map([[1, user(1)]]);
  const all = withAll(hidden, [user(2), user(3)], true);
  expect([...all.keys()]).toEqual([1, 2, 3]);
  expect([...withAll(all, [user(2), user(3)], false).keys()]).toEqual([1]);
});
