import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/db/database.ts';
import type { Log } from '#server/base/log.ts';
import { RunStopped } from '#server/jobs/worker/run-stopped.ts';

const RETRY_MS = 200;
/** A process that ends does not wait longer for its database: what it leaves is ended as Abandoned when its lease is over. */
const STOPPING_PATIENCE_MS = 1_000;

/** Whether the server is ending, and the run with it. */
function isStopping(signal: AbortSignal): boolean {
  return signal.reason instanceof RunStopped && signal.reason.reason === 'stopping';
}

/** Whether the worker may write nothing more of the run. */
export function hasLostLease(signal: AbortSignal): boolean {
  return signal.reason instanceof RunStopped && signal.reason.reason === 'lost';
}

/** What passes by itself, or once somebody has made room. */
export function isOutage(database: Database, error: unknown): boolean {
  return ['connection', 'full'].includes(database.dialect.classify(error).fault);
}

/** Asks the portal's database for what a run needs while it executes. */
export type AskDatabase = <T>(ask: (attempt: number) => Promise<T>) => Promise<T>;

/**
 * Waits for the database as the end of a run does, so that a run does not fail because its portal's database restarts. Throws the signal's reason once the
 * run is stopped.
 */
export function createAskDatabase(deps: { database: Database; log: Log }, signal: AbortSignal): AskDatabase {
  return async <T>(ask: (attempt: number) => Promise<T>): Promise<T> => {
    const answered = await untilReachable(deps, signal, async (attempt) => {
      signal.throwIfAborted();
      return { answer: await ask(attempt) };
    });
    if (!answered) throw signal.reason;
    return answered.answer;
  };
}

/**
 * Does something with the database again and again while it cannot be reached or has no room left, as long as the worker has its lease. Answers
 * undefined where it never could; what was sent last may have been done all the same.
 */
export async function untilReachable<T>(
  { database, log }: { database: Database; log: Log },
  signal: AbortSignal,
  act: (attempt: number) => Promise<T>,
): Promise<T | undefined> {
  let stoppingSince: number | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(attempt);
    } catch (err) {
      if (!isOutage(database, err)) throw err;
      log.debug({ err, attempt }, 'the database cannot be reached, or is full; it is tried again');
      if (hasLostLease(signal)) return undefined;
      if (isStopping(signal)) stoppingSince ??= performance.now();
      if (performance.now() - (stoppingSince ?? Infinity) > STOPPING_PATIENCE_MS) return undefined;
      await pause(RETRY_MS);
    }
  }
}
