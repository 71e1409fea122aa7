/** One piece of work in a thread of its own, so that it keeps nobody else waiting. */
import { Worker } from 'node:worker_threads';
import { threadEnvironment } from './thread-environment.ts';

export interface ThreadBounds {
  /** Megabytes of JavaScript heap. */
  memory: number;
  /** Milliseconds; without end where absent. */
  timeLimit?: number;
  signal?: AbortSignal;
}

/** The work needed more memory or time than it may have. */
export class ThreadLimitError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ThreadLimitError';
  }
}

/**
 * Answers the first message of the thread, whose `workerData` is the work: both are copied, and hold no functions. Rejects with a
 * ThreadLimitError at a bound, with the signal's reason when it aborts, with the thread's own error otherwise.
 */
export async function runInThread<Result>(thread: URL, work: unknown, bounds: ThreadBounds): Promise<Result> {
  const { memory, timeLimit, signal } = bounds;
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const worker = new Worker(thread, {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    env: threadEnvironment(),
    // Nor the options of the main program.
    execArgv: [],
  });
  const clock =
    timeLimit === undefined
      ? undefined
      : setTimeout(
          () => reject(new ThreadLimitError(`The work took longer than ${timeLimit / 1000} seconds`)),
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
