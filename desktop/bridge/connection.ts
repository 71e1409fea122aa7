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
  poll: () => void;
  stop(): void;
}

export interface ConnectionWatchDeps {
  /** Checks the server. Never rejects; completes in bounded time. */
  probe(): Promise<ConnectionState>;
  /** Calls `work` once after the given milliseconds; returns a function that cancels this. */
  after(milliseconds: number, work: () => void): () => void;
  initial?: ConnectionState;
  /** False to poll a reachable server only after a call is lost. */
  pollsWhenQuiet?: boolean;
}

/** Backoff in milliseconds between polls of an unreachable server; doubles each time. */
export const POLL_BACKOFF = { first: 1000, last: 30_000 };
/** Milliseconds without any response after which a reachable server is polled. */
export const QUIET = 30_000;

export function createConnectionWatch(deps: ConnectionWatchDeps): ConnectionWatch {
  const listeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = deps.initial ?? 'online';
  let wait = POLL_BACKOFF.first;
  let cancel = (): void => undefined;
  let isPolling = false;
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
    if (!isOnline || deps.pollsWhenQuiet !== false) cancel = deps.after(isOnline ? QUIET : wait, () => void poll());
    wait = isOnline ? POLL_BACKOFF.first : Math.min(wait * 2, POLL_BACKOFF.last);
  };
  const poll = async (): Promise<void> => {
    if (isStopped) return;
    if (isPolling) {
      isAskedMeanwhile = true;
      return;
    }
    isPolling = true;
    isAskedMeanwhile = false;
    cancel();
    const found = await deps.probe();
    isPolling = false;
    change(found);
    if (isAskedMeanwhile) await poll();
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
        if (state === 'online') void poll();
      } else if (state !== 'updateNeeded') {
        change('online');
        if (!isPolling) plan();
      }
    },
    poll: () => {
      wait = POLL_BACKOFF.first;
      void poll();
    },
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}
