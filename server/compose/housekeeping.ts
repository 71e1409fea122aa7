import type { Logger } from 'pino';
import type { Database } from '#server/db/database.ts';
import { deleteUnneededFiles } from '#server/features/files/files-janitor.ts';
import { sweepFileStore } from '#server/features/files/orphan-sweep.ts';
import { deleteByRetention } from '#server/features/retention/retention-keeper.ts';
import { deleteOldAttempts } from '#server/features/sessions/failed-attempts.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { App } from './app.ts';

const HOUR_MS = 3_600_000;

interface HousekeepingDeps {
  database: Database;
  fileStore: FileStore;
  log: Logger;
}

/**
 * Deletes old sessions, files that nobody needs any more, and what retention periods no longer keep, at once and every hour.
 * Answers how to stop it.
 */
export function startHousekeeping(
  { sessions }: App,
  { database, fileStore, log }: HousekeepingDeps,
): () => Promise<void> {
  const stopping = new AbortController();
  let working: Promise<void> = Promise.resolve();
  const cleanAll = async (): Promise<void> => {
    await sessions.deleteOld(stopping.signal);
    await deleteOldAttempts(database, stopping.signal);
    // Rows are deleted before their files, which could not be deleted now.
    await fileStore.check();
    await deleteUnneededFiles(database, fileStore, stopping.signal);
    await deleteByRetention({ database, store: fileStore }, stopping.signal);
    const swept = await sweepFileStore(database, fileStore, stopping.signal);
    if (swept > 0) log.info({ files: swept }, 'removed files from the store that nothing refers to');
  };
  const clean = (): void => {
    working = cleanAll().catch((err: unknown) => {
      log.warn({ err }, 'old sessions, files and runs could not be deleted; tried again in an hour');
    });
  };
  clean();
  const timer = setInterval(clean, HOUR_MS);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await working;
  };
}
