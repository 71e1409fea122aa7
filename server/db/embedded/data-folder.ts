/** Access to the files that a portal stores on the disk. */
import { chmod, chown, mkdir } from 'node:fs/promises';
import type { Log } from '#server/base/log.ts';
import { canRun, POSTGRES_UID } from './run-as.ts';

/**
 * Creates the data folder and restricts access to its owner, even if the folder existed before. If root starts the
 * portal and the system has no user namespaces, the database's own user also gets access, through a group without other
 * members. Errors are only logged; later steps that need the folder report them.
 */
export async function protectDataFolder(folder: string, log: Log): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (process.getuid?.() === 0 && !(await canRun('unshare', ['--user', 'true'], {}))) {
      await chown(folder, 0, POSTGRES_UID);
      await chmod(folder, 0o710);
    } else await chmod(folder, 0o700);
  } catch (err) {
    log.warn({ err }, `others may be able to reach the data folder ${folder}: its mode could not be set`);
  }
}
