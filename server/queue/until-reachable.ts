import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/db/database.ts';
import type { Log } from '#server/base/log.ts';
import { RunStopped } from '#server/queue/worker/run-stopped.ts';

const RETRY_MS = 200;
/**
 * A stopping process waits no longer than this for its database. Runs that it leaves behind end as Abandoned when their
 * leases expire.
 */
const STOPPING_TIMEOUT_MS = 1_000;

/** Returns true if the server is stopping, and the run with it. */
function isStopping(signal: AbortSignal): boolean {
  return signal.reason instanceof RunStopped && signal.reason.reason === 'stopping';
}

/** Returns true if the worker may no longer write to the run. */
function hasLostLease(signal: AbortSignal): boolean {
  return signal.reason instanceof RunStopped && signal.reason.reason === 'lost';
}

/** Returns true for errors that can pass: the database cannot be reached, or is full until someone frees space. */
export function isOutage(database: Database, error: unknown): boolean {
  return ['connection', 'full'].includes(database.dialect.classify(error).fault);
}

/** Queries the portal's database for a run while it executes. */
export type AskDatabase = <T>(ask: (attempt: number) => Promise<T>) => Promise<T>;

/**
 * Waits for the database in the same way as the end of a run, so a restart of the portal's database does not fail the
 * run. Throws the signal's reason once the run is stopped.
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
 * Retries an operation while the database cannot be reached or is full, as long as the worker has its lease. Returns
 * undefined if it never succeeded; the last attempt may nevertheless have been executed.
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
      if (performance.now() - (stoppingSince ?? Infinity) > STOPPING_TIMEOUT_MS) return undefined;
      await pause(RETRY_MS);
    }
  }
}
