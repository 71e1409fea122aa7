import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '#server/base/start-error.ts';

export interface DataDirLock {
  release(): void;
}

/** Another process of ours has the folder. */
export class DataDirInUse extends StartError {}

/** A server that is being stopped or was just killed is given this long to end. */
const PATIENCE_MS = 1000;

/**
 * Takes a data folder for this process alone. Node has no flock; SQLite has one on every system, and the kernel lets go of it
 * when the process ends, however it ends, so there is nothing stale to clean up.
 * Throws a DataDirInUse that names the other process where the folder is taken.
 */
export async function lockDataDir(folder: string): Promise<DataDirLock> {
  const database = new DatabaseSync(join(folder, 'server.lock'), { timeout: PATIENCE_MS });
  const holder = join(folder, 'server.pid');
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (cause) {
    database.close();
    const pid = await readFile(holder, 'utf8').catch(() => '');
    const by = pid.trim() ? ` (process ${pid.trim()})` : '';
    throw new DataDirInUse(
      `the data folder ${folder} is in use by another Runsheet server${by}; stop that one, or give this one its own RUNSHEET_DATA_DIR`,
      { cause },
    );
  }
  await writeFile(holder, `${process.pid}\n`);
  return { release: () => database.close() };
}
