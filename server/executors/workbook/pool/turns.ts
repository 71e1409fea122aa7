/** In which order owners share threads: those who use fewest first, then those who have waited longest since their last task. */
export interface Turns {
  /** Those that may begin now, in order. `running`: the owners of the tasks that threads have. */
  order<T>(waiting: readonly T[], ownerOf: (one: T) => string, running: readonly string[]): T[];
  /** How many tasks end before a waiting one begins, if the running ones end in their order and all take equally long. */
  ahead<T>(one: T, waiting: readonly T[], ownerOf: (one: T) => string, running: readonly string[]): number;
  /** A task of the owner begins. */
  began(owner: string): void;
}

/** When each owner's last task began, as a number that grows. An owner without one goes first. */
type LastBegins = ReadonlyMap<string, number>;

/** @param atOnce tasks that one owner may have at the same time */
export function createTurns(atOnce: number): Turns {
  const last = new Map<string, number>();
  let count = 0;

  function orderBy<T>(
    begins: LastBegins,
    waiting: readonly T[],
    ownerOf: (one: T) => string,
    running: readonly string[],
  ): T[] {
    const used = new Map<string, number>();
    for (const owner of running) used.set(owner, (used.get(owner) ?? 0) + 1);
    const usedBy = (owner: string): number => used.get(owner) ?? 0;
    return waiting
      .map((one) => ({ one, owner: ownerOf(one) }))
      .filter(({ owner }) => usedBy(owner) < atOnce)
      .sort((a, b) => usedBy(a.owner) - usedBy(b.owner) || (begins.get(a.owner) ?? 0) - (begins.get(b.owner) ?? 0))
      .map(({ one }) => one);
  }

  return {
    order: (waiting, ownerOf, running) => {
      // An owner of whom nothing waits or runs is like one who never came.
      const present = new Set([...waiting.map(ownerOf), ...running]);
      for (const owner of last.keys()) if (!present.has(owner)) last.delete(owner);
      return orderBy(last, waiting, ownerOf, running);
    },
    ahead: (one, waiting, ownerOf, running) => {
      const begins = new Map(last);
      const atWork = [...running];
      let left = [...waiting];
      for (let ended = 1; ; ended += 1) {
        atWork.shift();
        const [next] = orderBy(begins, left, ownerOf, atWork);
        if (next === one) return ended;
        // All that wait are of owners with tasks at work.
        if (next === undefined) continue;
        left = left.filter((other) => other !== next);
        atWork.push(ownerOf(next));
        begins.set(ownerOf(next), count + ended);
      }
    },
    began: (owner) => void last.set(owner, ++count),
  };
}
