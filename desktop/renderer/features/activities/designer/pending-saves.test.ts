import { expect, test } from 'vitest';
import { registerPendingSave, waitForPendingSave } from './pending-saves.ts';

test('a design is opened again after its last changes are saved, or could not be saved', async () => {
  await waitForPendingSave(1);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  registerPendingSave(1, first.promise);
  registerPendingSave(1, second.promise);
  let isOpened = false;
  const opened = waitForPendingSave(1).then(() => (isOpened = true));
  first.resolve();
  await waitForPendingSave(2);
  expect(isOpened).toBe(false);
  second.reject(new Error('no network'));
  await opened;
  await waitForPendingSave(1);
});
