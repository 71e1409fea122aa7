import { constants, createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  fileMissing,
  isStoreKey,
  measured,
  newStoreKey,
  requireStoreKey,
  type FileContent,
  type FilePage,
  type FileStore,
  type ListedFile,
  type PutOptions,
  type StoredFile,
} from './file-store.ts';
import { hasMarker, requireMarker, writeMarker } from './folder-marker.ts';

const HIGH_WATER_MARK = 256 * 1024;
/** Content in memory up to this size is written in one go. */
const MAX_SINGLE_WRITE_BYTES = 1024 * 1024;
const SHARD = /^[0-9a-f]{2}$/;

export interface FolderStoreOptions {
  /**
   * True for an empty folder that a restore fills: its first file creates the marker, so a refused restore leaves none.
   */
  isRestored?: boolean;
}

/**
 * Creates a store in a folder, which may be on a volume that several servers share. Files are in 256 subfolders, by the
 * start of their keys. Creates and marks the folder if it does not exist; see refuse-lost-files.ts for when it must
 * exist. While the marker is missing, each method throws StoreFolderMissing and changes nothing.
 */
export async function createFolderFileStore(
  folder: string,
  { isRestored = false }: FolderStoreOptions = {},
): Promise<FileStore> {
  const incoming = join(folder, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  if (!isRestored) await writeMarker(folder);
  const check = isRestored ? async () => {} : () => requireMarker(folder);
  /** Checks the marker before and after the write: the share may be unmounted in between. */
  const whileMarked = async (key: string, write: () => Promise<StoredFile>): Promise<StoredFile> => {
    await check();
    try {
      const stored = await write();
      await check();
      return stored;
    } catch (error) {
      await clearMountPoint(folder, key);
      // Throws StoreFolderMissing if the share is gone.
      await check();
      throw error;
    }
  };
  return {
    check,
    put: (content, options = {}) => {
      const key = newStoreKey();
      return whileMarked(key, () =>
        content instanceof Uint8Array && content.byteLength <= MAX_SINGLE_WRITE_BYTES
          ? putWhole(folder, key, content, options)
          : putFile(folder, incoming, key, content, options),
      );
    },
    restore: async (key, content) => {
      if (isRestored) await writeMarker(folder);
      return whileMarked(key, () => putFile(folder, incoming, requireStoreKey(key), content, {}));
    },
    open: async (key) => {
      const path = pathOf(folder, key);
      // Check before the first byte is sent, so that a missing file still results in its own error response.
      await stat(path).catch((error: unknown) => missing(error, key, check));
      return createReadStream(path, { highWaterMark: HIGH_WATER_MARK });
    },
    read: async (key) => readFile(pathOf(folder, key)).catch((error: unknown) => missing(error, key, check)),
    has: async (key) => {
      if ((await timeOf(pathOf(folder, key))) !== null) return true;
      await check();
      return false;
    },
    delete: async (key) => {
      const path = pathOf(folder, key);
      await check();
      await rm(path, { force: true });
    },
    list: async (after, limit) => {
      await check();
      return listFiles(folder, after, limit);
    },
    clearUnfinished: async (before) => {
      await check();
      return clearIncoming(incoming, before);
    },
  };
}

/** Removes a file that was written to the mount point of an unmounted share, and its folder. */
async function clearMountPoint(folder: string, key: string): Promise<void> {
  if (await hasMarker(folder).catch(() => true)) return;
  const path = pathOf(folder, key);
  await rm(path, { force: true }).catch(() => {});
  // Fails if the folder holds other files.
  await rmdir(dirname(path)).catch(() => {});
}

async function clearIncoming(incoming: string, before: Date): Promise<number> {
  let cleared = 0;
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const time = await timeOf(path);
    if (time === null || time >= before) continue;
    await rm(path, { force: true });
    cleared += 1;
  }
  return cleared;
}

/** Returns when a file was last written; null if it does not exist. */
async function timeOf(path: string): Promise<Date | null> {
  try {
    return (await stat(path)).mtime;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Lists the files of a folder, marked or not; empty if it does not exist. */
export async function listFiles(folder: string, after: string, limit: number): Promise<FilePage> {
  const files: ListedFile[] = [];
  const shards = (await namesIn(folder)).filter((name) => SHARD.test(name) && name >= after.slice(0, 2));
  for (const shard of shards.sort()) {
    const keys = (await readdir(join(folder, shard))).filter((name) => isStoreKey(name) && name > after);
    for (const key of keys.sort()) {
      if (files.length === limit) return { files, next: files.at(-1)!.key };
      const time = await timeOf(join(folder, shard, key));
      if (time) files.push({ key, time });
    }
  }
  return { files, next: null };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

const pathOf = (folder: string, key: string): string => join(folder, requireStoreKey(key).slice(0, 2), key);

async function missing(error: unknown, key: string, check: () => Promise<void>): Promise<never> {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  // If the share is not mounted, every file is missing.
  await check();
  throw fileMissing(key, error);
}

async function putFile(
  folder: string,
  incoming: string,
  key: string,
  content: FileContent,
  options: PutOptions,
): Promise<StoredFile> {
  const temporary = join(incoming, key);
  const target = pathOf(folder, key);
  const { chunks, measure } = measured(content, options);
  const handle = await open(temporary, 'w', 0o600);
  try {
    for await (const chunk of chunks) await writeWhole(handle, chunk);
    await handle.sync();
    await handle.close();
    if (await makeShard(dirname(target))) await syncFolder(folder);
    await rename(temporary, target);
    // The name must reach the disk too.
    await syncFolder(dirname(target));
    return { key, ...measure() };
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/**
 * On Linux, a write to a file opened with this flag returns when its bytes are on the disk. Elsewhere it is 0 and fsync
 * is used, which does more than the flag there.
 */
const THROUGH = process.platform === 'linux' ? constants.O_DSYNC : 0;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | THROUGH;

/**
 * The fastest way to the disk for small content in memory: it is written to its final place, and content and name are
 * flushed in parallel. Nobody learns the key before both are on the disk; nothing refers to files that a killed process
 * left incomplete.
 */
async function putWhole(folder: string, key: string, content: Uint8Array, options: PutOptions): Promise<StoredFile> {
  const target = pathOf(folder, key);
  const { chunks, measure } = measured(content, options);
  const { file, names } = await openNew(folder, target);
  try {
    await Promise.all([writeThrough(file, chunks), names?.sync()]);
    return { key, ...measure() };
  } catch (error) {
    await unlink(target).catch(() => {});
    throw error;
  } finally {
    await Promise.all([file.close(), names?.close()]);
  }
}

async function writeThrough(file: FileHandle, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) await writeWhole(file, chunk);
  if (THROUGH === 0) await file.sync();
}

/** Returns true if it was missing. Creates no parent folder: if the store is gone, it must stay gone. */
async function makeShard(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Opens a new file, and its folder for syncing, which is created if it does not exist. */
async function openNew(
  root: string,
  path: string,
  isAgain = false,
): Promise<{ file: FileHandle; names: FileHandle | null }> {
  const folder = dirname(path);
  const [file, names] = await Promise.allSettled([open(path, NEW_FILE, 0o600), openFolder(folder)]);
  if (file.status === 'fulfilled' && names.status === 'fulfilled') return { file: file.value, names: names.value };
  if (names.status === 'fulfilled') await names.value?.close();
  if (file.status === 'fulfilled') {
    await file.value.close();
    await unlink(path);
  }
  const error: unknown = file.status === 'rejected' ? file.reason : (names as PromiseRejectedResult).reason;
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || isAgain) throw error;
  await makeShard(folder);
  // Also if another process has just created it: its name may not be on the disk yet.
  await syncFolder(root);
  return openNew(root, path, true);
}

/** Returns null on Windows: see syncFolder. */
const openFolder = async (folder: string): Promise<FileHandle | null> =>
  process.platform === 'win32' ? null : open(folder, 'r');

/** write(2) may write less than requested, as on a disk that becomes full. */
async function writeWhole(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength;) {
    const { bytesWritten } = await handle.write(chunk, offset);
    offset += bytesWritten;
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; NTFS keeps names in a journal.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
