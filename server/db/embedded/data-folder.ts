/** Who may reach what a portal keeps on the disk. */
import { chmod, chown, mkdir } from 'node:fs/promises';
import type { Log } from '#server/base/log.ts';
import { canRun, POSTGRES_UID } from './run-as.ts';

/**
 * Makes the data folder, and keeps everybody else out of it, also where it was there before: only its owner passes. Where root starts the portal and
 * the system has no user namespaces, the database's own user passes too, by a group that nobody else is in. What cannot be done is logged, and
 * left to those who then need the folder.
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
