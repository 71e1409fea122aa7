/**
 * Does something for each id one at a time. Who asks while it is being done has it done once more afterwards, however many they are.
 */
export interface OneAtATime {
  /** Settles when it has been done, at least once from now on. */
  ask(id: number): Promise<void>;
  /** Does nothing more from now on; settles when what is being done has ended. */
  stop(): Promise<void>;
}

export function oneAtATime(act: (id: number) => Promise<void>): OneAtATime {
  const working = new Map<number, { again: boolean; ended: Promise<void> }>();
  const state = { isStopping: false };

  async function repeat(id: number, entry: { again: boolean }): Promise<void> {
    try {
      while (entry.again && !state.isStopping) {
        entry.again = false;
        await act(id);
      }
    } finally {
      // Here and not in a callback of the promise: who asks in between would be told that it is being done.
      working.delete(id);
    }
  }

  return {
    ask: (id) => {
      const current = working.get(id);
      if (current) {
        current.again = true;
        return current.ended;
      }
      const entry = { again: true, ended: Promise.resolve() };
      working.set(id, entry);
      entry.ended = repeat(id, entry);
      return entry.ended;
    },
    stop: async () => {
      state.isStopping = true;
      await Promise.allSettled([...working.values()].map(({ ended }) => ended));
    },
  };
}
