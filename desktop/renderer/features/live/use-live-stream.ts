import { useEffect } from 'react';
import { useSession } from '#renderer/app/session.ts';
import { useLive, wantStream, watch, type ToldChain } from './live-stream.ts';

/** The stream of the page, for as long as somebody is signed in and looks at it: browsers keep few connections to a server. */
export function useLiveStream(): void {
  const token = useSession(({ session }) => session?.token ?? null);
  useEffect(() => {
    // A new token begins a new stream: the server ends that of the old one.
    const follow = (): void => wantStream(token !== null && document.visibilityState === 'visible');
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      wantStream(false);
    };
  }, [token]);
}

/** Watches a run while it is needed; true while the stream tells of it, and nobody has to ask. */
export function useLiveRun(id: number, isNeeded: boolean): boolean {
  useEffect(() => (isNeeded ? watch('runs', id) : undefined), [id, isNeeded]);
  return useLive(({ runs }) => runs.has(id));
}

/** Watches a run of a checklist while it is needed; undefined while nothing tells of it, so that one has to ask. */
export function useLiveChain(id: number, isNeeded: boolean): ToldChain | undefined {
  useEffect(() => (isNeeded ? watch('chains', id) : undefined), [id, isNeeded]);
  return useLive(({ chains }) => chains.get(id));
}

/** The newest version of an activity, told while it is watched; null where nothing tells of it. */
export function useLiveVersion(id: number, isNeeded: boolean): number | null {
  useEffect(() => (isNeeded ? watch('activities', id) : undefined), [id, isNeeded]);
  return useLive(({ versions }) => (isNeeded ? (versions.get(id) ?? null) : null));
}
