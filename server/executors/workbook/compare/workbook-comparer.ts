/** Compares two workbook files in a thread of its own, bounded in time and memory. */
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/app-error.ts';
import type { WorkbookChanges } from '#shared/contract/version-changes.ts';

export interface ComparedFiles {
  before: Uint8Array;
  after: Uint8Array;
}

export interface WorkbookComparer {
  /** Rejects with an AppError 422 where they take too long, and with the signal's reason when it aborts. */
  compare(files: ComparedFiles, signal: AbortSignal): Promise<WorkbookChanges>;
}

const THREAD = new URL('./compare-thread.ts', import.meta.url);
const MEMORY_MB = 1024;
const TIME_LIMIT_MS = 60_000;
/** One is compared at a time; more than this many do not wait for their turn. */
const MOST_WAITING = 10;

export function createWorkbookComparer({ timeLimit = TIME_LIMIT_MS }: { timeLimit?: number } = {}): WorkbookComparer {
  let line: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    compare: (files, signal) => {
      if (waiting >= MOST_WAITING) {
        return Promise.reject(new AppError('busy', 503, 'Other versions are being compared. Please try again'));
      }
      waiting += 1;
      const turn = line.then(() => {
        signal.throwIfAborted();
        return compareInThread(files, timeLimit, signal);
      });
      line = turn.catch(() => undefined).finally(() => (waiting -= 1));
      return turn;
    },
  };
}

async function compareInThread(files: ComparedFiles, timeLimit: number, signal: AbortSignal): Promise<WorkbookChanges> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkbookChanges>();
  const worker = new Worker(THREAD, { workerData: files, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  const tooLong = setTimeout(() => reject(tooLarge()), timeLimit);
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error),
  );
  worker.once('exit', (code) => reject(new Error(`the thread that compares workbooks ended with ${code}`)));
  try {
    return await promise;
  } finally {
    clearTimeout(tooLong);
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

const tooLarge = (): AppError =>
  new AppError('tooLarge', 422, 'The workbooks of these versions are too large to be compared');
