import { expect, test } from 'vitest';
import { savedOnLeaving, untilSaved } from './left-designs.ts';

test('a design is opened again after its last changes are saved, or could not be saved', async () => {
  await untilSaved(1);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  savedOnLeaving(1, first.promise);
  savedOnLeaving(1, second.promise);
  let isOpened = false;
  const opened = untilSaved(1).then(() => (isOpened = true));
  first.resolve();
  await untilSaved(2);
  expect(isOpened).toBe(false);
  second.reject(new Error('no network'));
  await opened;
  await untilSaved(1);
});
