/** One worker thread as seen from the main thread: sends it tasks, provides their files, and ends it if necessary. */
import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '#server/base/thread-environment.ts';
import { type ActivityDefinition } from '#server/executors/activity-definition.ts';
import { SHORT_RUN_MS, type RunLogLine } from '#server/executors/executor.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import type { StepAsk } from '#server/executors/step-services.ts';
import type { FromThread, Task, TaskResult, ThreadSettings, ToThread, Wanted } from './messages.ts';
import { transferable } from './messages.ts';
import { boundTask, outOfMemory, TaskStopped } from './task-bounds.ts';
import type { TaskBounds } from './task-bounds.ts';

export interface ThreadTask {
  task: Task;
  /** Version whose workbook the task uses; null if it uses no cached workbook. */
  versionKey: string | null;
  /**
   * The form whose model the task continues. The thread with this model is the best choice, one with the version's
   * workbook the second best.
   */
  formKey?: string;
  /** Owner of the task, if users share the threads. */
  owner?: string;
  /** Key of the upload, chosen by its page. */
  uploadId?: string;
  /** True if the task is not known to be short; see `keepsOneForShort` of a pool. */
  mayBeLong?: boolean;
  /** Maximum milliseconds of work; waiting for files and for answers to steps does not count. */
  timeLimit: number;
  signal: AbortSignal;
  /** Returns a file. Its bytes are transferred to the thread, so they must not be shared. */
  provide(wanted: Wanted): Promise<Uint8Array>;
  /** Answers requests of steps; absent if there are no steps. */
  answer?(ask: StepAsk): Promise<unknown>;
  /** Called when a thread starts the task. A new thread loads its code before that. */
  onBegin?(): void;
  onLog(line: RunLogLine): void;
  onProgress(phase: string, share: number | null): void;
}

export interface ThreadOptions extends Omit<ThreadSettings, 'isAhead'> {
  /** Maximum bytes of a thread: its JavaScript heap and the engine's memory together. */
  memoryBytes: number;
}

/**
 * After a task, a thread that holds more than this share of its memory is replaced, because the engine's memory never
 * shrinks.
 */
const RETIRE_SHARE = 0.6;

/** Maximum number of remembered keys per thread; larger than the number of workbooks and forms it caches. */
const MAX_WARM_KEYS = 500;
/**
 * Maximum number of definitions a thread stores. Sending a definition only once pays off, because it may contain long
 * lists.
 */
const MAX_DEFINITIONS = 100;

/** Keyed by object and not by version: trial runs use a version's definition without some of its steps. */
const numbers = new WeakMap<ActivityDefinition, number>();
let lastNumber = 0;

function numberOf(definition: ActivityDefinition): number {
  const number = numbers.get(definition) ?? (lastNumber += 1);
  numbers.set(definition, number);
  return number;
}

interface Running {
  task: ThreadTask;
  /** Timestamp of performance.now(). */
  since: number;
  bounds: TaskBounds;
  /** Error of providing a file, which is more specific than the thread's own error. */
  fileError: unknown;
  resolve: (result: TaskResult) => void;
  reject: (error: unknown) => void;
}

export class PoolThread {
  /** Versions and forms whose workbooks the thread probably still caches. */
  readonly warm = new Set<string>();
  /** Numbers of the definitions that were sent to the thread. */
  private readonly defined = new Set<number>();
  /** Resolves when the thread has ended for any reason. */
  readonly exited: Promise<void>;
  private readonly worker: Worker;
  private readonly options: ThreadOptions;
  private running: Running | null = null;
  private hasEnded = false;
  /** True once the thread has sent a message, because its code is loaded then. */
  private isLoaded = false;
  private awaitsAnswer = false;
  private readonly onFree: (thread: PoolThread) => void;
  private lastError: unknown = null;

  /**
   * `onFree` is called after each task, and when the thread has ended. `isAhead` is true if the thread starts without a
   * task.
   */
  constructor(options: ThreadOptions, onFree: (thread: PoolThread) => void, isAhead = false) {
    const { memoryBytes, office, warmCount, warmBytes, formCount, formBytes, formAge } = options;
    this.options = options;
    this.onFree = onFree;
    this.worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { office, warmCount, warmBytes, formCount, formBytes, formAge, isAhead } satisfies ThreadSettings,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryBytes / 2 ** 20) },
      env: threadEnvironment(),
      // Do not inherit the options of the main program either.
      execArgv: [],
    });
    // Idle threads do not keep the process alive.
    this.worker.unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.exited = promise;
    this.worker.on('message', (message: FromThread) => this.receive(message, onFree));
    this.worker.on('error', (error: unknown) => {
      this.lastError = error;
    });
    this.worker.on('exit', (code) => {
      this.hasEnded = true;
      this.finish(({ reject }) => reject(crashOf(this.lastError, code, this.options.memoryBytes)));
      resolve();
      onFree(this);
    });
  }

  get isAlive(): boolean {
    return !this.hasEnded;
  }

  get isFree(): boolean {
    return !this.hasEnded && this.running === null;
  }

  /** The current task; null if there is none. */
  get task(): ThreadTask | null {
    return this.running?.task ?? null;
  }

  /** True if the current task may be long: it is not known to be short, or has exceeded SHORT_RUN_MS. */
  get isOnLongTask(): boolean {
    if (!this.running || this.awaitsAnswer) return false;
    const { task, since } = this.running;
    return task.mayBeLong === true || performance.now() - since > SHORT_RUN_MS;
  }

  /** True if the current task waits for a user's answer and calculates nothing. */
  get isWaiting(): boolean {
    return this.awaitsAnswer;
  }

  run(task: ThreadTask): Promise<TaskResult> {
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
    const { timeLimit, signal } = task;
    const bounds = boundTask(this.worker, { timeLimit, signal, memoryBytes: this.options.memoryBytes }, (error) =>
      this.stop(error),
    );
    this.running = { task, since: performance.now(), bounds, fileError: null, resolve, reject };
    this.worker.ref();
    if (this.isLoaded) task.onBegin?.();
    this.sendTask(task.task);
    return promise;
  }

  private sendTask(whole: Task): void {
    if (!('definition' in whole)) return this.post({ type: 'task', task: whole, sent: null });
    const { definition, ...task } = whole;
    const number = numberOf(definition);
    const isKnown = this.defined.has(number);
    const forgets = !isKnown && this.defined.size >= MAX_DEFINITIONS;
    if (forgets) this.defined.clear();
    this.defined.add(number);
    this.post({ type: 'task', task, sent: { number, definition: isKnown ? null : definition, forgets } });
  }

  /** Ends the thread immediately; its task rejects with the error. */
  stop(error: unknown): void {
    this.hasEnded = true;
    this.finish(({ reject }) => reject(error));
    void this.worker.terminate();
  }

  private post(message: ToThread, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private receive(message: FromThread, onFree: (thread: PoolThread) => void): void {
    if (!this.running) return;
    const { task } = this.running;
    // On a busy machine, loading takes seconds. Until then the task has not begun, so a server that stops can return its
    // run to the queue instead of abandoning it.
    if (!this.isLoaded) task.onBegin?.();
    this.isLoaded = true;
    if (message.type === 'wants') void this.serve(this.running, message.request, message.wanted);
    else if (message.type === 'asks') void this.answer(this.running, message.request, message.ask);
    else if (message.type === 'log') task.onLog(message.line);
    else if (message.type === 'progress') task.onProgress(message.phase, message.share);
    else this.settle(message, onFree);
  }

  private settle(
    message: Extract<FromThread, { type: 'done' | 'failed' }>,
    onFree: (thread: PoolThread) => void,
  ): void {
    const { versionKey = null, formKey } = this.running?.task ?? {};
    if (versionKey !== null) this.warm.add(versionKey);
    if (formKey !== undefined) this.rememberForm(formKey);
    if (message.isBroken || message.memory > this.options.memoryBytes * RETIRE_SHARE) {
      this.hasEnded = true;
      void this.worker.terminate();
    }
    this.finish(({ resolve, reject, fileError }) => {
      if (message.type === 'done') resolve(message.result);
      else reject(fileError ?? message.error);
    });
    onFree(this);
  }

  /** Remembers only the most recent keys, because forms come and go by the thousand. */
  private rememberForm(key: string): void {
    this.warm.delete(key);
    this.warm.add(key);
    for (const oldest of this.warm) {
      if (this.warm.size <= MAX_WARM_KEYS) return;
      this.warm.delete(oldest);
    }
  }

  private finish(settle: (running: Running) => void): void {
    const { running } = this;
    this.running = null;
    if (!running) return;
    running.bounds.close();
    this.worker.unref();
    settle(running);
  }

  private async serve(running: Running, request: number, wanted: Wanted): Promise<void> {
    running.bounds.pause();
    try {
      const bytes = await running.task.provide(wanted);
      if (bytes.buffer instanceof ArrayBuffer && bytes.buffer.detached)
        throw new Error('The bytes of a file were handed over twice: each read must return bytes of its own');
      const own = transferable(bytes);
      this.post({ type: 'bytes', request, bytes: own }, [own.buffer]);
    } catch (error) {
      running.fileError = error;
      this.post({ type: 'noBytes', request, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running.bounds.resume();
    }
  }

  /** While the task waits for a user, another thread may take its place. */
  private wait(isWaiting: boolean): void {
    this.awaitsAnswer = isWaiting;
    if (isWaiting) this.onFree(this);
  }

  private async answer(running: Running, request: number, ask: StepAsk): Promise<void> {
    running.bounds.pause();
    const isPrompt = ask.kind === 'prompt';
    if (isPrompt) this.wait(true);
    try {
      if (!running.task.answer) throw new Error('A task without steps asked for something');
      this.post({ type: 'answer', request, answer: await running.task.answer(ask) });
    } catch (error) {
      const isRefused = error instanceof StepRefused;
      if (!isRefused) running.fileError = error;
      const message = error instanceof Error ? error.message : String(error);
      this.post({ type: 'refusal', request, status: isRefused ? error.status : null, message });
    } finally {
      if (isPrompt) this.wait(false);
      running.bounds.resume();
    }
  }
}

function crashOf(error: unknown, code: number, memoryBytes: number): TaskStopped {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (isFull) return outOfMemory(memoryBytes, error);
  return new TaskStopped('crash', `The workbook thread ended with code ${code}`, { cause: error });
}
