/**
 * Files stored as deltas. The result of a small workbook often differs from its version's workbook in only a few
 * hundred bytes. The delta is stored in the file's row, so nothing is written to the store. A file is read back byte
 * for byte.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompress } from 'node:zlib';
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { createBatchedReader } from '#server/db/batched-reader.ts';
import { fileMissing, type FileStore } from './file-store.ts';

/** A file that is the base of deltas. */
export interface DeltaBase {
  FileId: string;
  bytes: Uint8Array;
}

/** A file that could be a base. */
export interface BaseFile {
  FileId: string;
  StoreKey: string;
  /** Size in bytes. */
  ContentLength: number;
}

/** Returns null if the file is too large to be a base, or cannot be read now. */
export type DeltaBases = (file: BaseFile) => Promise<DeltaBase | null>;

/** Maximum size in bytes of a base, and of a file stored as its delta: comparing them takes about 0.1 ms. */
const LARGEST = 128 * 1024;
/** Maximum length in characters; longer deltas should not be stored in the database. */
const MAX_DELTA_LENGTH = 2_000;
const CACHED_BASES = 64;
const PREFIX = 'delta:';

const decompress = promisify(zstdDecompress);

/** Returns the StoreKey of a file that is stored only in its row. */
export const deltaKey = (fileId: string): string => PREFIX + fileId;

const fileIdOf = (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null);

/** Returns the delta in base64; null if the file differs too much from its base, or is too large. */
export function deltaOf(bytes: Uint8Array, base: Uint8Array): string | null {
  if (bytes.byteLength > LARGEST) return null;
  const delta = zstdCompressSync(bytes, { dictionary: base }).toString('base64');
  return delta.length <= MAX_DELTA_LENGTH ? delta : null;
}

/** With a base other than that of the delta, it throws or returns wrong bytes: callers compare the hash. */
async function applied(delta: string, base: Uint8Array): Promise<Buffer> {
  return (await decompress(Buffer.from(delta, 'base64'), { dictionary: base, maxOutputLength: LARGEST })) as Buffer;
}

/** The most recently used bases are cached in memory. */
export function createDeltaBases(store: Pick<FileStore, 'read'>): DeltaBases {
  const cache = new Map<string, Promise<DeltaBase | null>>();

  async function read({ FileId, StoreKey }: BaseFile): Promise<DeltaBase | null> {
    try {
      return { FileId, bytes: await store.read(StoreKey) };
    } catch {
      // The file is then stored whole, which waits for an unavailable store or reports its error.
      cache.delete(FileId);
      return null;
    }
  }

  return async (file) => {
    if (file.ContentLength > LARGEST) return null;
    const known = cache.get(file.FileId);
    cache.delete(file.FileId);
    const base = known ?? read(file);
    cache.set(file.FileId, base);
    const [oldest] = cache.keys();
    if (cache.size > CACHED_BASES) cache.delete(oldest!);
    return base;
  };
}

interface DeltaRow {
  FileId: string;
  Delta: string;
  Sha256: string;
  StoreKey: string;
}

const findDelta = createBatchedReader<string, DeltaRow>(
  (db, fileIds) =>
    db('StoredFiles as F')
      .join('StoredFiles as B', 'B.FileId', 'F.BaseFileId')
      .whereIn('F.FileId', fileIds)
      .select('F.FileId', 'F.Delta', 'F.Sha256', 'B.StoreKey'),
  ({ FileId }) => FileId,
);

/**
 * Wraps the store so that it also reads files stored as deltas. Throws the errors of the store, and AppError
 * 'FileDamaged' (500).
 */
export function withDeltas(store: FileStore, { knex }: { knex: Knex }): FileStore {
  const find = (fileId: string): Promise<DeltaRow | undefined> => findDelta(knex, fileId);

  async function make(key: string, fileId: string): Promise<Buffer> {
    const row = await find(fileId);
    if (!row) throw fileMissing(key, undefined);
    const base = await store.read(row.StoreKey);
    const restored = await applied(row.Delta, base).catch((cause: unknown) => damaged(key, cause));
    const sum = createHash('sha256').update(restored).digest('hex');
    return sum === row.Sha256 ? restored : damaged(key, undefined);
  }

  async function hasBase(fileId: string): Promise<boolean> {
    const row = await find(fileId);
    return row !== undefined && store.has(row.StoreKey);
  }

  return {
    ...store,
    read: async (key) => {
      const fileId = fileIdOf(key);
      return fileId === null ? store.read(key) : make(key, fileId);
    },
    open: async (key) => {
      const fileId = fileIdOf(key);
      return fileId === null ? store.open(key) : Readable.from([await make(key, fileId)]);
    },
    has: async (key) => {
      const fileId = fileIdOf(key);
      return fileId === null ? store.has(key) : hasBase(fileId);
    },
    delete: async (key) => {
      // A delta was deleted with its row.
      if (fileIdOf(key) === null) await store.delete(key);
    },
  };
}

function damaged(key: string, cause: unknown): never {
  throw new AppError('FileDamaged', 500, 'The stored file has been changed.', {
    cause: new Error(`The file ${key} is not what its base and its delta make`, { cause }),
  });
}
