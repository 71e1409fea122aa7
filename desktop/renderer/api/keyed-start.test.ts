import { expect, test } from 'vitest';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';
import { createKeyedStart } from './keyed-start.ts';

test('a start that failed is repeated with its key, and the next one has another', async () => {
  const start = createKeyedStart();
  const sent: string[] = [];
  const attempt = (what: number, fails: boolean) =>
    start(what, async (headers) => {
      sent.push(headers[IDEMPOTENCY_KEY_HEADER]!);
      if (fails) throw new Error('The server cannot be reached.');
      return what;
    });
  await expect(attempt(1, true)).rejects.toThrow('cannot be reached');
  await attempt(2, false);
  expect(await attempt(1, false)).toBe(1);
  await attempt(1, false);
  const [first, other, repeated, next] = sent;
  expect(repeated).toBe(first);
  expect(new Set([first, other, next]).size).toBe(3);
});
