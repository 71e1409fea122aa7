/** Where the values that a form sends are read: short ones at once, long ones in a thread. */
import { AppError } from '#server/base/app-error.ts';
import { runInThread, ThreadLimitError } from '#server/base/run-in-thread.ts';
import type { RunInputValue } from '#shared/contract/parameters.ts';

/** Characters. Reading a million of them takes some 30 ms, and to start a thread takes longer. */
const LONG = 2_000_000;
/** Megabytes: a body of 64 MB becomes several times as much. */
const MEMORY = 2_048;
/** Milliseconds. */
const TIME_LIMIT = 60_000;

export interface Reading<Result> {
  here: () => Result;
  /** Answers the same of `work`. */
  thread: URL;
  work: unknown;
}

/** Throws an AppError 413 where the values are too large to be read. */
export async function readValues<Result>(
  values: readonly RunInputValue[],
  { here, thread, work }: Reading<Result>,
): Promise<Result> {
  const length = values.reduce((sum, { Value }) => sum + (Value?.length ?? 0), 0);
  if (length < LONG) return here();
  try {
    return await runInThread(thread, work, { memory: MEMORY, timeLimit: TIME_LIMIT });
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw new AppError('inputsTooLarge', 413, 'The inputs are too large to be checked. Please send fewer rows', {
      cause: error,
    });
  }
}
