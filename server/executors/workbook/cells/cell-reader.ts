/** Reads a workbook in its own thread to look up one of its cells, with limits on time and memory. */
import { AppError } from '#server/base/app-error.ts';
import { runInThread, ThreadLimitError } from '#server/base/run-in-thread.ts';
import type { CellLocation, ShownCell } from '#shared/contract/run-cells.ts';

export interface WantedCell {
  bytes: Uint8Array;
  location: CellLocation;
  /** True if the saved values are the results of a run. */
  hasResults: boolean;
}

export interface CellReader {
  /**
   * Returns null if the sheet does not exist. Rejects with an AppError 422 if it takes too long, and 503 if too many
   * requests wait.
   */
  read(wanted: WantedCell, signal: AbortSignal): Promise<ShownCell | null>;
}

const THREAD = new URL('./cell-thread.ts', import.meta.url);
const MEMORY_MB = 1024;
const TIME_LIMIT_MS = 20_000;
/**
 * Workbooks are read one at a time. Maximum number of requests, including the one in progress; further ones are
 * refused.
 */
const MAX_REQUESTS = 10;

export function createCellReader({ timeLimit = TIME_LIMIT_MS }: { timeLimit?: number } = {}): CellReader {
  let line: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    read: (wanted, signal) => {
      if (waiting >= MAX_REQUESTS) {
        return Promise.reject(new AppError('busy', 503, 'The server is busy reading other cells. Please try again'));
      }
      waiting += 1;
      const result = line.then(() => {
        signal.throwIfAborted();
        return readInThread(wanted, timeLimit, signal);
      });
      line = result.catch(() => undefined).finally(() => (waiting -= 1));
      return result;
    },
  };
}

async function readInThread(wanted: WantedCell, timeLimit: number, signal: AbortSignal): Promise<ShownCell | null> {
  try {
    return await runInThread(THREAD, wanted, { memory: MEMORY_MB, timeLimit, signal });
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw new AppError('tooLarge', 422, 'The workbook is too large to show its cells', { cause: error });
  }
}
