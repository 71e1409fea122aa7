// @vitest-environment node
import { expect, test, vi } from 'vitest';

vi.mock('#renderer/api/bridge.ts', () => ({ bridge: {} }));

const { createTextCipher } = await import('./draft-cipher.ts');

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

test('a text comes back with the same key, for what it was kept as, and never the same twice', async () => {
  const cipher = await createTextCipher(key(1));
  const sealed = await cipher.seal('Zinssatz 3 %', 'form 7');
  expect(sealed).not.toContain('Zins');
  expect(await cipher.seal('Zinssatz 3 %', 'form 7')).not.toBe(sealed);
  expect(await (await createTextCipher(key(1))).open(sealed, 'form 7')).toBe('Zinssatz 3 %');
});

test('with another person’s key, in another place, or changed, it is nothing', async () => {
  const cipher = await createTextCipher(key(1));
  const sealed = await cipher.seal('text', 'form 7');
  expect(await (await createTextCipher(key(2))).open(sealed, 'form 7')).toBeNull();
  expect(await cipher.open(sealed, 'form 8')).toBeNull();
  expect(await cipher.open('not sealed', 'form 7')).toBeNull();
  expect(await cipher.open('[{"Name":"A"}]', 'form 7')).toBeNull();
});
