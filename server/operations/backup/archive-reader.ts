/** Reads a backup, and checks every byte of it against the sums it was written with. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { Value } from 'typebox/value';
import { StartError } from '#server/base/start-error.ts';
import { BackedUpFile, FILE_LIST, MANIFEST, pathOfFile, readManifest, type Manifest } from './manifest.ts';

export interface Archive {
  manifest: Manifest;
  /** By key. */
  files: ReadonlyMap<string, BackedUpFile>;
  /** Compares all entries with their sums. Throws a StartError that names the first that differs or is missing. */
  verify(): Promise<void>;
  open(entry: string): Promise<Readable>;
  openFile(key: string): Promise<Readable>;
  close(): void;
}

const damaged = (what: string, cause?: unknown): StartError =>
  new StartError(`the backup is damaged: ${what}`, { cause });

/** Throws a StartError for a file that is no backup, or a damaged one. */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await yauzl.openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    throw new StartError(`${path} is no backup that can be read: ${(cause as Error).message}`, { cause });
  });
  try {
    return await readArchive(zip);
  } catch (error) {
    zip.close();
    throw error instanceof StartError ? error : damaged((error as Error).message, error);
  }
}

async function readArchive(zip: ZipFile): Promise<Archive> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  const open = async (name: string): Promise<Readable> => {
    const entry = entries.get(name);
    if (!entry) throw damaged(`${name} is missing`);
    return zip.openReadStreamPromise(entry);
  };
  const manifest = readManifest((await buffer(await open(MANIFEST))).toString());
  const list = await buffer(await open(FILE_LIST));
  if (sumOf(list) !== manifest.files.sha256) throw damaged(`${FILE_LIST} is not as it was written`);
  const files = readFileList(list.toString());
  return {
    manifest,
    files,
    verify: async () => {
      for (const { entry, sha256 } of manifest.database?.tables ?? []) await verifyEntry(open, entry, sha256);
      for (const { key, sha256 } of files.values()) await verifyEntry(open, pathOfFile(key), sha256);
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

async function verifyEntry(open: Archive['open'], entry: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  const content = await open(entry);
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
  } catch (error) {
    throw damaged(`${entry} cannot be read: ${(error as Error).message}`, error);
  }
  if (hash.digest('hex') !== sha256) throw damaged(`${entry} is not as it was written`);
}
