/** Whether the server can be worked with now: found out by looking, as a network that is there says nothing of the server behind it. */

/**
 * - online: the server answers.
 * - unreachable: there is a network, and the server does not answer through it.
 * - offline: this computer has no network.
 * - updateNeeded: the server answers, and speaks another version than this program.
 */
export type ConnectionState = 'online' | 'unreachable' | 'offline' | 'updateNeeded';

export interface ConnectionWatch {
  state: () => ConnectionState;
  /** Called after each change; returns how to stop listening. */
  onChange: (listener: (state: ConnectionState) => void) => () => void;
  /** A call was answered by the server, or was lost on its way. */
  noticed: (isReached: boolean) => void;
  /** Looks at once, and soon again: somebody asks, or the computer has slept. */
  look: () => void;
  stop(): void;
}

export interface ConnectionWatchDeps {
  /** Asks the server. Never rejects; ends in bounded time. */
  probe(): Promise<ConnectionState>;
  /** Calls once after so many milliseconds; answers how to stop that. */
  after(milliseconds: number, work: () => void): () => void;
  initial?: ConnectionState;
  /** False where a server that was last heard of is left in peace until a call is lost. */
  looksWhenQuiet?: boolean;
}

/** Milliseconds between two looks at a server that is away: doubled each time. */
export const LOOK_AGAIN = { first: 1000, last: 30_000 };
/** A server that is there is looked at when nothing was heard of it for so long. */
export const QUIET = 30_000;

export function createConnectionWatch(deps: ConnectionWatchDeps): ConnectionWatch {
  const listeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = deps.initial ?? 'online';
  let wait = LOOK_AGAIN.first;
  let cancel = (): void => undefined;
  let isLooking = false;
  /** What happened during a look may have come after its answer. */
  let isAskedMeanwhile = false;
  let isStopped = false;

  const change = (next: ConnectionState): void => {
    if (next === state || isStopped) return;
    state = next;
    for (const listener of listeners) listener(next);
  };
  const plan = (): void => {
    cancel();
    if (isStopped) return;
    const isOnline = state === 'online';
    if (!isOnline || deps.looksWhenQuiet !== false) cancel = deps.after(isOnline ? QUIET : wait, () => void look());
    wait = isOnline ? LOOK_AGAIN.first : Math.min(wait * 2, LOOK_AGAIN.last);
  };
  const look = async (): Promise<void> => {
    if (isStopped) return;
    if (isLooking) {
      isAskedMeanwhile = true;
      return;
    }
    isLooking = true;
    isAskedMeanwhile = false;
    cancel();
    const found = await deps.probe();
    isLooking = false;
    change(found);
    if (isAskedMeanwhile) await look();
    else plan();
  };
  plan();
  return {
    state: () => state,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    noticed: (isReached) => {
      if (!isReached) {
        // Of one that is known to be away the planned looks will tell.
        if (state === 'online') void look();
      } else if (state !== 'updateNeeded') {
        change('online');
        if (!isLooking) plan();
      }
    },
    look: () => {
      wait = LOOK_AGAIN.first;
      void look();
    },
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
