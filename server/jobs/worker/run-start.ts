import type { ClaimedRun } from '#server/jobs/queue/claimed-run.ts';
import type { JobContext } from './end-run.ts';
import { RunStopped } from './run-stopped.ts';

/**
 * Writes PickedUp → Started. A run that has not been written as Started had no effect outside of its worker: where the worker dies, it goes back to the
 * queue. So this is written before the run logs anything, sends a mail, asks a person, or calls another database.
 */
export interface RunStart {
  /**
   * Resolves once it is written; further calls then cost nothing. Where the run is no longer the worker's, or was cancelled, the run is stopped and this
   * throws the signal's reason. Also throws where the database cannot be reached, and may be called again.
   */
  write(): Promise<void>;
}

export function createRunStart(
  { queue, worker }: Pick<JobContext, 'queue' | 'worker'>,
  run: ClaimedRun,
  { controller, startedAt }: { controller: AbortController; startedAt: () => number | null },
): RunStart {
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const { signal } = controller;
    signal.throwIfAborted();
    const now = performance.now();
    if (await queue.markStarted(worker, run, (now - (startedAt() ?? now)) / 1000)) return;
    const cancelled = await queue.cancelled(worker);
    controller.abort(new RunStopped(cancelled.includes(run.Id) ? 'cancelled' : 'lost'));
    signal.throwIfAborted();
  }

  return {
    write: () => {
      writing ??= write().catch((error: unknown) => {
        writing = undefined;
        throw error;
      });
      return writing;
    },
  };
}
