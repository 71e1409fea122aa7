/** In which order owners share threads: those who use fewest first, then those who have waited longest since their last task. */
export interface Turns {
  /** Those that may begin now, in order. `running`: the owners of the tasks that threads have. */
  order<T>(waiting: readonly T[], ownerOf: (one: T) => string, running: readonly string[]): T[];
  /** A task of the owner begins. */
  began(owner: string): void;
}

/** @param atOnce tasks that one owner may have at the same time */
export function createTurns(atOnce: number): Turns {
  /** When each owner's last task began, as a number that grows. An owner without one goes first. */
  const last = new Map<string, number>();
  let count = 0;
  return {
    order: (waiting, ownerOf, running) => {
      const used = new Map<string, number>();
      for (const owner of running) used.set(owner, (used.get(owner) ?? 0) + 1);
      const usedBy = (owner: string): number => used.get(owner) ?? 0;
      // An owner of whom nothing waits or runs is like one who never came.
      const present = new Set([...waiting.map(ownerOf), ...running]);
      for (const owner of last.keys()) if (!present.has(owner)) last.delete(owner);
      return waiting
        .map((one) => ({ one, owner: ownerOf(one) }))
        .filter(({ owner }) => usedBy(owner) < atOnce)
        .sort((a, b) => usedBy(a.owner) - usedBy(b.owner) || (last.get(a.owner) ?? 0) - (last.get(b.owner) ?? 0))
        .map(({ one }) => one);
    },
    began: (owner) => void last.set(owner, ++count),
  };
}
