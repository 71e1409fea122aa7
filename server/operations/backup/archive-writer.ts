/** One .zip, written entry after entry, which has its name only when it is whole and on the disk. */
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
  /** Fails with the content's own error, after which the archive can go on no more. */
  add(entry: string, content: Readable, options: { compress: boolean }): Promise<WrittenEntry>;
  /** Gives the file its name, and beside it the sum of its bytes as `sha256sum -c` reads it. Answers the sum. */
  close(): Promise<string>;
  /** Removes the file, whole or not, and its sum. */
  abort(): Promise<void>;
}

/** Counts and hashes what passes. */
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

/** Throws a StartError where the file cannot be made; so do the methods where it cannot be written. */
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
      // What cannot be written must not be waited for.
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
        // Windows opens no folders; NTFS keeps its names in a journal.
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
      // The name may be another program's, which was faster.
      for (const left of isNamed ? [draft, path, sumFile(path)] : [draft]) await rm(left, { force: true });
    },
  };
}

const sumFile = (path: string): string => `${path}.sha256`;

async function writeChunks(file: FileHandle, chunks: AsyncIterable<Buffer>, path: string): Promise<void> {
  for await (const chunk of chunks) {
    // From where the last chunk ended, and the whole of it.
    await file.writeFile(chunk).catch((cause: unknown) => {
      throw cannotWrite(path, cause);
    });
  }
}

export const alreadyThere = (path: string, cause?: unknown): StartError =>
  new StartError(`${path} is there already`, { cause });

const draftExists = (draft: string, cause: unknown): StartError =>
  new StartError(
    `${draft} exists: another backup is being written there, or one was killed; in that case delete the file`,
    { cause },
  );

const cannotWrite = (path: string, cause: unknown): StartError =>
  new StartError(
    `the backup ${path} cannot be written: ${(cause as Error).message}; make room or let this user write there, then run the command again`,
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
