import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeFileStore } from '#test/support/file-store-suite.ts';
import type { FileStore } from './file-store.ts';
import { createFolderFileStore } from './folder-store.ts';

let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-files-'));
  store = await createFolderFileStore(join(folder, 'store'));
});
afterEach(() => rm(folder, { recursive: true }));

async function everything(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describeFileStore('a store in a folder', () => ({
  store,
  another: () => createFolderFileStore(join(folder, 'store')),
  everything,
}));

describe('a store in a folder', () => {
  it('clears away what a killed server left half received, but not what another is receiving', async () => {
    const incoming = join(folder, 'store', 'incoming');
    await writeFile(join(incoming, 'old'), 'half');
    await utimes(join(incoming, 'old'), 0, 0);
    await writeFile(join(incoming, 'new'), 'half');
    expect(await store.clearUnfinished(new Date(Date.now() - 1000 * 3600))).toBe(1);
    expect(await everything()).toEqual(['new']);
  });

  it('lists only what it has stored itself', async () => {
    await writeFile(join(folder, 'store', 'notes.txt'), 'x');
    const { key } = await store.put(Buffer.from('x'));
    await writeFile(join(folder, 'store', key.slice(0, 2), 'notes.txt'), 'x');
    expect((await store.list('', 10)).files.map((file) => file.key)).toEqual([key]);
  });
});
