import { createPoller } from '#server/background/poller.ts';
import { deleteOldAttempts } from '#server/access/sign-in/failed-attempts.ts';
import type { App } from './app.ts';

const HOUR_MS = 3_600_000;

/**
 * Deletes old sessions, unneeded files, and data beyond retention periods: immediately, and again an hour after each
 * time. Returns a function that stops it.
 */
export function startHousekeeping(app: App): () => Promise<void> {
  const { database, fileStore, log, sessions, fileJanitor } = app;
  const cleanAll = async (signal: AbortSignal): Promise<void> => {
    await sessions.deleteOld(signal);
    await deleteOldAttempts(database, signal);
    await app.cleanSharing();
    await app.deleteOldFirings(signal);
    // Rows are deleted before their files, so the store must be available.
    await fileStore.check();
    await app.deleteOldDesigns(signal);
    await fileJanitor.deleteUnneeded(signal);
    await app.applyRetention(signal);
    const swept = await fileJanitor.sweep(signal);
    if (swept > 0) log.info({ files: swept }, 'deleted unreferenced files from the store');
  };
  const poller = createPoller({
    poll: cleanAll,
    intervalMs: HOUR_MS,
    onError: (err) => log.warn({ err }, 'could not delete old sessions, files and runs; trying again in an hour'),
  });
  poller.start();
  poller.request();
  return () => poller.stop();
}
