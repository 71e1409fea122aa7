/** Runs a single piece of work in a separate thread, so it does not block anything else. */
import { Worker } from 'node:worker_threads';
import { counted } from '#shared/codecs/counted.ts';
import { threadEnvironment } from './thread-environment.ts';

export interface ThreadBounds {
  /** Maximum size of the JavaScript heap in megabytes. */
  memory: number;
  /** Time limit in milliseconds; unlimited if absent. */
  timeLimit?: number;
  signal?: AbortSignal;
}

/** The work exceeded its limit on memory or time. */
export class ThreadLimitError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadLimitError';
  }
}

/**
 * Returns the first message of the thread, whose `workerData` is the work. Both are copied, so they cannot contain
 * functions. Rejects with a ThreadLimitError at a limit, with the signal's reason if it aborts, and otherwise with the
 * thread's own error.
 */
export async function runInThread<Result>(thread: URL, work: unknown, bounds: ThreadBounds): Promise<Result> {
  const { memory, timeLimit, signal } = bounds;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const worker = new Worker(thread, {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    env: threadEnvironment(),
    // The thread does not get the command-line options of the main program either.
    execArgv: [],
  });
  const clock =
    timeLimit === undefined
      ? undefined
      : setTimeout(
          () => reject(new ThreadLimitError(`The work took longer than ${counted(timeLimit / 1000, 'second')}`)),
          timeLimit,
        );
  const stop = (): void => reject(signal?.reason as Error);
  signal?.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve);
  worker.once('error', (error: NodeJS.ErrnoException) => reject(isOutOfMemory(error) ? tooMuch(memory, error) : error));
  worker.once('exit', (code) => reject(new Error(`The thread ${thread.pathname} ended with ${code}`)));
  try {
    return await promise;
  } finally {
    clearTimeout(clock);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

const isOutOfMemory = ({ code }: NodeJS.ErrnoException): boolean => code === 'ERR_WORKER_OUT_OF_MEMORY';

const tooMuch = (memory: number, cause: unknown): ThreadLimitError =>
  new ThreadLimitError(`The work needs more than ${memory} MB of memory`, { cause });
