import { expect, test } from 'vitest';
import { createOpenPages } from './open-pages.ts';

test('each page has its own key, and an invalid key belongs to no page', () => {
  const pages = createOpenPages();
  const [one, other] = [pages.open(), pages.open()];
  expect(one.key).not.toBe(other.key);
  for (const key of ['', 'AAAA', `${one.key}A`, one.key.slice(1)]) expect(pages.closeSignal(key)).toBeNull();
});

test('a page that was left is known as such and keeps its key, and the others continue', () => {
  const pages = createOpenPages();
  const [closed, shown] = [pages.open(), pages.open()];
  closed.leave();
  expect([closed, shown].map(({ key }) => pages.closeSignal(key)?.aborted)).toEqual([true, false]);
});
