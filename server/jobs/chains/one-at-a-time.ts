import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does something for each id one at a time. Who asks while it is being done, or rests after it, has it done once more afterwards, however many
 * they are.
 */
export interface OneAtATime {
  /** Settles when it has been done once from now on, although it may be done on and on as others ask too. */
  ask(id: number): Promise<void>;
  /** Does nothing more from now on; settles when what is being done has ended. */
  stop(): Promise<void>;
}

interface Work {
  /** Whether somebody has asked since it was begun last. */
  again: boolean;
  /** The next time that it is done, for those who ask now. */
  next: PromiseWithResolvers<void>;
  ended: Promise<void>;
}

/** @param act answers how many milliseconds to rest after it before it is done again */
export function oneAtATime(act: (id: number) => Promise<number>): OneAtATime {
  const working = new Map<number, Work>();
  const state = { isStopping: false };

  async function repeat(id: number, work: Work): Promise<void> {
    while (work.again && !state.isStopping) {
      const round = work.next;
      work.again = false;
      work.next = Promise.withResolvers();
      try {
        const rest = await act(id);
        round.resolve();
        if (rest > 0 && !state.isStopping) await pause(rest);
      } catch (error) {
        round.reject(error);
        // Who asks from now on begins anew.
        if (work.again) work.next.reject(error);
        break;
      }
    }
    // Here and not in a callback of the promise: who asks in between would be told that it is being done.
    working.delete(id);
    work.next.resolve();
  }

  return {
    ask: (id) => {
      const current = working.get(id);
      if (current) {
        current.again = true;
        return current.next.promise;
      }
      const first = Promise.withResolvers<void>();
      const work: Work = { again: true, next: first, ended: Promise.resolve() };
      working.set(id, work);
      work.ended = repeat(id, work);
      return first.promise;
    },
    stop: async () => {
      state.isStopping = true;
      await Promise.all([...working.values()].map(({ ended }) => ended));
    },
  };
}
