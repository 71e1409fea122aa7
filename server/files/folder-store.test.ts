import { mkdirSync, renameSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeFileStore } from '#test/support/file-store-suite.ts';
import type { FileStore } from './file-store.ts';
import { MARKER } from './folder-marker.ts';
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
  return entries.filter((entry) => entry.isFile() && entry.name !== MARKER).map((entry) => entry.name);
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

  it('stores nothing while its marker is missing, as when the share is not mounted, and continues when it is back', async () => {
    const { key } = await store.put(Buffer.from('stored'));
    const root = join(folder, 'store');
    const share = join(folder, 'share');
    await rename(root, share);
    // The folder on which the share was mounted: missing, empty, or with what an older version wrote there.
    const mountPoints = [async () => {}, () => mkdir(root), () => mkdir(join(root, 'incoming'))];
    for (const make of mountPoints) {
      await make();
      const large = Buffer.alloc(2 * 1024 * 1024);
      const uses: (() => Promise<unknown>)[] = [
        () => store.check(),
        () => store.put(Buffer.from('x')),
        () => store.put(large),
        () => store.open(key),
        () => store.read(key),
        () => store.has(key),
        () => store.delete(key),
        () => store.list('', 10),
        () => store.clearUnfinished(new Date()),
      ];
      for (const use of uses) await expect(use()).rejects.toMatchObject({ code: 'StoreFolderMissing' });
      expect(await everything()).toEqual([key]);
    }
    await rm(root, { recursive: true });
    await rename(share, root);
    await store.check();
    expect((await store.read(key)).toString()).toBe('stored');
  });

  it('writes nothing to the mount point and fails when the share disappears while files are stored', async () => {
    const root = join(folder, 'store');
    const puts = [Buffer.from('small'), Buffer.alloc(2 * 1024 * 1024)].map((content) => store.put(content));
    const ended = Promise.allSettled(puts);
    // The checks for the marker finish while this thread is blocked, so their callbacks run after the share is gone.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    renameSync(root, join(folder, 'share'));
    mkdirSync(join(root, 'incoming'), { recursive: true });
    for (const put of await ended)
      expect(put).toMatchObject({ status: 'rejected', reason: { code: 'StoreFolderMissing' } });
    expect(await readdir(root, { recursive: true })).toEqual(['incoming']);
  });

  it('lists only what it has stored itself', async () => {
    await writeFile(join(folder, 'store', 'notes.txt'), 'x');
    const { key } = await store.put(Buffer.from('x'));
    await writeFile(join(folder, 'store', key.slice(0, 2), 'notes.txt'), 'x');
    expect((await store.list('', 10)).files.map((file) => file.key)).toEqual([key]);
  });
});
