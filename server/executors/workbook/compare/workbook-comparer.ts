/** Compares two workbook files in its own thread, with limits on time and memory. */
import { AppError } from '#server/base/app-error.ts';
import { runInThread, ThreadLimitError } from '#server/base/run-in-thread.ts';
import type { WorkbookChanges } from '#shared/contract/version-changes.ts';

export interface ComparedFiles {
  before: Uint8Array;
  after: Uint8Array;
}

export interface WorkbookComparer {
  /** Rejects with an AppError 422 if the comparison takes too long, and with the signal's reason if it aborts. */
  compare(files: ComparedFiles, signal: AbortSignal): Promise<WorkbookChanges>;
}

const THREAD = new URL('./compare-thread.ts', import.meta.url);
const MEMORY_MB = 1024;
const TIME_LIMIT_MS = 60_000;
/**
 * Workbooks are compared one pair at a time. Maximum number of requests, including the one in progress; further ones
 * are refused.
 */
const MAX_REQUESTS = 10;

export function createWorkbookComparer({ timeLimit = TIME_LIMIT_MS }: { timeLimit?: number } = {}): WorkbookComparer {
  let line: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    compare: (files, signal) => {
      if (waiting >= MAX_REQUESTS) {
        return Promise.reject(
          new AppError('busy', 503, 'The server is busy comparing other versions. Please try again'),
        );
      }
      waiting += 1;
      const result = line.then(() => {
        signal.throwIfAborted();
        return compareInThread(files, timeLimit, signal);
      });
      line = result.catch(() => undefined).finally(() => (waiting -= 1));
      return result;
    },
  };
}

async function compareInThread(files: ComparedFiles, timeLimit: number, signal: AbortSignal): Promise<WorkbookChanges> {
  try {
    return await runInThread(THREAD, files, { memory: MEMORY_MB, timeLimit, signal });
  } catch (error) {
    throw error instanceof ThreadLimitError ? tooLarge(error) : error;
  }
}

const tooLarge = (cause: unknown): AppError =>
  new AppError('tooLarge', 422, 'The workbooks of these versions are too large to be compared', { cause });
