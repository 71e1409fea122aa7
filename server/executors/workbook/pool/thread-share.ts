/** How many threads tasks may use, so that long tasks leave one to short tasks. */
import { SHORT_RUN_MS } from '#server/executors/executor.ts';
import type { PoolThread, ThreadTask } from './thread.ts';

export interface ThreadShare {
  /** Threads that may live at the same time. */
  readonly most: number;
  /** Whether a task that may be long may begin now. */
  mayStartLong(threads: readonly Pick<PoolThread, 'isOnLongTask'>[]): boolean;
  /** Up to how many threads may live now, for a task that needs a new one. */
  limit(threads: readonly Pick<PoolThread, 'isOnLongTask'>[]): number;
  /** Calls `dispatch` once a task that was taken for short has become long. Answers how to stop, to be called when it ends. */
  watch(task: Pick<ThreadTask, 'mayBeLong'>, dispatch: () => void): () => void;
}

/** From then on `isOnLongTask` is true; a timer may fire a little early. */
const LONG_AFTER_MS = SHORT_RUN_MS + 50;

const countLong = (threads: readonly Pick<PoolThread, 'isOnLongTask'>[]): number =>
  threads.filter(({ isOnLongTask }) => isOnLongTask).length;

export function createThreadShare({
  threads: usual,
  keepsOneForShort = false,
}: {
  threads: number;
  keepsOneForShort?: boolean;
}): ThreadShare {
  if (!keepsOneForShort) return { most: usual, mayStartLong: () => true, limit: () => usual, watch: () => () => {} };
  const most = Math.max(2, usual);
  return {
    most,
    mayStartLong: (threads) => countLong(threads) < most - 1,
    // A second thread beside a single one starts only while a long task has that one.
    limit: (threads) => Math.min(most, Math.max(usual, countLong(threads) + 1)),
    watch: ({ mayBeLong }, dispatch) => {
      const timer = mayBeLong ? undefined : setTimeout(dispatch, LONG_AFTER_MS).unref();
      return () => clearTimeout(timer);
    },
  };
}
