import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '#server/base/app-error.ts';

export interface StoredFile {
  /** Name of the file in the store; random, and reveals nothing about the file. */
  key: string;
  /** Size in bytes. */
  contentLength: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

export interface PutOptions {
  /** Maximum number of bytes; put() fails if there are more. */
  maxBytes?: number;
  /** Aborts the transfer, for example if the client has disconnected. */
  signal?: AbortSignal;
}

/** Content for put(): chunks as they arrive, or all bytes at once. */
export type FileContent = AsyncIterable<Uint8Array> | Uint8Array;

/** A file returned by list(). */
export interface ListedFile {
  key: string;
  /** When the file was stored, by the clock of the storage. */
  time: Date;
}

export interface FilePage {
  files: ListedFile[];
  /** Pass this to list() for the next page; null if there is none. */
  next: string | null;
}

/**
 * The only place for files, shared by all servers. A stored file never changes.
 * Errors: AppError 'FileTooLarge' (413) of put; 'FileMissing' (404) of open and read; 'FileKeyInvalid' (400) for a key
 * that put() cannot have returned.
 */
export interface FileStore {
  /**
   * Throws if the store is unavailable, such as a share that is not mounted. Cheap enough to call at each start of a
   * run.
   */
  check(): Promise<void>;
  /** Stores a file completely or not at all. Once the promise resolves, the file survives a power failure. */
  put(content: FileContent, options?: PutOptions): Promise<StoredFile>;
  /** Stores a file under its earlier key, for example from a backup. Replaces an existing file. */
  restore(key: string, content: FileContent): Promise<StoredFile>;
  open(key: string): Promise<Readable>;
  read(key: string): Promise<Buffer>;
  has(key: string): Promise<boolean>;
  /** Deletes a file. A missing file is not an error, so that a cleanup can be repeated. */
  delete(key: string): Promise<void>;
  /** Lists at most `limit` files in key order, from the start ('') or from `next` of the previous page. */
  list(after: string, limit: number): Promise<FilePage>;
  /**
   * Removes incomplete files that killed servers left and that have not changed since `before`. Returns their number.
   */
  clearUnfinished(before: Date): Promise<number>;
}

const KEY = /^[0-9a-f]{48}$/;

export const newStoreKey = (): string => randomBytes(24).toString('hex');

export const isStoreKey = (text: string): boolean => KEY.test(text);

/** Accepts only keys in the format of put(), so no key leads out of the store. */
export function requireStoreKey(key: string): string {
  if (!isStoreKey(key)) throw new AppError('FileKeyInvalid', 400, 'There is no such file.');
  return key;
}

export function fileMissing(key: string, cause: unknown): AppError {
  return new AppError('FileMissing', 404, 'The file no longer exists.', {
    cause: new Error(`No file ${key} in the store`, { cause }),
  });
}

export interface MeasuredContent {
  /** Throws an AppError 'FileTooLarge' if there are too many bytes, and the signal's reason once it is aborted. */
  chunks: AsyncIterable<Uint8Array>;
  /** Returns the size and hash of the content so far. */
  measure: () => Omit<StoredFile, 'key'>;
}

/** Counts and hashes content on its way into the store. */
export function measured(
  content: FileContent,
  { maxBytes = Number.POSITIVE_INFINITY, signal }: PutOptions,
): MeasuredContent {
  const hash = createHash('sha256');
  let contentLength = 0;
  async function* pass(): AsyncIterable<Uint8Array> {
    for await (const chunk of content instanceof Uint8Array ? [content] : content) {
      signal?.throwIfAborted();
      contentLength += chunk.byteLength;
      if (contentLength > maxBytes) {
        throw new AppError('FileTooLarge', 413, `The file is larger than the allowed ${maxBytes} bytes.`);
      }
      hash.update(chunk);
      yield chunk;
    }
    signal?.throwIfAborted();
  }
  return { chunks: pass(), measure: () => ({ contentLength, sha256: hash.copy().digest('hex') }) };
}
