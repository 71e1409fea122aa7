/** One .zip, written entry after entry, which has its name only when it is whole and on the disk. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, open, rm, writeFile } from 'node:fs/promises';
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
  /** Leaves nothing. */
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

export function createArchiveWriter(path: string): ArchiveWriter {
  const draft = `${path}.part`;
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  const whole = measuring();
  const written = pipeline(output, whole.stream, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
  const failed = written.then(() => new Promise<never>(() => {}));
  failed.catch(() => {});

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
      await syncPath(draft, 'r+');
      await link(draft, path).catch((cause: NodeJS.ErrnoException) => {
        throw cause.code === 'EEXIST' ? new StartError(`${path} is there already`, { cause }) : cause;
      });
      await rm(draft);
      // Windows opens no folders; NTFS keeps its names in a journal.
      if (process.platform !== 'win32') await syncPath(dirname(path), 'r');
      await writeFile(`${path}.sha256`, `${sha256}  ${basename(path)}\n`, { mode: 0o600 });
      return sha256;
    },
    abort: async () => {
      output.destroy(new Error('the backup was given up'));
      await written.catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

async function syncPath(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
