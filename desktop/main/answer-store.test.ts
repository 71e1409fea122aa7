import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAnswerStore } from './answer-store.ts';
import { createBlobs } from './node-blobs.ts';
import type { Blobs, Secrets } from './ports.ts';
import { createVault, findVault, openVault } from './vault.ts';

const KEY = Buffer.alloc(32, 7);
const SECRET = 'the salary of Anna';

let root: string;
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'runsheet-answers-'))));
afterAll(() => rm(root, { recursive: true, force: true }));

let folder: string;
let blobs: Blobs;
let logged: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'kept-'));
  blobs = createBlobs(folder);
  logged = [];
});
const log = (text: string): void => void logged.push(text);
const answer = (text: string) => ({ at: 5, headers: { 'content-type': 'a/b' }, body: Buffer.from(text) });
const textOf = (stored: { body: Uint8Array } | null): string | null => stored && Buffer.from(stored.body).toString();

describe('answers', () => {
  test('come back after a restart, and lie in files that reveal nothing about them', async () => {
    await createAnswerStore(blobs, createVault(KEY), log).put('GET /api/secret', answer(SECRET));
    const stored = await createAnswerStore(blobs, createVault(KEY), log).get('GET /api/secret');
    expect([stored?.at, stored?.headers, textOf(stored)]).toEqual([5, { 'content-type': 'a/b' }, SECRET]);
    const [name = ''] = await readdir(folder);
    expect(name).toMatch(/^[0-9a-f]{40}$/);
    expect((await readFile(join(folder, name))).includes(SECRET)).toBe(false);
  });

  test('are nothing to another key, once they were changed or cut, or under another name', async () => {
    const store = createAnswerStore(blobs, createVault(KEY), log);
    await store.put('a', answer(SECRET));
    expect(await createAnswerStore(blobs, createVault(Buffer.alloc(32, 8)), log).get('a')).toBeNull();
    const [name = ''] = await readdir(folder);
    const encrypted = await readFile(join(folder, name));
    await writeFile(join(folder, createVault(KEY).nameOf('b')), encrypted);
    expect(await store.get('b')).toBeNull();
    for (const broken of [encrypted.subarray(0, -1), encrypted.subarray(0, 3), Buffer.alloc(0), flipped(encrypted)]) {
      await writeFile(join(folder, name), broken);
      expect(await store.get('a')).toBeNull();
    }
  });

  test('that are the same again are not written for a while, and others at once', async () => {
    let writes = 0;
    const counting = {
      ...blobs,
      write: (name: string, content: Uint8Array) => ((writes += 1), blobs.write(name, content)),
    };
    const store = createAnswerStore(counting, createVault(KEY), log);
    for (const at of [0, 1000, 29_000]) await store.put('a', { ...answer('same'), at });
    expect([writes, (await store.get('a'))?.at]).toEqual([1, 0]);
    await store.put('a', { ...answer('same'), at: 30_000 });
    await store.put('a', { ...answer('other'), at: 30_001 });
    expect([writes, (await store.get('a'))?.at]).toEqual([3, 30_001]);
  });

  test('stay within their bounds: the oldest go, whatever else lies there stays', async () => {
    await blobs.write('lease', Buffer.from('x'));
    const store = createAnswerStore(blobs, createVault(KEY), log, { entries: 3, bytes: 1000 });
    for (const [at, key] of ['a', 'b', 'c', 'a', 'd'].entries()) await store.put(key, answer(`${key} ${at}`));
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.has(key)))).toEqual([true, false, true, true]);
    await store.put('large', answer('x'.repeat(800)));
    expect((await blobs.list()).reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(1001);
    expect(await store.has('large')).toBe(true);
    expect(await blobs.read('lease')).not.toBeNull();
  });

  test('are not kept on a full disk, which is logged, and what was there stays', async () => {
    const store = createAnswerStore(blobs, createVault(KEY), log);
    await store.put('a', answer('first'));
    const full = { ...blobs, write: () => Promise.reject(new Error('ENOSPC')) };
    await createAnswerStore(full, createVault(KEY), log).put('a', answer('second'));
    expect(logged).toEqual(['an answer could not be kept']);
    expect(textOf(await store.get('a'))).toBe('first');
  });

  test('that are being written are not taken for the remains of an earlier start', async () => {
    const content = Buffer.alloc(2_000_000);
    const names = Array.from({ length: 8 }, (_, index) => `blob-${index}`);
    const written = Promise.all(names.map((name) => blobs.write(name, content)));
    for (let round = 0; round < 20; round += 1) await blobs.list();
    await written;
    expect((await blobs.list()).map(({ name }) => name).toSorted()).toEqual(names);
  });

  test('that were half written when the program ended are not there', async () => {
    await writeFile(join(folder, `${createVault(KEY).nameOf('a')}.abc.part`), 'half');
    expect(await blobs.list()).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });
});

const flipped = (encrypted: Uint8Array): Uint8Array => {
  const copy = Uint8Array.from(encrypted);
  copy[copy.length - 1]! ^= 1;
  return copy;
};

describe('the key', () => {
  const items = new Map<string, string>();
  const secrets: Secrets = {
    get: async (name) => items.get(name) ?? null,
    set: async (name, secret) => void items.set(name, secret),
    remove: async (name) => void items.delete(name),
  };
  beforeEach(() => items.clear());

  test('is made once, lies in the keychain alone, and without it nothing is opened', async () => {
    expect(await findVault(secrets, 'k')).toBeNull();
    const encrypted = (await openVault(secrets, 'k')).encrypt('n', Buffer.from(SECRET));
    expect(Buffer.from((await openVault(secrets, 'k')).decrypt('n', encrypted)!).toString()).toBe(SECRET);
    items.clear();
    expect((await openVault(secrets, 'k')).decrypt('n', encrypted)).toBeNull();
  });

  test('is not replaced where the keychain is locked, and none is made that it does not keep', async () => {
    const locked = { ...secrets, get: () => Promise.reject(new Error('locked')) };
    await expect(openVault(locked, 'k')).rejects.toThrow('locked');
    expect(items.size).toBe(0);
    await expect(openVault({ ...secrets, set: async () => undefined }, 'k')).rejects.toThrow('does not store anything');
  });
});
