/** Limits the time and the memory of a task, and stops it if its caller aborts. */
import type { Worker } from 'node:worker_threads';

/** Why a task was ended without a result. */
export type StopReason = 'time' | 'memory' | 'crash';

/** A task that was ended, or whose thread died. Other tasks are not affected. */
export class TaskStopped extends Error {
  readonly reason: StopReason;
  /** How authors of activities can fix it; '' if that is obvious. */
  readonly howToFix: string;
  constructor(
    reason: StopReason,
    message: string,
    { howToFix = '', ...options }: ErrorOptions & { howToFix?: string } = {},
  ) {
    super(message, options);
    this.name = 'TaskStopped';
    this.reason = reason;
    this.howToFix = howToFix;
  }

  /** The message and how to fix it, in one text. */
  get advice(): string {
    return this.howToFix === '' ? this.message : `${this.message}. ${this.howToFix}`;
  }
}

/** @param memoryBytes maximum memory of the task */
export function outOfMemory(memoryBytes: number, cause?: unknown): TaskStopped {
  const megabytes = Math.round(memoryBytes / 2 ** 20);
  const howToFix = `It may use ${megabytes} MB; an administrator can raise the limit with RUNSHEET_THREAD_MEMORY_MB`;
  return new TaskStopped('memory', 'The workbook needs more memory than allowed', { cause, howToFix });
}

function tooLong(timeLimit: number): TaskStopped {
  const seconds = Math.round(timeLimit / 100) / 10;
  const text =
    seconds === 1
      ? 'The calculation took longer than 1 second and was stopped'
      : `The calculation took longer than ${seconds} seconds and was stopped`;
  return new TaskStopped('time', text);
}

export interface TaskBounds {
  /** Stops the clock while the thread waits for a file or for the answer to a step's request. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Milliseconds between checks of a working thread's memory. */
const WATCH_INTERVAL = 200;

/** Calls `stop` once, with the reason, when the first limit is reached. The clock starts immediately. */
export function boundTask(
  worker: Worker,
  { timeLimit, signal, memoryBytes }: { timeLimit: number; signal: AbortSignal; memoryBytes: number },
  stop: (error: unknown) => void,
): TaskBounds {
  let left = timeLimit;
  let since = 0;
  let pauses = 0;
  let isClosed = false;
  let clock: NodeJS.Timeout | undefined;

  const start = (): void => {
    since = performance.now();
    clock = setTimeout(() => stop(tooLong(timeLimit)), Math.max(0, left));
  };
  const onAbort = (): void => stop(signal.reason);
  const checkMemory = async (): Promise<void> => {
    try {
      // Count external memory as well: the engine's memory and the reader's arrays are outside the JavaScript heap that
      // resourceLimits bounds.
      const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
      if (heap + external > memoryBytes && !isClosed) stop(outOfMemory(memoryBytes));
    } catch {
      // The thread has ended, which its exit event reports.
    }
  };
  const watch = setInterval(() => void checkMemory(), WATCH_INTERVAL);
  signal.addEventListener('abort', onAbort, { once: true });
  start();

  return {
    pause() {
      pauses += 1;
      if (pauses > 1) return;
      clearTimeout(clock);
      left -= performance.now() - since;
    },
    resume() {
      pauses -= 1;
      if (pauses === 0 && !isClosed) start();
    },
    close() {
      isClosed = true;
      clearTimeout(clock);
      clearInterval(watch);
      signal.removeEventListener('abort', onAbort);
    },
  };
}
