import type { Logger } from 'pino';
import { createPoller } from '#server/background/poller.ts';
import type { Database } from '#server/db/database.ts';
import { deleteOldDesigns } from '#server/features/designs/design-files.ts';
import { deleteUnneededFiles } from '#server/features/files/files-janitor.ts';
import { sweepFileStore } from '#server/features/files/orphan-sweep.ts';
import { deleteOldFirings } from '#server/features/alerts/clean-firings.ts';
import { deleteByRetention } from '#server/features/retention/retention-keeper.ts';
import { deleteOldAttempts } from '#server/access/sign-in/failed-attempts.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { App } from './app.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds between two log lines about a deletion in progress. */
const PROGRESS_INTERVAL_MS = 60_000;

interface HousekeepingDeps {
  database: Database;
  fileStore: FileStore;
  log: Logger;
}

/**
 * Deletes old sessions, unneeded files, and data beyond retention periods: immediately, and again an hour after each
 * time. Returns a function that stops it.
 */
export function startHousekeeping(
  { sessions, outgoing }: App,
  { database, fileStore, log }: HousekeepingDeps,
): () => Promise<void> {
  /** With a million runs this takes long, so the log reports progress. */
  const applyRetention = async (signal: AbortSignal): Promise<void> => {
    let runs = 0;
    let logged = performance.now();
    const onProgress = (count: number): void => {
      runs += count;
      if (performance.now() - logged < PROGRESS_INTERVAL_MS) return;
      logged = performance.now();
      log.info({ runs }, 'deleting what retention periods no longer keep');
    };
    const total = await deleteByRetention({ database, store: fileStore }, signal, onProgress);
    if (total > 0) log.info({ runs: total }, 'deleted what retention periods no longer keep');
  };
  const cleanAll = async (signal: AbortSignal): Promise<void> => {
    await sessions.deleteOld(signal);
    await deleteOldAttempts(database, signal);
    await outgoing.sharing.clean();
    await deleteOldFirings(database, signal);
    // Rows are deleted before their files, so the store must be available.
    await fileStore.check();
    await deleteOldDesigns({ database, store: fileStore }, signal);
    await deleteUnneededFiles(database, fileStore, signal);
    await applyRetention(signal);
    const swept = await sweepFileStore(database, fileStore, signal);
    if (swept > 0) log.info({ files: swept }, 'removed files from the store that nothing refers to');
  };
  const poller = createPoller({
    poll: cleanAll,
    intervalMs: HOUR_MS,
    onError: (err) => log.warn({ err }, 'old sessions, files and runs could not be deleted; tried again in an hour'),
  });
  poller.start();
  poller.request();
  return () => poller.stop();
}
