import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecretKey } from './secret-key.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'runsheet-key-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test('the first start makes a key that only the server may read, and all others find it', async () => {
  const [one, two] = await Promise.all([
    loadSecretKey({ secretKey: '', dataDir }),
    loadSecretKey({ secretKey: '', dataDir }),
  ]);
  expect(one).toMatch(/^[\w-]{43}$/);
  expect(two).toBe(one);
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
});

test('the configured one counts', async () => {
  expect(await loadSecretKey({ secretKey: 'configured', dataDir })).toBe('configured');
});

test('a file without a key stops the start: with another key nobody could sign in', async () => {
  await writeFile(join(dataDir, 'secret.key'), '');
  await expect(loadSecretKey({ secretKey: '', dataDir })).rejects.toThrow('holds no key');
});
