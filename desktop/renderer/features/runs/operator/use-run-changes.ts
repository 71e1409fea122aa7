import { useEffect, useRef } from 'react';
import { groupFailures } from '#shared/contract/run-failures.ts';
import { runHistory } from '#shared/contract/run-history.ts';
import { runTimeline } from '#shared/contract/run-timeline.ts';
import { pendingRuns } from '#shared/contract/runs.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useRunChanges } from '#renderer/features/live/use-live-stream.ts';

const LISTS = [runHistory, groupFailures, runTimeline, pendingRuns];
/** Minimum interval between refreshes: on a busy portal runs change all the time. */
const REFRESH_INTERVAL_MS = 3_000;

/** Fetches everything that shows runs again, now or when it is shown next. */
export function refreshRuns(): void {
  for (const list of LISTS) void queryClient.invalidateQueries({ queryKey: keyOf(list) });
}

/** Refreshes the page while it is shown, whenever runs that the user may see have changed. */
export function useRefreshedRuns(): void {
  const changes = useRunChanges();
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (changes === 0 || timer.current !== undefined) return;
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      refreshRuns();
    }, REFRESH_INTERVAL_MS);
  }, [changes]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
}
