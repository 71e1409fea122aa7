import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blobs } from './ports.ts';

/** Extension of unfinished files. They are never treated as blobs, and leftovers are removed by the next list. */
const UNFINISHED = '.part';

/** Paths that this process is currently writing, which list must not remove. */
const beingWritten = new Set<string>();

/** Files of a folder that only the user may read. Each is written to a temporary file and then renamed. */
export function createBlobs(folder: string): Blobs {
  const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
  return {
    read: async (name) => {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    write: async (name, content) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const beside = join(folder, `${name}.${randomBytes(6).toString('hex')}${UNFINISHED}`);
      beingWritten.add(beside);
      const file = await open(beside, 'wx', 0o600).catch((error: unknown) => {
        beingWritten.delete(beside);
        throw error;
      });
      try {
        await file.writeFile(content);
        await file.sync();
        await file.close();
        await rename(beside, join(folder, name));
        await syncFolder(folder);
      } catch (error) {
        await file.close().catch(() => undefined);
        await rm(beside, { force: true });
        throw error;
      } finally {
        beingWritten.delete(beside);
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    list: async () => {
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      const unfinished = names.filter((name) => name.endsWith(UNFINISHED));
      const leftovers = unfinished.map((name) => join(folder, name)).filter((path) => !beingWritten.has(path));
      await Promise.all(leftovers.map((path) => rm(path, { force: true })));
      const complete = names.filter((name) => !name.endsWith(UNFINISHED));
      const found = await Promise.all(
        complete.map(async (name) => {
          const about = await stat(join(folder, name)).catch(() => null);
          return about && { name, size: about.size, written: about.mtimeMs };
        }),
      );
      // Omits files that were removed during the listing.
      return found.filter((one) => one !== null);
    },
    removeAll: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Ensures that the new name survives a power failure. Windows has no such call for folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
