import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '#server/base/app-error.ts';

export interface StoredFile {
  /** Names the file in the store; random, and says nothing about it. */
  key: string;
  /** Bytes. */
  contentLength: number;
  /** Hexadecimal, lower case. */
  sha256: string;
}

export interface PutOptions {
  /** Largest number of bytes taken; one more and put() fails. */
  maxBytes?: number;
  /** Ends the transfer early, as when a client has gone. */
  signal?: AbortSignal;
}

/** What put() takes: chunks as they come, or the whole. */
export type FileContent = AsyncIterable<Uint8Array> | Uint8Array;

/** A file as list() finds it. */
export interface ListedFile {
  key: string;
  /** When it was stored, by the clock of whoever keeps the files. */
  time: Date;
}

export interface FilePage {
  files: ListedFile[];
  /** Where the next page goes on; null where there is none. */
  next: string | null;
}

/**
 * The one place where files lie, shared by all servers. A file, once stored, never changes.
 * Errors: AppError 'FileTooLarge' (413) of put; 'FileMissing' (404) of open and read; 'FileKeyInvalid' (400) for a key that
 * no put() has answered.
 */
export interface FileStore {
  /** Throws if the store is away, such as a share that is not mounted. Cheap enough for each start. */
  check(): Promise<void>;
  /** Stores a file whole or not at all: when it answers, the file outlives a power cut. */
  put(content: FileContent, options?: PutOptions): Promise<StoredFile>;
  /** Brings back a file under the key that it had, as from a backup; one that lies there is replaced. */
  restore(key: string, content: FileContent): Promise<StoredFile>;
  open(key: string): Promise<Readable>;
  read(key: string): Promise<Buffer>;
  has(key: string): Promise<boolean>;
  /** Deletes a file; one that is not there is no error, so that a clean-up can be run again. */
  delete(key: string): Promise<void>;
  /** At most `limit` files in the order of their keys, from the start ('') or from the `next` of the page before. */
  list(after: string, limit: number): Promise<FilePage>;
  /** Removes what killed servers left half received and have not touched since `before`; answers how much that was. */
  clearUnfinished(before: Date): Promise<number>;
}

const KEY = /^[0-9a-f]{48}$/;

export const newStoreKey = (): string => randomBytes(24).toString('hex');

export const isStoreKey = (text: string): boolean => KEY.test(text);

/** Only what put() makes is let through, so no key leads out of the store. */
export function requireStoreKey(key: string): string {
  if (!isStoreKey(key)) throw new AppError('FileKeyInvalid', 400, 'There is no such file.');
  return key;
}

export function fileMissing(key: string, cause: unknown): AppError {
  return new AppError('FileMissing', 404, 'The file is no longer there.', {
    cause: new Error(`No file ${key} in the store`, { cause }),
  });
}

export interface MeasuredContent {
  /** Ends with an AppError 'FileTooLarge' after one chunk too many, and with the signal's reason once it is aborted. */
  chunks: AsyncIterable<Uint8Array>;
  /** What has gone through so far. */
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
        throw new AppError('FileTooLarge', 413, `The file is larger than the ${maxBytes} bytes that are allowed.`);
      }
      hash.update(chunk);
      yield chunk;
    }
    signal?.throwIfAborted();
  }
  return { chunks: pass(), measure: () => ({ contentLength, sha256: hash.copy().digest('hex') }) };
}
