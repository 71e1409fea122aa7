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

/** A run that ends sooner is not written as Started, unless it acts outside of its worker: its end says when it started. */
const WRITE_START_AFTER_MS = 50;

export interface LaterStart {
  /** The work begins; further calls do nothing. */
  begin: () => void;
  /** The work has ended: the start is no longer to be written. Waits for a write under way. */
  end(): Promise<void>;
}

/** Writes the start of a run whose work takes longer, while it works. @param onBegin called before all else, once */
export function writeStartLater(
  { run, start, log }: { run: ClaimedRun; start: RunStart; log: JobContext['log'] },
  onBegin: () => void,
): LaterStart {
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasBegun = false;
  const write = (): void => {
    // Whether the run still is the worker's is decided when it ends. Its log and progress are not written before its start is.
    writing = start.write().catch((err: unknown) => {
      log.warn({ err, run: run.Id }, 'the start of a run could not be written yet');
    });
  };
  return {
    begin: () => {
      if (hasBegun) return;
      hasBegun = true;
      onBegin();
      timer = setTimeout(write, WRITE_START_AFTER_MS);
    },
    end: async () => {
      clearTimeout(timer);
      await writing;
    },
  };
}
