// @vitest-environment node
import { expect, test, vi } from 'vitest';

vi.mock('#renderer/api/bridge.ts', () => ({ bridge: {} }));

const { createTextCipher } = await import('./draft-cipher.ts');

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

test('a text comes back with the same key, for what it was kept as, and never the same twice', async () => {
  const cipher = await createTextCipher(key(1));
  const encrypted = await cipher.encrypt('Zinssatz 3 %', 'form 7');
  expect(encrypted).not.toContain('Zins');
  expect(await cipher.encrypt('Zinssatz 3 %', 'form 7')).not.toBe(encrypted);
  expect(await (await createTextCipher(key(1))).decrypt(encrypted, 'form 7')).toBe('Zinssatz 3 %');
});

test('with another person’s key, in another place, or changed, it is nothing', async () => {
  const cipher = await createTextCipher(key(1));
  const encrypted = await cipher.encrypt('text', 'form 7');
  expect(await (await createTextCipher(key(2))).decrypt(encrypted, 'form 7')).toBeNull();
  expect(await cipher.decrypt(encrypted, 'form 8')).toBeNull();
  expect(await cipher.decrypt('not encrypted', 'form 7')).toBeNull();
  expect(await cipher.decrypt('[{"Name":"A"}]', 'form 7')).toBeNull();
});

test('a long text is kept in a fraction of its length, and comes back whole', async () => {
  const cipher = await createTextCipher(key(1));
  const rows = JSON.stringify(
    Array.from({ length: 5000 }, (_, row) => [`Größe ${row}`, String(row % 100), '31.12.2025']),
  );
  const encrypted = await cipher.encrypt(rows, 'form 7');
  expect(encrypted.length).toBeLessThan(rows.length / 4);
  expect(await cipher.decrypt(encrypted, 'form 7')).toBe(rows);
  expect(await cipher.decrypt(encrypted, 'form 8')).toBeNull();
  // The marker for compression is part of the authenticated data.
  expect(await cipher.decrypt(encrypted.replace(/\.gzip$/, ''), 'form 7')).toBeNull();
});
