/** Watches whether files can be stored, for the workers and the scheduler. Requests check the store themselves. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerState } from '#server/base/server-state.ts';
import type { FileStore } from '#server/files/file-store.ts';

const INTERVAL_MS = 2_000;

/** Checks the store once, then repeatedly, and returns a function that stops the checks. The store logs what it finds. */
export async function watchFileStore(
  fileStore: Pick<FileStore, 'check'>,
  state: Pick<ServerState, 'isFileStoreAway'>,
  intervalMs = INTERVAL_MS,
): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    state.isFileStoreAway = await fileStore.check().then(
      () => false,
      () => true,
    );
  };
  async function checkRepeatedly(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await check();
    }
  }
  await check();
  const watching = checkRepeatedly();
  return async () => {
    stopping.abort();
    await watching;
  };
}
