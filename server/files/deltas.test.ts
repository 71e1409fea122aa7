/** Files that are stored as deltas of other files. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '#server/db/transaction.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { storeDelta } from '#test/support/store-delta.ts';
import { createDeltaBases, deltaKey, deltaOf, withDeltas } from './deltas.ts';
import type { FileStore } from './file-store.ts';
import { createFolderFileStore } from './folder-store.ts';
import { insertStoredFiles, newFileId, type NewStoredFile } from './stored-files.ts';
import { deleteUnreferenced } from './unreferenced-files.ts';

let database: TestDatabase;
let folder: string;
let files: FileStore;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'deltas-test-'));
  files = withDeltas(await createFolderFileStore(folder), database);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function storedBase(bytes: Uint8Array): Promise<NewStoredFile> {
  const { key, contentLength, sha256 } = await files.put(bytes);
  const of = { FileId: newFileId(), FileName: 'a.xlsx', Purpose: 'version' as const };
  const sums = { StoreKey: key, ContentLength: contentLength, Sha256: sha256 };
  const base = { ...of, ...sums, UserId: null, ActivityParameterId: null };
  await insertStoredFiles(database.knex, [base]);
  return base;
}

const storedDelta = async (bytes: Uint8Array, { FileId, StoreKey }: NewStoredFile) =>
  storeDelta(database.knex, bytes, { FileId, bytes: await files.read(StoreKey) });

/** Changed in the middle, and longer. */
const changed = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 700), Buffer.from('<c r="A2"><v>42</v></c>'), bytes.subarray(690)]);

const unreferenced = (fileIds: string[]): Promise<string[]> =>
  inTransaction(database.knex, (trx) => deleteUnreferenced(trx, fileIds));

describe('a file kept as a delta', () => {
  test('is read byte for byte, whole and as a stream, and nothing of it lies in the store', async () => {
    for (const length of [1_000, 40_000, 120_000]) {
      const bytes = randomBytes(length);
      const base = await storedBase(bytes);
      const before = await readdir(folder, { recursive: true });
      const made = await storedDelta(changed(bytes), base);
      expect(made.Delta.length).toBeLessThan(300);
      expect(await files.has(made.StoreKey)).toBe(true);
      expect(await files.read(made.StoreKey)).toEqual(changed(bytes));
      expect(await buffer(await files.open(made.StoreKey))).toEqual(changed(bytes));
      await files.delete(made.StoreKey);
      expect(await files.read(made.StoreKey)).toEqual(changed(bytes));
      expect(await readdir(folder, { recursive: true })).toEqual(before);
    }
  });

  test('is not made if too much differs, or if it is large', () => {
    const base = randomBytes(5_000);
    expect(deltaOf(randomBytes(5_000), base)).toBeNull();
    expect(deltaOf(Buffer.alloc(129 * 1024), base)).toBeNull();
    expect(deltaOf(Buffer.alloc(127 * 1024), base)).not.toBeNull();
  });

  test('is missing where its row or its base is, and damaged where its base is another', async () => {
    const bytes = randomBytes(5_000);
    const base = await storedBase(bytes);
    const made = await storedDelta(changed(bytes), base);
    const path = join(folder, base.StoreKey.slice(0, 2), base.StoreKey);
    for (const other of [randomBytes(5_000), bytes.subarray(0, 4_000), Buffer.alloc(0)]) {
      await writeFile(path, other);
      await expect(files.read(made.StoreKey)).rejects.toMatchObject({ code: 'FileDamaged', status: 500 });
    }
    await rm(path);
    await expect(files.open(made.StoreKey)).rejects.toMatchObject({ code: 'FileMissing' });
    expect(await files.has(made.StoreKey)).toBe(false);
    await expect(files.read(deltaKey(newFileId()))).rejects.toMatchObject({ code: 'FileMissing', status: 404 });
    expect(await files.has(deltaKey(newFileId()))).toBe(false);
  });

  test('keeps its base, which is deleted with the last delta of it', async () => {
    const bytes = randomBytes(2_000);
    const base = await storedBase(bytes);
    const [one, two] = [await storedDelta(changed(bytes), base), await storedDelta(bytes, base)];
    expect(await unreferenced([base.FileId])).toEqual([]);
    expect(await unreferenced([one.FileId, base.FileId])).toEqual([one.StoreKey]);
    expect(await files.read(two.StoreKey)).toEqual(bytes);
    expect((await unreferenced([two.FileId])).sort()).toEqual([two.StoreKey, base.StoreKey].sort());
    expect(await database.knex('StoredFiles').whereIn('FileId', [base.FileId, one.FileId, two.FileId])).toEqual([]);
  });
});

describe('a base', () => {
  test('is read once, and again where it could not be read', async () => {
    let reads = 0;
    let isAway = true;
    const bases = createDeltaBases({
      read: async () => {
        reads += 1;
        if (isAway) throw new Error('away');
        return Buffer.from('base');
      },
    });
    const file = { FileId: 'f', StoreKey: 'k', ContentLength: 4 };
    expect(await bases(file)).toBeNull();
    isAway = false;
    expect(await bases(file)).toEqual({ FileId: 'f', bytes: Buffer.from('base') });
    await bases(file);
    expect(reads).toBe(2);
  });

  test('is not read where it is large', async () => {
    const bases = createDeltaBases({ read: () => Promise.reject(new Error('it was read')) });
    expect(await bases({ FileId: 'f', StoreKey: 'k', ContentLength: 200_000 })).toBeNull();
  });

  test('makes room for those that were used last', async () => {
    const reads: string[] = [];
    const bases = createDeltaBases({
      read: async (key) => {
        reads.push(key);
        return Buffer.from(key);
      },
    });
    const of = (at: number) => bases({ FileId: `${at}`, StoreKey: `${at}`, ContentLength: 1 });
    for (let at = 0; at < 64; at++) await of(at);
    await of(0);
    await of(64);
    await of(0);
    expect(reads).toHaveLength(65);
    await of(1);
    expect(reads).toHaveLength(66);
  });
});
