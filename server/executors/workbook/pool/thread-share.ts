/** Decides how many threads tasks may use, so that long tasks leave one to short tasks. */
import { SHORT_RUN_MS } from '#server/executors/executor.ts';
import type { PoolThread, ThreadTask } from './thread.ts';

export interface ThreadShare {
  /** Maximum number of threads at the same time. */
  readonly maxThreads: number;
  /** Returns true if a task that may be long may start now. */
  mayStartLong(threads: readonly Pick<PoolThread, 'isOnLongTask'>[]): boolean;
  /** Returns the current maximum number of threads for a task that needs a new one. */
  limit(threads: readonly Pick<PoolThread, 'isOnLongTask'>[]): number;
  /**
   * Calls `dispatch` once if a task expected to be short has become long. Returns a function that stops watching; call
   * it when the task ends.
   */
  watch(task: Pick<ThreadTask, 'mayBeLong'>, dispatch: () => void): () => void;
}

/** After this time `isOnLongTask` is true. The margin is for timers that fire slightly early. */
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
  if (!keepsOneForShort)
    return { maxThreads: usual, mayStartLong: () => true, limit: () => usual, watch: () => () => {} };
  const maxThreads = Math.max(2, usual);
  return {
    maxThreads,
    mayStartLong: (threads) => countLong(threads) < maxThreads - 1,
    // With a single thread, a second one starts only while a long task occupies the first.
    limit: (threads) => Math.min(maxThreads, Math.max(usual, countLong(threads) + 1)),
    watch: ({ mayBeLong }, dispatch) => {
      const timer = mayBeLong ? undefined : setTimeout(dispatch, LONG_AFTER_MS).unref();
      return () => clearTimeout(timer);
    },
  };
}
