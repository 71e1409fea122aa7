import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFolderFileStore } from './file-store.ts';
import type { FileStore } from './file-store.ts';

let folder: string;
let store: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-files-'));
  store = await createFolderFileStore(join(folder, 'store'));
});
afterEach(() => rm(folder, { recursive: true }));

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('a file store in a folder', () => {
  it('gives back what was put in, whole and as a stream', async () => {
    const content = randomBytes(1_000_000);
    const { key, contentLength, sha256 } = await store.put(
      Readable.from([content.subarray(0, 7), content.subarray(7)]),
    );
    expect(contentLength).toBe(1_000_000);
    expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
    expect((await store.read(key)).equals(content)).toBe(true);
    expect((await buffer(await store.open(key))).equals(content)).toBe(true);
  });

  it('takes a buffer and an empty file', async () => {
    const { key, contentLength } = await store.put(Buffer.from('a,b\n1,2\n'));
    expect(contentLength).toBe(8);
    expect((await store.read(key)).toString()).toBe('a,b\n1,2\n');
    const empty = await store.put(Buffer.alloc(0));
    expect(await store.read(empty.key)).toHaveLength(0);
  });

  it('names each file anew, even for the same content', async () => {
    const [one, two] = await Promise.all([store.put(Buffer.from('x')), store.put(Buffer.from('x'))]);
    expect(one.key).not.toBe(two.key);
    await store.delete(one.key);
    expect((await store.read(two.key)).toString()).toBe('x');
  });

  it('is the same store for another process on the same folder', async () => {
    const { key } = await store.put(Buffer.from('shared'));
    const other = await createFolderFileStore(join(folder, 'store'));
    expect((await other.read(key)).toString()).toBe('shared');
  });

  it('stops reading as soon as a file is too large, and keeps nothing of it', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        sent += 1000;
        yield Buffer.alloc(1000);
      }
    }
    await expect(store.put(endless(), { maxBytes: 4500 })).rejects.toMatchObject({ code: 'FileTooLarge', status: 413 });
    expect(sent).toBe(5000);
    expect(await filesIn(folder)).toEqual([]);
    expect((await store.put(Buffer.alloc(4500), { maxBytes: 4500 })).contentLength).toBe(4500);
  });

  it('keeps nothing of a transfer that breaks off or is aborted', async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(1000);
      throw new Error('the client went away');
    }
    await expect(store.put(breaking())).rejects.toThrow('the client went away');
    const aborted = new AbortController();
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(10);
      aborted.abort();
      yield Buffer.alloc(10);
    }
    await expect(store.put(slow(), { signal: aborted.signal })).rejects.toThrow('aborted');
    expect(await filesIn(folder)).toEqual([]);
  });

  it('clears away what a killed server left half received, but not what another is receiving', async () => {
    const incoming = join(folder, 'store', 'incoming');
    await writeFile(join(incoming, 'old'), 'half');
    await utimes(join(incoming, 'old'), 0, 0);
    await writeFile(join(incoming, 'new'), 'half');
    await createFolderFileStore(join(folder, 'store'));
    expect(await filesIn(folder)).toEqual(['new']);
  });

  it('says that a file is missing, and deletes one twice without complaint', async () => {
    const { key } = await store.put(Buffer.from('gone'));
    await store.delete(key);
    await store.delete(key);
    await expect(store.read(key)).rejects.toMatchObject({ code: 'FileMissing', status: 404 });
    await expect(store.open(key)).rejects.toMatchObject({ code: 'FileMissing', status: 404 });
  });

  it.each(['../../outside', '/etc/passwd', '..', '', 'ab/../../outside', `${'a'.repeat(47)}/`, 'A'.repeat(48), 'con'])(
    'refuses the key %j',
    async (key) => {
      await writeFile(join(folder, 'outside'), 'secret');
      for (const use of [store.read(key), store.open(key), store.delete(key)]) {
        await expect(use).rejects.toMatchObject({ code: 'FileKeyInvalid', status: 400 });
      }
      expect(await filesIn(folder)).toEqual(['outside']);
    },
  );
});
