/** What a task may take: time, memory, and its caller's patience. */
import type { Worker } from 'node:worker_threads';

/** Why a task was ended without a result. */
export type StopReason = 'time' | 'memory' | 'crash';

/** A task that was ended, or whose thread died; other tasks are not concerned. */
export class TaskStopped extends Error {
  readonly reason: StopReason;
  /** What can be done about it, for those who make activities; '' where that is plain. */
  readonly remedy: string;
  constructor(
    reason: StopReason,
    message: string,
    { remedy = '', ...options }: ErrorOptions & { remedy?: string } = {},
  ) {
    super(message, options);
    this.name = 'TaskStopped';
    this.reason = reason;
    this.remedy = remedy;
  }

  /** Message and remedy. */
  get advice(): string {
    return this.remedy === '' ? this.message : `${this.message}. ${this.remedy}`;
  }
}

/** @param memoryBytes what it may use */
export function outOfMemory(memoryBytes: number, cause?: unknown): TaskStopped {
  const megabytes = Math.round(memoryBytes / 2 ** 20);
  const remedy = `It may use ${megabytes} MB; an administrator can allow more by RUNSHEET_THREAD_MEMORY_MB`;
  return new TaskStopped('memory', 'The workbook needs more memory than it may use', { cause, remedy });
}

function tooLong(timeLimit: number): TaskStopped {
  const seconds = Math.round(timeLimit / 100) / 10;
  return new TaskStopped('time', `The calculation took longer than ${seconds} seconds and was stopped`);
}

export interface TaskBounds {
  /** The time stands still while the thread waits for a file. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** How often the memory of a working thread is looked at. */
const WATCH_INTERVAL = 200;

/** Calls `stop` once, with the reason, for whichever bound is reached first. The clock runs from now. */
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
  const look = async (): Promise<void> => {
    try {
      // The engine's memory and the arrays of the reader lie outside of the JavaScript heap that resourceLimits bound.
      const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
      if (heap + external > memoryBytes && !isClosed) stop(outOfMemory(memoryBytes));
    } catch {
      // The thread has ended: its exit tells.
    }
  };
  const watch = setInterval(() => void look(), WATCH_INTERVAL);
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
