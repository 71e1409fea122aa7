/** Parses form values: short ones immediately, long ones in a worker thread. */
import { AppError } from '#server/base/app-error.ts';
import { runInThread, ThreadLimitError } from '#server/base/run-in-thread.ts';
import type { RunInputValue } from '#shared/contract/parameters.ts';

/** In characters. Parsing a million characters takes about 30 ms; starting a thread takes longer. */
const LONG = 2_000_000;
/** In megabytes. Parsing a body of 64 MB needs several times its size. */
const MEMORY = 2_048;
/** In milliseconds. */
const TIME_LIMIT = 60_000;

export interface Reading<Result> {
  here: () => Result;
  /** URL of a thread that returns the same result for `work`. */
  thread: URL;
  work: unknown;
}

/** Throws an AppError 413 if the values are too large to be parsed. */
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
    throw new AppError('inputsTooLarge', 413, 'The inputs are too large to check. Please send fewer rows', {
      cause: error,
    });
  }
}
