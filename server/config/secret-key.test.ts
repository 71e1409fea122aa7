import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
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

test('a start removes the drafts that killed starts left, and its own', async () => {
  const known = await loadSecretKey({ secretKey: '', dataDir });
  await writeFile(join(dataDir, 'secret.key.0123456789ab'), '');
  await writeFile(join(dataDir, 'secret.key.backup'), known);
  expect(await loadSecretKey({ secretKey: '', dataDir })).toBe(known);
  expect((await readdir(dataDir)).toSorted()).toEqual(['secret.key', 'secret.key.backup']);
});

test('a full disk keeps no start from a key that is whole, and a key that cannot be made leaves no draft', async (context) => {
  const disk = await mkdtemp(join(tmpdir(), 'runsheet-key-'));
  const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', disk]).status === 0;
  try {
    context.skip(!canMount, 'a small disk is mounted by root alone');
    const load = (): Promise<string> => loadSecretKey({ secretKey: '', dataDir: disk });
    const fillUp = (): Promise<void> => writeFile(join(disk, 'ballast'), Buffer.alloc(64 * 1024)).catch(() => {});
    await fillUp();
    await expect(load()).rejects.toThrow(/secret\.key cannot be read or created: ENOSPC/);
    expect(await readdir(disk)).toEqual(['ballast']);
    await rm(join(disk, 'ballast'));
    const key = await load();
    await fillUp();
    expect(await load()).toBe(key);
    expect((await readdir(disk)).toSorted()).toEqual(['ballast', 'secret.key']);
  } finally {
    if (canMount) spawnSync('umount', [disk]);
    await rm(disk, { recursive: true, force: true });
  }
});

test('a file without a key stops the start: with another key nobody could sign in', async () => {
  await writeFile(join(dataDir, 'secret.key'), '');
  await expect(loadSecretKey({ secretKey: '', dataDir })).rejects.toThrow('contains no valid key');
});
