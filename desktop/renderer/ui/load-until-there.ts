import type { ServerState } from '#renderer/api/new-version.ts';

/** Milliseconds before the next tries where the server answers: nothing is said of a failure that is over so soon. */
const QUIET_PAUSES: readonly number[] = [200, 1000];
/** And while the failure is shown. The last one goes on for as long as the server is away. */
const PAUSES: readonly number[] = [2000, 4000, 8000, 15_000];
/** A server that answers and still does not give the file will not give it later on either. */
const MOST_REFUSED = QUIET_PAUSES.length + PAUSES.length + 1;

export interface Loading<T> {
  load: () => Promise<T>;
  /** Of a server that has failed to give the code. */
  compare: () => Promise<ServerState>;
  /** Resolves after so many milliseconds, or sooner where another try may well succeed. */
  pause: (milliseconds: number) => Promise<void>;
  show: (state: ServerState) => void;
  isOver: () => boolean;
}

/** Tries until the code is there, with growing pauses. Null where it gives up, and where it is over. */
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
      if (state === 'upgraded' || refused >= MOST_REFUSED) return null;
      await pause(quiet ?? PAUSES[Math.min(shown, PAUSES.length - 1)]!);
      if (quiet === undefined) shown += 1;
    }
  }
  return null;
}
