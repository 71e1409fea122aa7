import type { ClaimedRun } from '#server/queue/claimed-run.ts';
import type { JobContext } from './end-run.ts';
import { RunStopped } from './run-stopped.ts';

/**
 * Writes PickedUp → Started. A run that was not written as Started has had no effect outside its worker, so it returns
 * to the queue if the worker dies. The start is therefore written before the run logs anything, sends a mail, asks a
 * person or calls another database.
 */
export interface RunStart {
  /**
   * Resolves once the start is written; further calls then cost nothing. If the run no longer belongs to the worker or
   * was cancelled, stops the run and throws the signal's reason. Also throws if the database cannot be reached; it may
   * then be called again.
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

/**
 * Runs shorter than this skip the Started update unless they have effects outside the worker; the start time is written
 * with the end.
 */
const WRITE_START_AFTER_MS = 50;

export interface LaterStart {
  /** Call when the execution begins; further calls do nothing. */
  begin: () => void;
  /** Call when the execution has ended: the start need not be written any more. Waits for a write in progress. */
  end(): Promise<void>;
}

/** Writes the start of a run that takes longer, while it executes. @param onBegin called once, before anything else */
export function writeStartLater(
  { run, start, log }: { run: ClaimedRun; start: RunStart; log: JobContext['log'] },
  onBegin: () => void,
): LaterStart {
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStarted = false;
  const write = (): void => {
    // An error is only logged: whether the worker still holds the run is decided when the run ends, and its log and
    // progress are not written before its start.
    writing = start.write().catch((err: unknown) => {
      log.warn({ err, run: run.Id }, 'could not write the start of a run yet');
    });
  };
  return {
    begin: () => {
      if (isStarted) return;
      isStarted = true;
      onBegin();
      timer = setTimeout(write, WRITE_START_AFTER_MS);
    },
    end: async () => {
      clearTimeout(timer);
      await writing;
    },
  };
}
