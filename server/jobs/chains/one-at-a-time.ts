import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does something for each id one at a time. Who asks while it is being done, or rests after it, has it done once more afterwards, however many
 * they are.
 */
export interface OneAtATime {
  /** Settles when it has been done, at least once from now on. */
  ask(id: number): Promise<void>;
  /** Does nothing more from now on; settles when what is being done has ended. */
  stop(): Promise<void>;
}

/** @param act answers how many milliseconds to rest after it before it is done again */
export function oneAtATime(act: (id: number) => Promise<number>): OneAtATime {
  const working = new Map<number, { again: boolean; ended: Promise<void> }>();
  const state = { isStopping: false };

  async function repeat(id: number, entry: { again: boolean }): Promise<void> {
    try {
      while (entry.again && !state.isStopping) {
        entry.again = false;
        const rest = await act(id);
        if (rest > 0 && !state.isStopping) await pause(rest);
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
