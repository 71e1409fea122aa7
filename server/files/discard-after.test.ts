import { expect, test } from 'vitest';
import { AppError } from '#server/base/app-error.ts';
import { discardAfter } from './discard-after.ts';

async function deletedAfter(error: unknown): Promise<string[]> {
  const deleted: string[] = [];
  const store = { delete: async (key: string): Promise<void> => void deleted.push(key) };
  await discardAfter(store, ['one', 'two'], error);
  return deleted;
}

test('files of a refused or aborted upload are deleted', async () => {
  expect(await deletedAfter(new AppError('nameTaken', 409, 'The name is taken'))).toEqual(['one', 'two']);
  expect(await deletedAfter(AbortSignal.abort().reason)).toEqual(['one', 'two']);
});

test('files stay if the transaction may have been committed', async () => {
  expect(await deletedAfter(new Error('Connection terminated unexpectedly'))).toEqual([]);
  expect(await deletedAfter(undefined)).toEqual([]);
});

test('a store that fails does not hide the error', async () => {
  const store = { delete: async () => Promise.reject(new Error('the store is away')) };
  await expect(discardAfter(store, ['one'], new AppError('x', 400, 'x'))).resolves.toBeUndefined();
});
