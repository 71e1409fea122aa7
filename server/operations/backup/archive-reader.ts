/** Reads a backup, and checks all of its content against the hashes in it. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';
import { zipProblem } from '#server/base/zip-problem.ts';
import { BackedUpFile, FILE_LIST, MANIFEST, pathOfFile, readManifest, type Manifest } from './manifest.ts';

export interface Archive {
  manifest: Manifest;
  /** By key. */
  files: ReadonlyMap<string, BackedUpFile>;
  /**
   * Compares all entries with their hashes. Throws a StartError that names the first one that differs or is missing.
   */
  verify(): Promise<void>;
  open(entry: string): Promise<Readable>;
  openFile(key: string): Promise<Readable>;
  close(): void;
}

const COPY_AGAIN = 'Copy the backup again from where it was made, or restore another one';

/** Maximum unzipped size in bytes of the manifest and of the list of files: no backup exceeds these. */
const LARGEST_MANIFEST = 256 * 2 ** 20;
const LARGEST_LIST = 2 ** 30;

/** Throws a StartError if the file is not a backup, or is damaged. */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await yauzl.openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw new StartError(`${path} is not a readable backup: ${zipProblem(cause)}. ${COPY_AGAIN}`, { cause });
  });
  try {
    return await readArchive(path, zip);
  } catch (error) {
    zip.close();
    throw error instanceof StartError ? error : damagedBackup(path)(zipProblem(error), error);
  }
}

type Damaged = (what: string, cause?: unknown) => StartError;

const damagedBackup =
  (path: string): Damaged =>
  (what, cause) =>
    new StartError(`the backup ${path} is damaged: ${what}. ${COPY_AGAIN}`, { cause });

async function readArchive(path: string, zip: ZipFile): Promise<Archive> {
  const damaged = damagedBackup(path);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const open = async (name: string): Promise<Readable> => {
    const entry = entries.get(name);
    if (!entry) throw damaged(`${name} is missing`);
    return zip.openReadStreamPromise(entry);
  };
  const whole = async (name: string, largest: number): Promise<Buffer> => {
    if ((entries.get(name)?.uncompressedSize ?? 0) > largest) throw damaged(`${name} is larger than a backup has it`);
    return buffer(await open(name));
  };
  const manifest = readManifest((await whole(MANIFEST, LARGEST_MANIFEST)).toString());
  const list = await whole(FILE_LIST, LARGEST_LIST);
  if (sumOf(list) !== manifest.files.sha256) throw damaged(`${FILE_LIST} is not as it was written`);
  const files = readFileList(list.toString());
  return {
    manifest,
    files,
    verify: async () => {
      for (const { entry, sha256 } of manifest.database?.tables ?? [])
        await verifyEntry({ open, damaged }, entry, sha256);
      for (const { key, sha256 } of files.values()) await verifyEntry({ open, damaged }, pathOfFile(key), sha256);
    },
    open,
    openFile: (key) => open(pathOfFile(key)),
    close: () => zip.close(),
  };
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function readFileList(text: string): Map<string, BackedUpFile> {
  const files = new Map<string, BackedUpFile>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const file = Value.Parse(BackedUpFile, JSON.parse(line));
    files.set(file.key, file);
  }
  return files;
}

async function verifyEntry(
  { open, damaged }: { open: Archive['open']; damaged: Damaged },
  entry: string,
  sha256: string,
): Promise<void> {
  const hash = createHash('sha256');
  try {
    const content = await open(entry);
    for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (error) {
    throw error instanceof StartError ? error : damaged(`${entry} cannot be read: ${zipProblem(error)}`, error);
  }
  if (hash.digest('hex') !== sha256) throw damaged(`${entry} is not as it was written`);
}
