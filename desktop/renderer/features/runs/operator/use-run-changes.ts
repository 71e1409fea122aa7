import { useEffect, useRef } from 'react';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useRunChanges } from '#renderer/features/live/use-live-stream.ts';
import { isFetchingRuns, refreshDelay, RUN_LISTS } from './refresh-timing.ts';

/** Fetches everything that shows runs again, now or when it is shown next. */
export function refreshRuns(): void {
  for (const list of RUN_LISTS) void queryClient.invalidateQueries({ queryKey: keyOf(list) });
}

/** Refreshes the page while it is shown, whenever runs that the user may see have changed. */
export function useRefreshedRuns(): void {
  const changes = useRunChanges();
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (changes === 0 || timer.current !== undefined) return;
    const wait = (): void => {
      timer.current = window.setTimeout(() => {
        if (isFetchingRuns(queryClient)) return wait();
        timer.current = undefined;
        refreshRuns();
      }, refreshDelay(queryClient));
    };
    wait();
  }, [changes]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
}
