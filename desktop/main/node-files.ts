import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from './ports.ts';

/** Files that only the user may read. Each is written to a temporary file and then renamed. */
export function createFiles(folder: string): Files {
  return {
    read: async (name) => {
      try {
        return await readFile(join(folder, name), 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    write: async (name, text) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, name);
      const beside = `${path}.${randomBytes(6).toString('hex')}`;
      const file = await open(beside, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
        await file.close();
        await rename(beside, path);
      } catch (error) {
        await file.close().catch(() => undefined);
        await rm(beside, { force: true });
        throw error;
      }
    },
  };
}
