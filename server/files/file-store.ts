import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '#server/app-error.ts';

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

/**
 * The one place where files lie, shared by all servers. A file, once stored, never changes.
 * Errors: AppError 'FileTooLarge' (413) of put; 'FileMissing' (404) of open and read; 'FileKeyInvalid' (400) for a key that
 * no put() has answered.
 */
export interface FileStore {
  /** Stores a file whole or not at all: when it answers, the file outlives a power cut. */
  put(content: FileContent, options?: PutOptions): Promise<StoredFile>;
  open(key: string): Promise<Readable>;
  read(key: string): Promise<Buffer>;
  /** Deletes a file; one that is not there is no error, so that a clean-up can be run again. */
  delete(key: string): Promise<void>;
}

const KEY = /^[0-9a-f]{2}[0-9a-f]{46}$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const HIGH_WATER_MARK = 256 * 1024;

/** A store in a folder, which may lie on a volume that several servers share. Files lie in 256 folders, by the key's start. */
export async function createFolderFileStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await sweepIncoming(incoming);
  return {
    put: (content, options = {}) => putFile(folder, incoming, content, options),
    open: async (key) => {
      const path = pathOf(folder, key);
      // Before the first byte goes out, so that a missing file is still an answer of its own.
      await stat(path).catch((error: unknown) => missing(error, key));
      return createReadStream(path, { highWaterMark: HIGH_WATER_MARK });
    },
    read: async (key) => readFile(pathOf(folder, key)).catch((error: unknown) => missing(error, key)),
    delete: async (key) => {
      await rm(pathOf(folder, key), { force: true });
    },
  };
}

/** Removes what killed servers left half received. A day is longer than any upload of a server that shares the folder. */
async function sweepIncoming(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}

/** Path of a key. Only what put() makes is let through, so no key leads out of the folder. */
function pathOf(folder: string, key: string): string {
  if (!KEY.test(key)) throw new AppError('FileKeyInvalid', 400, 'There is no such file.');
  return join(folder, key.slice(0, 2), key);
}

function missing(error: unknown, key: string): never {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  throw new AppError('FileMissing', 404, 'The file is no longer there.', {
    cause: new Error(`No file ${key} in the store`, { cause: error }),
  });
}

async function putFile(
  folder: string,
  incoming: string,
  content: FileContent,
  options: PutOptions,
): Promise<StoredFile> {
  const key = randomBytes(24).toString('hex');
  const temporary = join(incoming, key);
  const target = pathOf(folder, key);
  const handle = await open(temporary, 'wx', 0o600);
  try {
    const written = await write(handle, content, options);
    await handle.sync();
    await handle.close();
    if (await mkdir(dirname(target), { recursive: true, mode: 0o700 })) await syncFolder(folder);
    await rename(temporary, target);
    // The name, too, has to reach the disk.
    await syncFolder(dirname(target));
    return { key, ...written };
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

async function write(
  handle: FileHandle,
  content: FileContent,
  { maxBytes = Number.POSITIVE_INFINITY, signal }: PutOptions,
): Promise<Omit<StoredFile, 'key'>> {
  const hash = createHash('sha256');
  let contentLength = 0;
  for await (const chunk of content instanceof Uint8Array ? [content] : content) {
    signal?.throwIfAborted();
    contentLength += chunk.byteLength;
    if (contentLength > maxBytes) {
      throw new AppError('FileTooLarge', 413, `The file is larger than the ${maxBytes} bytes that are allowed.`);
    }
    hash.update(chunk);
    await writeWhole(handle, chunk);
  }
  signal?.throwIfAborted();
  return { contentLength, sha256: hash.digest('hex') };
}

/** write(2) may take less than it was given, as on a disk that fills up. */
async function writeWhole(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength;) {
    const { bytesWritten } = await handle.write(chunk, offset);
    offset += bytesWritten;
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; NTFS keeps its names in a journal.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
