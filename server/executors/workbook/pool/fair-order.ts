/**
 * Fair order in which owners share threads: those who use the fewest threads first, then those whose last task started
 * longest ago.
 */
export interface FairOrder {
  /** Returns the tasks that may start now, in order. `running` lists the owners of the tasks on threads. */
  order<T>(waiting: readonly T[], ownerOf: (one: T) => string, running: readonly string[]): T[];
  /**
   * Estimates how many tasks end before a waiting one starts, if running tasks end in order and all take equally long.
   */
  ahead<T>(one: T, waiting: readonly T[], ownerOf: (one: T) => string, running: readonly string[]): number;
  /** Records that a task of the owner starts. */
  began(owner: string): void;
}

/** Start of each owner's last task, as an increasing number. Owners without an entry go first. */
type LastStarts = ReadonlyMap<string, number>;

/** @param maxConcurrent maximum number of concurrent tasks per owner */
export function createFairOrder(maxConcurrent: number): FairOrder {
  const last = new Map<string, number>();
  let count = 0;

  function orderBy<T>(
    lastStarts: LastStarts,
    waiting: readonly T[],
    ownerOf: (one: T) => string,
    running: readonly string[],
  ): T[] {
    const used = new Map<string, number>();
    for (const owner of running) used.set(owner, (used.get(owner) ?? 0) + 1);
    const usedBy = (owner: string): number => used.get(owner) ?? 0;
    return waiting
      .map((one) => ({ one, owner: ownerOf(one) }))
      .filter(({ owner }) => usedBy(owner) < maxConcurrent)
      .sort(
        (a, b) => usedBy(a.owner) - usedBy(b.owner) || (lastStarts.get(a.owner) ?? 0) - (lastStarts.get(b.owner) ?? 0),
      )
      .map(({ one }) => one);
  }

  return {
    order: (waiting, ownerOf, running) => {
      // Forget owners that have no waiting or running task.
      const present = new Set([...waiting.map(ownerOf), ...running]);
      for (const owner of last.keys()) if (!present.has(owner)) last.delete(owner);
      return orderBy(last, waiting, ownerOf, running);
    },
    ahead: (one, waiting, ownerOf, running) => {
      const lastStarts = new Map(last);
      const atWork = [...running];
      let left = [...waiting];
      for (let ended = 1; ; ended += 1) {
        atWork.shift();
        const [next] = orderBy(lastStarts, left, ownerOf, atWork);
        if (next === one) return ended;
        // All waiting tasks belong to owners that already use as many threads as they may. Let the next running task
        // end first.
        if (next === undefined) continue;
        left = left.filter((other) => other !== next);
        atWork.push(ownerOf(next));
        lastStarts.set(ownerOf(next), count + ended);
      }
    },
    began: (owner) => void last.set(owner, ++count),
  };
}
