import type { ServerState } from '#renderer/api/new-version.ts';

/**
 * Milliseconds before the first retries if the server responds. During these, the failure is not shown, because it may
 * be brief.
 */
const QUIET_PAUSES: readonly number[] = [200, 1000];
/**
 * Milliseconds between retries while the failure is shown. The last value repeats as long as the server is unreachable.
 */
const PAUSES: readonly number[] = [2000, 4000, 8000, 15_000];
/** Maximum number of failures while the server responds: a file that is still missing then will not appear later. */
const MAX_REFUSALS = QUIET_PAUSES.length + PAUSES.length + 1;

export interface Loading<T> {
  load: () => Promise<T>;
  /** Determines the state of a server that failed to deliver the code. */
  compare: () => Promise<ServerState>;
  /** Resolves after the given milliseconds, or earlier if a retry is likely to succeed. */
  pause: (milliseconds: number) => Promise<void>;
  show: (state: ServerState) => void;
  isOver: () => boolean;
}

/** Retries with growing pauses until the code is loaded. Returns null if it gives up or if isOver returns true. */
export async function loadUntilThere<T>({ load, compare, pause, show, isOver }: Loading<T>): Promise<T | null> {
  let refused = 0;
  let shown = 0;
  while (!isOver()) {
    try {
      return await load();
    } catch {
      const state = await compare();
      if (state === 'same') refused += 1;
      const quiet = state === 'same' && shown === 0 ? QUIET_PAUSES[refused - 1] : undefined;
      if (isOver()) return null;
      if (quiet === undefined) show(state);
      if (state === 'upgraded' || refused >= MAX_REFUSALS) return null;
      await pause(quiet ?? PAUSES[Math.min(shown, PAUSES.length - 1)]!);
      if (quiet === undefined) shown += 1;
    }
  }
  return null;
}
