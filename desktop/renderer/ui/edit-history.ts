/** Undo history of a state. */
export interface EditHistory<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /**
   * Identifies the burst of the last change: later changes of the same burst are undone with it. Null for a separate
   * change.
   */
  burst: string | null;
}

const MAX_UNDO_STEPS = 200;

export const newHistory = <T>(present: T): EditHistory<T> => ({ past: [], present, future: [], burst: null });

/** @param burst identifies text that is typed letter by letter and undone as one change; null for a separate change */
export function changed<T>(history: EditHistory<T>, next: T, burst: string | null): EditHistory<T> {
  if (next === history.present) return history;
  const isSame = burst !== null && burst === history.burst;
  const past = isSame ? history.past : [...history.past, history.present].slice(-MAX_UNDO_STEPS);
  return { past, present: next, future: [], burst };
}

export function undone<T>({ past, present, future }: EditHistory<T>): EditHistory<T> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, burst: null };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], burst: null };
}

export function redone<T>({ past, present, future }: EditHistory<T>): EditHistory<T> {
  const [next, ...rest] = future;
  if (next === undefined) return { past, present, future, burst: null };
  return { past: [...past, present], present: next, future: rest, burst: null };
}
