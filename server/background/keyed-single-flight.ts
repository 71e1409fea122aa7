import { setTimeout as pause } from 'node:timers/promises';

/**
 * Keyed single-flight: never runs two calls for the same id at once. Requests made during a call, or during the pause
 * after it, share one more call afterwards.
 */
export interface KeyedSingleFlight {
  /**
   * Resolves after one complete call that begins from now on, even if further requests follow. Also resolves if stop()
   * prevents that call.
   */
  request(id: number): Promise<void>;
  /** Starts no further calls; resolves when the current calls have ended. */
  stop(): Promise<void>;
}

interface Work {
  /** True if a request came in since the last call began. */
  isRequested: boolean;
  /** The next call, which requests made now wait for. */
  next: PromiseWithResolvers<void>;
  ended: Promise<void>;
}

/** @param act returns how many milliseconds to pause before the next call for the same id */
export function createKeyedSingleFlight(act: (id: number) => Promise<number>): KeyedSingleFlight {
  const working = new Map<number, Work>();
  const state = { isStopping: false };

  async function repeat(id: number, work: Work): Promise<void> {
    while (work.isRequested && !state.isStopping) {
      const round = work.next;
      work.isRequested = false;
      work.next = Promise.withResolvers();
      try {
        const pauseMs = await act(id);
        round.resolve();
        if (pauseMs > 0 && !state.isStopping) await pause(pauseMs);
      } catch (error) {
        round.reject(error);
        // Requests made during the failed call fail with it. Later requests start over.
        if (work.isRequested) work.next.reject(error);
        break;
      }
    }
    // Delete here, not in a callback of the promise: a request in between would join a loop that has already ended.
    working.delete(id);
    work.next.resolve();
  }

  return {
    request: (id) => {
      const current = working.get(id);
      if (current) {
        current.isRequested = true;
        return current.next.promise;
      }
      const first = Promise.withResolvers<void>();
      const work: Work = { isRequested: true, next: first, ended: Promise.resolve() };
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
