import { expect, test } from 'vitest';
import { insertedId } from './inserted-id.ts';

test('an insert answers with its Id, or says that it returned no row', async () => {
  await expect(insertedId(Promise.resolve([{ Id: 7 }]))).resolves.toBe(7);
  await expect(insertedId(Promise.resolve([]))).rejects.toThrow('An insert has returned no row');
});
