/** How to process several items of one kind in a batch. */
export interface BatcherOptions<Item, Result> {
  /** Returns a result for each item, in order; if it rejects, no item was processed. */
  many: (items: readonly Item[]) => Promise<(Result | Promise<Result>)[]>;
  /** Processes a single item, after the batch with it failed. */
  alone: (item: Item) => Promise<Result>;
  /** Returns true if the error leaves open what was done; then nothing is retried here. */
  isUncertain: (error: unknown) => boolean;
  /** Maximum number of items in a batch. */
  maxBatchSize: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

/**
 * After this many milliseconds, a slow batch no longer blocks the next one: it may wait for a lock, or for a response
 * that never comes.
 */
const BLOCKING_TIMEOUT_MS = 25;

/**
 * Batcher: items that arrive while a batch is in progress form the next batch, so the cost per item falls as load
 * rises. A lone item runs immediately.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let under = 0;

  function next(): void {
    if (under > 0 || waiting.length === 0) return;
    const batch = waiting.slice(0, options.maxBatchSize);
    waiting = waiting.slice(options.maxBatchSize);
    under += 1;
    let isCounted = true;
    const leave = (): void => {
      if (isCounted) under -= 1;
      isCounted = false;
      next();
    };
    const blockingTimer = setTimeout(leave, BLOCKING_TIMEOUT_MS);
    void executeBatch(options, batch).finally(() => {
      clearTimeout(blockingTimer);
      leave();
    });
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
}

/** Never rejects. An item that fails must not fail the others. */
async function executeBatch<Item, Result>(
  { many, alone, isUncertain }: BatcherOptions<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await many(batch.map(({ item }) => item));
    batch.forEach(({ resolve }, index) => resolve(results[index]!));
  } catch (error) {
    const isFinal = batch.length === 1 || isUncertain(error);
    for (const { item, resolve, reject } of batch) {
      if (isFinal) reject(error);
      else void alone(item).then(resolve, reject);
    }
  }
}
