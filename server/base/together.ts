/** How to carry out several of a kind at once. */
export interface TogetherOptions<Item, Result> {
  /** Answers a result for each, in their order; where it rejects, none was carried out. */
  many: (items: readonly Item[]) => Promise<(Result | Promise<Result>)[]>;
  /** One by itself, after it could not be carried out with others. */
  alone: (item: Item) => Promise<Result>;
  /** Whether the error leaves open what was done; then nothing is tried again here. */
  isUncertain: (error: unknown) => boolean;
  /** Most items at once. */
  most: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
}

/** What takes longer keeps the next from beginning no more: it may wait for a lock, or for an answer that never comes. Milliseconds. */
const PATIENCE_MS = 25;

/**
 * Carries out what comes while one batch is under way as the next, so that the more comes the less each costs. What comes by itself begins
 * at once.
 */
export function createTogether<Item, Result>(options: TogetherOptions<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let under = 0;

  function next(): void {
    if (under > 0 || waiting.length === 0) return;
    const batch = waiting.slice(0, options.most);
    waiting = waiting.slice(options.most);
    under += 1;
    let isCounted = true;
    const leave = (): void => {
      if (isCounted) under -= 1;
      isCounted = false;
      next();
    };
    const patience = setTimeout(leave, PATIENCE_MS);
    void carryOut(options, batch).finally(() => {
      clearTimeout(patience);
      leave();
    });
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
}

/** Never rejects. One that is refused must not take the others with it. */
async function carryOut<Item, Result>(
  { many, alone, isUncertain }: TogetherOptions<Item, Result>,
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
