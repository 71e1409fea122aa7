import { expect, test } from 'vitest';
import { createCallsToOpen } from './calls-to-open.ts';

test('a link that comes before the program is ready is followed once it is', () => {
  const calls = createCallsToOpen();
  const opened: (string | null)[] = [];
  for (const path of ['/sessions', null]) calls.take(path);
  expect(opened).toEqual([]);
  calls.follow((path) => opened.push(path));
  expect(opened).toEqual(['/sessions']);
  for (const path of ['/outbox', null]) calls.take(path);
  expect(opened).toEqual(['/sessions', '/outbox', null]);
});
