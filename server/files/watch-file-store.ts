/** Watches whether files can be stored, for the workers and the scheduler. Requests check the store themselves. */
import { createPoller } from '#server/background/poller.ts';
import type { ServerState } from '#server/base/server-state.ts';
import type { FileStore } from './file-store.ts';

const INTERVAL_MS = 2_000;

/** Checks the store once, then repeatedly, and returns a function that stops the checks. The store logs what it finds. */
export async function watchFileStore(
  fileStore: Pick<FileStore, 'check'>,
  state: Pick<ServerState, 'isFileStoreAway'>,
  intervalMs = INTERVAL_MS,
): Promise<() => Promise<void>> {
  const poller = createPoller({
    poll: async () => {
      await fileStore.check();
      state.isFileStoreAway = false;
    },
    intervalMs,
    onError: () => void (state.isFileStoreAway = true),
  });
  poller.start();
  poller.request();
  await poller.settled();
  return () => poller.stop();
}
