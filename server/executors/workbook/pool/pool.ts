/** Worker threads for workbooks: tasks wait in order, and go to a thread that has their workbook in memory where one is free. */
import { PoolThread } from './thread.ts';
import type { TaskResult } from './messages.ts';
import type { ThreadOptions, ThreadTask } from './thread.ts';
import { TaskStopped } from './task-bounds.ts';
import { createThreadShare, type ThreadShare } from './thread-share.ts';
import { createTurns, type Turns } from './turns.ts';

export interface PoolOptions extends ThreadOptions {
  threads: number;
  /**
   * Whether tasks that may be long leave one thread to short ones. Where `threads` is 1 and a long task has it, a second thread starts for
   * short tasks.
   */
  keepsOneForShort?: boolean;
  /** Tasks of one owner at once; owners then take turns. Without it tasks begin in the order in which they came. */
  perOwner?: number;
}

export interface WorkbookPool {
  /** Starts a thread where there is none, so that the first task need not wait for it. */
  prepare(): void;
  /** Rejects with the signal's reason, with TaskStopped, or with what went wrong in the thread. */
  run(task: ThreadTask): Promise<TaskResult>;
  /** How many tasks end before one begins, as far as can be told now; 0 while a thread has it, null where there is none such. Of pools with `perOwner`. */
  ahead(isWanted: (task: ThreadTask) => boolean): number | null;
  /** Ends all threads; waiting and running tasks reject. */
  close(): Promise<void>;
  /** The threads that live now, for tests and metrics. */
  threads(): readonly PoolThread[];
}

/** A task may be overtaken this often by younger ones whose workbook the free thread has in memory. */
const MOST_OVERTAKEN = 4;

interface Waiting {
  task: ThreadTask;
  overtaken: number;
  start: (thread: PoolThread) => void;
  reject: (error: unknown) => void;
}

export function createWorkbookPool(options: PoolOptions): WorkbookPool {
  const queue: Waiting[] = [];
  const threads: PoolThread[] = [];
  const turns = options.perOwner === undefined ? null : createTurns(options.perOwner);
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
    // Where others took the places of threads that waited, there is one too many now.
    if (thread.isFree && queue.length === 0 && threads.length > share.most) thread.stop(new Error('not needed'));
    dispatch();
  };

  const dispatch = (): void => {
    const take = () => takeNext(queue, threads, { share, turns });
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
    ahead: (isWanted) => countAhead(isWanted, { queue, threads, turns }),
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
  { queue, threads, turns }: { queue: readonly Waiting[]; threads: readonly PoolThread[]; turns: Turns | null },
): number | null {
  if (threads.some(({ task }) => task !== null && isWanted(task))) return 0;
  const wanted = queue.find(({ task }) => isWanted(task));
  return wanted && turns ? turns.ahead(wanted, queue, ownerOf, ownersAtWork(threads)) : null;
}

/** What decides which task is next. */
interface Order {
  share: ThreadShare;
  turns: Turns | null;
}

/** Those that may begin, the next one first. */
function readyOf(
  queue: readonly Waiting[],
  threads: readonly PoolThread[],
  { share, turns }: Order,
): readonly Waiting[] {
  if (!share.mayStartLong(threads)) return queue.filter(({ task }) => task.mayBeLong !== true);
  if (!turns) return queue;
  return turns.order(queue, ownerOf, ownersAtWork(threads));
}

async function stopAll(queue: readonly Waiting[], threads: readonly PoolThread[]): Promise<void> {
  const closed = new TaskStopped('crash', 'The workbook threads were closed');
  for (const { reject } of queue) reject(closed);
  for (const thread of threads) thread.stop(closed);
  await Promise.all(threads.map(({ exited }) => exited));
}

/** Takes the next task out of the queue. */
function takeNext(queue: Waiting[], threads: readonly PoolThread[], order: Order): ReturnType<typeof choose> {
  const next = choose(readyOf(queue, threads, order), threads, order.share.limit(threads));
  if (!next) return null;
  queue.splice(queue.indexOf(next.waiting), 1);
  order.turns?.began(ownerOf(next.waiting));
  return next;
}

/** The next task and its thread (null: a new one); null where none waits, or all threads are busy. */
function choose(
  queue: readonly Waiting[],
  threads: readonly PoolThread[],
  most: number,
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
  if (free.length > 0 && oldest.overtaken < MOST_OVERTAKEN) {
    const younger = queue.slice(1, 1 + MOST_OVERTAKEN).find((waiting) => warmFor(waiting));
    // Only where there is one thread left: with more, the oldest gets another.
    if (younger && free.length === 1 && living >= most) {
      oldest.overtaken += 1;
      return { waiting: younger, thread: warmFor(younger)! };
    }
  }
  if (free.length > 0) return { waiting: oldest, thread: coldest(free) };
  return living < most ? { waiting: oldest, thread: null } : null;
}

/** The thread that loses least by another workbook. */
const coldest = (free: readonly PoolThread[]): PoolThread =>
  free.reduce((best, next) => (next.warm.size < best.warm.size ? next : best));
