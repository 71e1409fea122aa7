import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { VersionCatalog } from '#server/features/activities/version-catalog.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Log } from '#server/log.ts';
import { endedByClaim, finishRun, type FinishResult, type RunEnd } from './run-end.ts';
import type { ClaimedRun, RunQueue } from './run-queue.ts';

/** What the work on runs needs besides the run. */
export interface JobContext {
  database: Database;
  queue: RunQueue;
  versions: VersionCatalog;
  files: FileStore;
  executor: Executor;
  log: Log;
  /** Names this worker among all; a new name at every start. */
  worker: string;
  /** Milliseconds a calculation may take. */
  timeLimit: number;
  /** Milliseconds between two writes of progress. */
  journalInterval: number;
}

const RETRY_MS = 200;

/**
 * Writes the end of a run, again and again while the database cannot be reached, until the worker has lost its lease. 'unknown':
 * a commit was sent and nobody knows whether it arrived; what was stored for the run must stay.
 */
export async function endRun(
  { database, worker, log }: JobContext,
  run: ClaimedRun,
  end: RunEnd,
  signal: AbortSignal,
): Promise<{ result: FinishResult | 'unknown'; promoted: boolean }> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1 && (await endedByClaim(database.knex, worker, run)))
        return { result: 'finished', promoted: true };
      return await finishRun(database, worker, run, end);
    } catch (err) {
      if (database.dialect.classify(err).fault !== 'connection') throw err;
      log.warn({ err, run: run.Id, attempt }, 'the end of a run could not be written yet');
      if (hasLostLease(signal)) return { result: 'unknown', promoted: false };
      await pause(RETRY_MS);
    }
  }
}

function hasLostLease(signal: AbortSignal): boolean {
  return signal.aborted && (signal.reason as { reason?: string }).reason === 'lost';
}
