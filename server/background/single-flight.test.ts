import { expect, test } from 'vitest';
import { createSingleFlight } from './single-flight.ts';

test('calls during a read share the next one, even if the read fails', async () => {
  const reads: PromiseWithResolvers<number>[] = [];
  const read = createSingleFlight(() => {
    const begun = Promise.withResolvers<number>();
    reads.push(begun);
    return begun.promise;
  });
  const first = read();
  const later = [read(), read()];
  expect(reads).toHaveLength(1);
  reads[0]!.reject(new Error('the database is unreachable'));
  await expect(first).rejects.toThrow('unreachable');
  await expect.poll(() => reads.length).toBe(2);
  reads[1]!.resolve(7);
  expect(await Promise.all(later)).toEqual([7, 7]);
  expect(reads).toHaveLength(2);
});
