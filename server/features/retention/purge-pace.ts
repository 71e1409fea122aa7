/** Keeps a purge out of the way of others: short transactions, and after each a pause as long as it took. */
import { setTimeout as wait } from 'node:timers/promises';

/** Runs of the first transaction, and of any. */
const FIRST_SIZE = 50;
const MIN_SIZE = 10;
const MAX_SIZE = 100;
/** A transaction that took less may take more runs the next time; one that took longer takes fewer. */
const SHORT_MS = 25;
const LONG_MS = 75;
/** A database that hangs is not waited for in proportion. */
const MAX_PAUSE_MS = 1000;

export interface PurgePace {
  /** How many runs the next transaction takes. */
  size(): number;
  /** Between two transactions: waits, and settles the size of the next one. Ends early when the signal says so. */
  rest(tookMs: number, signal?: AbortSignal): Promise<void>;
}

export function createPurgePace(pause: (ms: number, signal?: AbortSignal) => Promise<void> = pauseFor): PurgePace {
  let size = FIRST_SIZE;
  return {
    size: () => size,
    rest: async (tookMs, signal) => {
      if (tookMs < SHORT_MS) size = Math.min(MAX_SIZE, size * 2);
      if (tookMs > LONG_MS) size = Math.max(MIN_SIZE, Math.floor(size / 2));
      await pause(Math.min(MAX_PAUSE_MS, tookMs), signal);
    },
  };
}

async function pauseFor(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch {
    // Stopped: the caller looks at the signal itself.
  }
}
