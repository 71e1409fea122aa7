import { useEffect } from 'react';
import { useSession } from '#renderer/app/session.ts';
import { useLive, wantStream, watch, watchAll, type LiveWorkflowRun } from './live-stream.ts';

/**
 * Keeps the stream open while a user is signed in and the page is visible. Browsers limit the connections per server,
 * so hidden pages close it.
 */
export function useLiveStream(): void {
  const token = useSession(({ session }) => session?.token ?? null);
  useEffect(() => {
    // A new token needs a new stream, because the server closes the stream of the old token.
    const follow = (): void => wantStream(token !== null && document.visibilityState === 'visible');
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      wantStream(false);
    };
  }, [token]);
}

/** Watches a run while it is needed. Returns true while the stream reports it, so that polling is unnecessary. */
export function useLiveRun(id: number, isNeeded: boolean): boolean {
  useEffect(() => (isNeeded ? watch('runs', id) : undefined), [id, isNeeded]);
  return useLive(({ runs }) => runs.has(id));
}

/**
 * Watches a run of a checklist while it is needed. Returns undefined while the stream does not report it, so that
 * callers must poll.
 */
export function useLiveWorkflowRun(id: number, isNeeded: boolean): LiveWorkflowRun | undefined {
  useEffect(() => (isNeeded ? watch('chains', id) : undefined), [id, isNeeded]);
  return useLive(({ workflowRuns }) => workflowRuns.get(id));
}

/** Watches all runs that the user may see. Returns a number that grows with their changes. */
export function useRunChanges(): number {
  useEffect(watchAll, []);
  return useLive(({ runChanges }) => runChanges);
}

/** Returns the newest version of an activity while it is watched; null if the stream has not reported it. */
export function useLiveVersion(id: number, isNeeded: boolean): number | null {
  useEffect(() => (isNeeded ? watch('activities', id) : undefined), [id, isNeeded]);
  return useLive(({ versions }) => (isNeeded ? (versions.get(id) ?? null) : null));
}
