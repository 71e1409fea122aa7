/**
 * Throttles a purge so that it does not slow down others: short transactions, each followed by a pause of the same
 * length.
 */
import { setTimeout as wait } from 'node:timers/promises';

/** Number of runs in the first transaction, and its bounds for all transactions. */
const FIRST_SIZE = 50;
const MIN_SIZE = 10;
const MAX_SIZE = 100;
/** After a shorter transaction, the next one takes more runs; after a longer one, fewer. */
const SHORT_MS = 25;
const LONG_MS = 75;
/** Limits the pause after a transaction in which the database hung. */
const MAX_PAUSE_MS = 1000;

export interface PurgePace {
  /** Returns how many runs the next transaction takes. */
  size(): number;
  /** Pauses between two transactions and adjusts the size of the next one. Ends early if the signal is aborted. */
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
    // Aborted: the caller checks the signal itself.
  }
}
