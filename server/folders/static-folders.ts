/**
 * Folders of the server from which steps may read files, by their names in the settings. Nothing in them is ever
 * changed.
 */
import { constants } from 'node:fs';
import { open, opendir, realpath, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseStaticFolder } from '#server/config/static-folders.ts';
import { fitsPattern } from './file-pattern.ts';

export interface FolderFile {
  FileName: string;
  ModifiedTime: Date;
  /** Size in bytes. */
  size: number;
  /** Reads the whole file; the caller owns the bytes. Throws FolderError. */
  read(): Promise<Uint8Array>;
}

export interface StaticFolders {
  /** As spelled in the settings. */
  names: readonly string[];
  /**
   * Returns the most recently changed file whose name matches the pattern, ignoring case; null if there is none.
   * Considers only files directly in the folder. Throws FolderError.
   */
  newest(name: string, pattern: string): Promise<FolderFile | null>;
  /** Lists all files directly in the folder whose names fit. Throws FolderError. */
  list(name: string, fits: (fileName: string) => boolean): Promise<FolderFile[]>;
}

/** Why a folder or file cannot be read, as a message for people. `missing`: no such folder is configured. */
export class FolderError extends Error {
  readonly code: 'missing' | 'unreadable' | 'tooLarge' | 'changing';

  constructor(code: FolderError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FolderError';
    this.code = code;
  }
}

/** @param texts as in the settings: 'Rates=/srv/rates'. @param maxBytes larger files are refused */
export function createStaticFolders(texts: readonly string[], maxBytes: number): StaticFolders {
  const folders = texts.map(parseStaticFolder);
  const byName = new Map(folders.map(({ name, path }) => [name.toLowerCase(), path]));
  const asFile = (found: Found): FolderFile => {
    const { FileName, ModifiedTime, size } = found;
    return { FileName, ModifiedTime, size, read: () => readWhole(found, maxBytes) };
  };

  async function filesOf(name: string, fits: (fileName: string) => boolean): Promise<Found[]> {
    const path = byName.get(name.trim().toLowerCase());
    if (path === undefined) throw new FolderError('missing', `There is no folder '${name}' on this server`);
    return findFiles(path, fits).catch((cause: unknown) => {
      throw new FolderError('unreadable', `The folder '${name}' cannot be read`, { cause });
    });
  }

  return {
    names: folders.map(({ name }) => name),
    newest: async (name, pattern) => {
      const [first, ...others] = await filesOf(name, (fileName) => fitsPattern(fileName, pattern));
      return first ? asFile(others.reduce((newest, one) => (isNewer(one, newest) ? one : newest), first)) : null;
    },
    list: async (name, fits) => (await filesOf(name, fits)).map(asFile),
  };
}

interface Found {
  FileName: string;
  ModifiedTime: Date;
  size: number;
  /** Path with links resolved. */
  path: string;
}

async function findFiles(folder: string, fits: (fileName: string) => boolean): Promise<Found[]> {
  const root = await realpath(folder);
  const files: Found[] = [];
  for await (const entry of await opendir(root)) {
    if (isSkipped(entry.name) || !fits(entry.name)) continue;
    if (!entry.isFile() && !entry.isSymbolicLink()) continue;
    const found = await findFile(root, entry.name);
    if (found) files.push(found);
  }
  return files;
}

/** Hidden files, and the files in which Excel notes who has opened a workbook. */
const isSkipped = (name: string): boolean => name.startsWith('.') || name.startsWith('~$');

function isNewer(a: Found, b: Found): boolean {
  const later = a.ModifiedTime.getTime() - b.ModifiedTime.getTime();
  return later !== 0 ? later > 0 : a.FileName > b.FileName;
}

/** Returns null if it is not a file of the folder: it was deleted in the meantime, or is a link to elsewhere. */
async function findFile(root: string, FileName: string): Promise<Found | null> {
  try {
    const path = await realpath(join(root, FileName));
    if (dirname(path) !== root) return null;
    const entry = await stat(path);
    return entry.isFile() ? { FileName, ModifiedTime: entry.mtime, size: entry.size, path } : null;
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
}

/** Links are no longer followed, and opening something other than a file does not block. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function readWhole({ FileName, path }: Found, maxBytes: number): Promise<Uint8Array> {
  let handle: FileHandle;
  try {
    handle = await open(path, FLAGS);
  } catch (cause) {
    throw new FolderError('unreadable', `The file '${FileName}' cannot be read`, { cause });
  }
  try {
    const before = await handle.stat();
    if (!before.isFile()) throw new FolderError('unreadable', `'${FileName}' is not a file`);
    if (before.size > maxBytes)
      throw new FolderError('tooLarge', `The file '${FileName}' is larger than the allowed ${maxBytes} bytes`);
    const bytes = await readBytes(handle, before.size);
    const after = await handle.stat();
    const isSame = bytes !== null && after.size === before.size && after.mtimeMs === before.mtimeMs;
    if (!isSame) throw new FolderError('changing', `The file '${FileName}' changed while it was read`);
    return bytes;
  } finally {
    await handle.close();
  }
}

/** Returns null if the file is shorter by now. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(size);
  for (let offset = 0; offset < size;) {
    const { bytesRead } = await handle.read(bytes, offset, size - offset, offset);
    if (bytesRead === 0) return null;
    offset += bytesRead;
  }
  return bytes;
}
