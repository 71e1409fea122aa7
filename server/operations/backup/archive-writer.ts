/** Writes a .zip entry by entry. It gets its name only when it is complete and on the disk. */
import { createHash } from 'node:crypto';
import { link, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { StartError } from '#server/base/start-error.ts';

export interface WrittenEntry {
  entry: string;
  bytes: number;
  sha256: string;
}

export interface ArchiveWriter {
  /** Fails with the content's own error, after which the archive cannot be continued. */
  add(entry: string, content: Readable, options: { compress: boolean }): Promise<WrittenEntry>;
  /** Gives the file its name, and writes its hash next to it in the format of `sha256sum -c`. Returns the hash. */
  close(): Promise<string>;
  /** Removes the file, complete or not, and its hash. */
  abort(): Promise<void>;
}

/** Counts and hashes the data that passes through. */
function measuring(): { stream: Transform; result: () => { bytes: number; sha256: string } } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Throws a StartError if the file cannot be created; the methods throw one if it cannot be written. */
export async function createArchiveWriter(path: string): Promise<ArchiveWriter> {
  const draft = `${path}.part`;
  const file = await open(draft, 'wx', 0o600).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'EEXIST' ? draftExists(draft, cause) : cannotWrite(path, cause);
  });
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const whole = measuring();
  const written = pipeline(output, whole.stream, (chunks: AsyncIterable<Buffer>) => writeChunks(file, chunks, path));
  const failed = written.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});
  let isNamed = false;

  return {
    add: async (entry, content, { compress }) => {
      const { stream, result } = measuring();
      zip.addReadStream(stream, entry, { compress, mode: 0o100600 });
      // If writing has failed, the content would wait forever.
      await Promise.race([Promise.all([pipeline(content, stream), finished(stream)]), failed]);
      return { entry, ...result() };
    },
    close: async () => {
      zip.end();
      await written;
      const { sha256 } = whole.result();
      try {
        await file.sync();
        await file.close();
        await link(draft, path);
        isNamed = true;
        await rm(draft);
        // Windows cannot open folders; NTFS keeps names in a journal.
        if (process.platform !== 'win32') await syncFolder(dirname(path));
        await writeFile(sumFile(path), `${sha256}  ${basename(path)}\n`, { mode: 0o600 });
      } catch (cause) {
        throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(path, cause) : cannotWrite(path, cause);
      }
      return sha256;
    },
    abort: async () => {
      output.destroy(new Error('the backup was given up'));
      await written.catch(() => {});
      await file.close().catch(() => {});
      // If the file was not named yet, the name may belong to another program that was faster.
      for (const unfinished of isNamed ? [draft, path, sumFile(path)] : [draft]) await rm(unfinished, { force: true });
    },
  };
}

const sumFile = (path: string): string => `${path}.sha256`;

async function writeChunks(file: FileHandle, chunks: AsyncIterable<Buffer>, path: string): Promise<void> {
  for await (const chunk of chunks) {
    // Writes the whole chunk after the previous one.
    await file.writeFile(chunk).catch((cause: unknown) => {
      throw cannotWrite(path, cause);
    });
  }
}

export const alreadyThere = (path: string, cause?: unknown): StartError =>
  new StartError(`${path} already exists`, { cause });

const draftExists = (draft: string, cause: unknown): StartError =>
  new StartError(
    `${draft} exists: another backup is writing it, or a backup was killed; in that case delete the file`,
    { cause },
  );

const cannotWrite = (path: string, cause: unknown): StartError =>
  new StartError(
    `the backup ${path} cannot be written: ${(cause as Error).message}; make room, or allow this user to write there; then run the command again`,
    { cause },
  );

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
