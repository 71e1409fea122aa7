/**
 * A pool of worker threads for workbooks. Tasks wait in order, and prefer a free thread that has their workbook in
 * memory.
 */
import { PoolThread } from './thread.ts';
import type { TaskResult } from './messages.ts';
import type { ThreadOptions, ThreadTask } from './thread.ts';
import { TaskStopped } from './task-bounds.ts';
import { createThreadShare, type ThreadShare } from './thread-share.ts';
import { createFairOrder, type FairOrder } from './fair-order.ts';

export interface PoolOptions extends ThreadOptions {
  threads: number;
  /**
   * True if tasks that may be long always leave one thread to short ones. If `threads` is 1 and a long task occupies
   * it, a second thread starts for short tasks.
   */
  keepsOneForShort?: boolean;
  /**
   * Maximum number of concurrent tasks per owner; the queue is then fair across owners. If absent, tasks run in arrival
   * order.
   */
  perOwner?: number;
}

export interface WorkbookPool {
  /** Starts a thread if there is none, so that the first task does not wait for it. */
  prepare(): void;
  /** Rejects with the signal's reason, with TaskStopped, or with the error of the thread. */
  run(task: ThreadTask): Promise<TaskResult>;
  /**
   * Estimates how many tasks end before the wanted one starts; 0 if a thread runs it, null if there is no such task.
   * Only for pools with `perOwner`.
   */
  ahead(isWanted: (task: ThreadTask) => boolean): number | null;
  /** Ends all threads; waiting and running tasks reject. */
  close(): Promise<void>;
  /** The threads that exist now, for tests and metrics. */
  threads(): readonly PoolThread[];
}

/**
 * Maximum number of times that younger tasks may overtake a task because the free thread has their workbook in memory.
 */
const MAX_TIMES_OVERTAKEN = 4;

interface Waiting {
  task: ThreadTask;
  overtaken: number;
  start: (thread: PoolThread) => void;
  reject: (error: unknown) => void;
}

export function createWorkbookPool(options: PoolOptions): WorkbookPool {
  const queue: Waiting[] = [];
  const threads: PoolThread[] = [];
  const fairOrder = options.perOwner === undefined ? null : createFairOrder(options.perOwner);
  const share = createThreadShare(options);
  let isClosed = false;

  const startThread = (isAhead = false): PoolThread => {
    const thread = new PoolThread(options, onFree, isAhead);
    threads.push(thread);
    return thread;
  };

  const onFree = (thread: PoolThread): void => {
    const index = threads.indexOf(thread);
    if (!thread.isAlive && index >= 0) threads.splice(index, 1);
    // If others replaced threads that waited for a user, there is now one thread too many. A stopped thread stays in the
    // list until it has exited.
    const living = threads.filter(({ isAlive }) => isAlive).length;
    if (thread.isFree && queue.length === 0 && living > share.maxThreads) thread.stop(new Error('not needed'));
    dispatch();
  };

  const dispatch = (): void => {
    const take = () => takeNext(queue, threads, { share, fairOrder });
    for (let next = take(); next; next = take()) next.waiting.start(next.thread ?? startThread());
  };

  return {
    threads: () => threads,
    prepare() {
      if (!isClosed && threads.length === 0) startThread(true);
    },
    run(task) {
      if (isClosed) return Promise.reject(new TaskStopped('crash', 'The workbook threads are closed'));
      if (task.signal.aborted) return Promise.reject(task.signal.reason as Error);
      const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
      const onAbort = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(task.signal.reason);
      };
      const waiting: Waiting = {
        task,
        overtaken: 0,
        reject,
        start(thread) {
          task.signal.removeEventListener('abort', onAbort);
          const ended = thread.run(task).finally(share.watch(task, dispatch));
          ended.then(resolve, (error: unknown) => {
            reject(error);
            // A thread that was ended makes room for a new one.
            if (!thread.isAlive) onFree(thread);
          });
        },
      };
      task.signal.addEventListener('abort', onAbort, { once: true });
      queue.push(waiting);
      dispatch();
      return promise;
    },
    ahead: (isWanted) => countAhead(isWanted, { queue, threads, fairOrder }),
    async close() {
      isClosed = true;
      await stopAll(queue.splice(0), [...threads]);
    },
  };
}

const ownerOf = ({ task }: Pick<Waiting, 'task'>): string => task.owner ?? '';

const ownersAtWork = (threads: readonly PoolThread[]): string[] =>
  threads.flatMap(({ task }) => (task === null ? [] : ownerOf({ task })));

function countAhead(
  isWanted: (task: ThreadTask) => boolean,
  {
    queue,
    threads,
    fairOrder,
  }: { queue: readonly Waiting[]; threads: readonly PoolThread[]; fairOrder: FairOrder | null },
): number | null {
  if (threads.some(({ task }) => task !== null && isWanted(task))) return 0;
  const wanted = queue.find(({ task }) => isWanted(task));
  return wanted && fairOrder ? fairOrder.ahead(wanted, queue, ownerOf, ownersAtWork(threads)) : null;
}

/** Decides which task is next. */
interface Order {
  share: ThreadShare;
  fairOrder: FairOrder | null;
}

/** Returns the tasks that may start, the next one first. */
function readyOf(
  queue: readonly Waiting[],
  threads: readonly PoolThread[],
  { share, fairOrder }: Order,
): readonly Waiting[] {
  if (!share.mayStartLong(threads)) return queue.filter(({ task }) => task.mayBeLong !== true);
  if (!fairOrder) return queue;
  return fairOrder.order(queue, ownerOf, ownersAtWork(threads));
}

async function stopAll(queue: readonly Waiting[], threads: readonly PoolThread[]): Promise<void> {
  const closed = new TaskStopped('crash', 'The workbook threads were closed');
  for (const { reject } of queue) reject(closed);
  for (const thread of threads) thread.stop(closed);
  await Promise.all(threads.map(({ exited }) => exited));
}

/** Removes the next task from the queue. */
function takeNext(queue: Waiting[], threads: readonly PoolThread[], order: Order): ReturnType<typeof choose> {
  const next = choose(readyOf(queue, threads, order), threads, order.share.limit(threads));
  if (!next) return null;
  queue.splice(queue.indexOf(next.waiting), 1);
  order.fairOrder?.began(ownerOf(next.waiting));
  return next;
}

/** Returns the next task and its thread (null: a new one); null if no task waits or all threads are busy. */
function choose(
  queue: readonly Waiting[],
  threads: readonly PoolThread[],
  maxThreads: number,
): { waiting: Waiting; thread: PoolThread | null } | null {
  const free = threads.filter(({ isFree }) => isFree);
  const living = threads.filter(({ isAlive, isWaiting }) => isAlive && !isWaiting).length;
  const [oldest] = queue;
  if (!oldest) return null;
  const freeWith = (key: string | null | undefined): PoolThread | undefined =>
    key == null ? undefined : free.find(({ warm }) => warm.has(key));
  const warmFor = ({ task }: Waiting): PoolThread | undefined => freeWith(task.formKey) ?? freeWith(task.versionKey);

  const own = warmFor(oldest);
  if (own) return { waiting: oldest, thread: own };
  if (free.length > 0 && oldest.overtaken < MAX_TIMES_OVERTAKEN) {
    const younger = queue.slice(1, 1 + MAX_TIMES_OVERTAKEN).find((waiting) => warmFor(waiting));
    // Overtaking is only useful if one thread is left: with more, the oldest task gets another thread.
    if (younger && free.length === 1 && living >= maxThreads) {
      oldest.overtaken += 1;
      return { waiting: younger, thread: warmFor(younger)! };
    }
  }
  if (free.length > 0) return { waiting: oldest, thread: coldest(free) };
  return living < maxThreads ? { waiting: oldest, thread: null } : null;
}

/** Returns the thread that loses least by loading another workbook. */
const coldest = (free: readonly PoolThread[]): PoolThread =>
  free.reduce((best, next) => (next.warm.size < best.warm.size ? next : best));
