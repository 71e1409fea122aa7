/** The requirements for every file store, regardless of its backend. */
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { FileStore } from '#server/files/file-store.ts';
import { isFullSet } from './test-set.ts';

export interface StoreUnderTest {
  store: FileStore;
  /** Opens the same files as another process would. */
  another(): Promise<FileStore>;
  /** Names of everything in the store, including unfinished files. */
  everything(): Promise<string[]>;
}

const MB = 1024 * 1024;

export function describeFileStore(name: string, current: () => StoreUnderTest): void {
  const store = (): FileStore => current().store;

  describe(`${name}: what holds for every store`, () => {
    it('gives back what was put in, whole and as a stream', async () => {
      const content = randomBytes(1_000_000);
      const { key, contentLength, sha256 } = await store().put(
        Readable.from([content.subarray(0, 7), content.subarray(7)]),
      );
      expect(contentLength).toBe(1_000_000);
      expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
      expect((await store().read(key)).equals(content)).toBe(true);
      expect((await buffer(await store().open(key))).equals(content)).toBe(true);
    });

    it.each(isFullSet ? [8 * MB - 1, 8 * MB, 8 * MB + 1, 20 * MB] : [8 * MB + 1])(
      'takes %i bytes, in chunks of any size',
      async (length) => {
        const content = randomBytes(length);
        async function* chunks(): AsyncGenerator<Uint8Array> {
          for (let at = 0, size = 1; at < length; at += size, size = Math.min(3 * MB, size * 7)) {
            yield content.subarray(at, at + size);
          }
        }
        const { key, contentLength, sha256 } = await store().put(chunks());
        expect(contentLength).toBe(length);
        expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
        expect((await store().read(key)).equals(content)).toBe(true);
        const whole = await store().put(content);
        expect((await store().read(whole.key)).equals(content)).toBe(true);
      },
    );

    it('takes a buffer and an empty file', async () => {
      const { key, contentLength } = await store().put(Buffer.from('a,b\n1,2\n'));
      expect(contentLength).toBe(8);
      expect((await store().read(key)).toString()).toBe('a,b\n1,2\n');
      const empty = await store().put(Buffer.alloc(0));
      expect(await store().read(empty.key)).toHaveLength(0);
    });

    it('gives each file a new name, even for the same content', async () => {
      const [one, two] = await Promise.all([store().put(Buffer.from('x')), store().put(Buffer.from('x'))]);
      expect(one.key).not.toBe(two.key);
      await store().delete(one.key);
      expect(await store().has(one.key)).toBe(false);
      expect((await store().read(two.key)).toString()).toBe('x');
    });

    it('is the same store for another process', async () => {
      const { key } = await store().put(Buffer.from('shared'));
      const other = await current().another();
      expect((await other.read(key)).toString()).toBe('shared');
      expect(await other.has(key)).toBe(true);
    });

    it.each([4500, 9 * MB])(
      'stops reading as soon as a file is larger than %i bytes, and keeps nothing',
      async (maxBytes) => {
        const size = maxBytes / 4.5;
        let sent = 0;
        async function* endless(): AsyncGenerator<Uint8Array> {
          for (;;) {
            sent += size;
            yield Buffer.alloc(size);
          }
        }
        await expect(store().put(endless(), { maxBytes })).rejects.toMatchObject({ code: 'FileTooLarge', status: 413 });
        expect(sent).toBe(5 * size);
        expect(await current().everything()).toEqual([]);
        expect((await store().put(Buffer.alloc(maxBytes), { maxBytes })).contentLength).toBe(maxBytes);
      },
    );

    it.each([1000, 9 * MB])(
      'keeps nothing of a transfer that breaks off or is aborted after %i bytes',
      async (size) => {
        async function* breaking(): AsyncGenerator<Uint8Array> {
          yield Buffer.alloc(size);
          throw new Error('the client went away');
        }
        await expect(store().put(breaking())).rejects.toThrow('the client went away');
        const aborted = new AbortController();
        async function* slow(): AsyncGenerator<Uint8Array> {
          yield Buffer.alloc(size);
          aborted.abort();
          yield Buffer.alloc(size);
        }
        await expect(store().put(slow(), { signal: aborted.signal })).rejects.toThrow('aborted');
        expect(await current().everything()).toEqual([]);
      },
    );

    it('shows nothing of a file before it is whole', async () => {
      async function* parts(): AsyncGenerator<Uint8Array> {
        yield Buffer.alloc(9 * MB);
        expect((await store().list('', 10)).files).toEqual([]);
        yield Buffer.alloc(9 * MB);
      }
      const { key } = await store().put(parts());
      expect((await store().list('', 10)).files.map((file) => file.key)).toEqual([key]);
    });

    it('lists its files page by page, with the time they were stored', async () => {
      expect(await store().list('', 3)).toEqual({ files: [], next: null });
      const puts = await Promise.all(Array.from({ length: 7 }, (_, index) => store().put(Buffer.from(String(index)))));
      const keys = puts.map(({ key }) => key).sort();
      const listed: string[] = [];
      let after: string | null = '';
      for (let pages = 0; after !== null; pages++) {
        const page = await store().list(after, 3);
        expect(page.files.length).toBeLessThanOrEqual(3);
        for (const { key, time } of page.files) {
          listed.push(key);
          expect(Math.abs(time.getTime() - Date.now())).toBeLessThan(3600_000);
        }
        after = page.next;
        expect(pages).toBeLessThan(5);
      }
      expect(listed).toEqual(keys);
    });

    it('continues listing if a file has been deleted in the meantime', async () => {
      const puts = await Promise.all(['a', 'b', 'c', 'd'].map((text) => store().put(Buffer.from(text))));
      const keys = puts.map(({ key }) => key).sort();
      const page = await store().list('', 2);
      await store().delete(keys[1]!);
      expect((await store().list(page.next!, 10)).files.map(({ key }) => key)).toEqual(keys.slice(2));
    });

    it('says that a file is missing, and deletes one twice without complaint', async () => {
      const { key } = await store().put(Buffer.from('gone'));
      await store().delete(key);
      await store().delete(key);
      await expect(store().read(key)).rejects.toMatchObject({ code: 'FileMissing', status: 404 });
      await expect(store().open(key)).rejects.toMatchObject({ code: 'FileMissing', status: 404 });
      expect(await store().has(key)).toBe(false);
    });

    it.each([
      '../../outside',
      '/etc/passwd',
      '..',
      '',
      'ab/../../outside',
      `${'a'.repeat(47)}/`,
      'A'.repeat(48),
      'con',
    ])('refuses the key %j', async (key) => {
      for (const use of [store().read(key), store().open(key), store().has(key), store().delete(key)]) {
        await expect(use).rejects.toMatchObject({ code: 'FileKeyInvalid', status: 400 });
      }
    });
  });
}
