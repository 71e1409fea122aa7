/**
 * Determines whether the server is reachable by polling it, because a working network says nothing about the server.
 */

/**
 * - online: the server responds.
 * - unreachable: there is a network, but the server does not respond.
 * - offline: this computer has no network.
 * - updateNeeded: the server responds, but its contract version differs from this program's.
 */
export type ConnectionState = 'online' | 'unreachable' | 'offline' | 'updateNeeded';

export interface ConnectionWatch {
  state: () => ConnectionState;
  /** Called after each change; returns a function that unsubscribes. */
  onChange: (listener: (state: ConnectionState) => void) => () => void;
  /** Reports whether the server answered a call, or the call got lost. */
  noticed: (isReached: boolean) => void;
  /** Polls immediately and restarts the backoff: a user asked for it, or the computer woke up. */
  look: () => void;
  stop(): void;
}

export interface ConnectionWatchDeps {
  /** Checks the server. Never rejects; completes in bounded time. */
  probe(): Promise<ConnectionState>;
  /** Calls `work` once after the given milliseconds; returns a function that cancels this. */
  after(milliseconds: number, work: () => void): () => void;
  initial?: ConnectionState;
  /** False to poll a reachable server only after a call is lost. */
  looksWhenQuiet?: boolean;
}

/** Backoff in milliseconds between polls of an unreachable server; doubles each time. */
export const LOOK_AGAIN = { first: 1000, last: 30_000 };
/** Milliseconds without any response after which a reachable server is polled. */
export const QUIET = 30_000;

export function createConnectionWatch(deps: ConnectionWatchDeps): ConnectionWatch {
  const listeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = deps.initial ?? 'online';
  let wait = LOOK_AGAIN.first;
  let cancel = (): void => undefined;
  let isLooking = false;
  /** A poll was requested while one was in flight, whose response may be outdated. */
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
        // A server that is known to be unreachable is polled on schedule anyway.
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
