/** Says when the lists of the page Runs may be fetched again. Without React, so that it can be tested. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { groupFailures } from '#shared/contract/run-failures.ts';
import { runHistory } from '#shared/contract/run-history.ts';
import { runTimeline } from '#shared/contract/run-timeline.ts';
import { pendingRuns } from '#shared/contract/runs.ts';
import { keyOf, pagesInterval } from '#renderer/api/queries.ts';

export const RUN_LISTS = [runHistory, groupFailures, runTimeline, pendingRuns];
/** Minimum interval between refreshes: on a busy portal runs change all the time. */
const REFRESH_INTERVAL_MS = 3_000;

/** Returns how long to wait before a refresh, in milliseconds. Each loaded page of the history is one call. */
export function refreshDelay(client: QueryClient): number {
  const histories = client.getQueriesData<InfiniteData<unknown>>({ queryKey: keyOf(runHistory), type: 'active' });
  const delays = histories.map(([, data]) => pagesInterval(REFRESH_INTERVAL_MS)({ state: { data } }));
  return Math.max(REFRESH_INTERVAL_MS, ...delays);
}

/** Returns whether a list is being fetched. A refresh would begin it again, so a slow one would never arrive. */
export const isFetchingRuns = (client: QueryClient): boolean =>
  RUN_LISTS.some((list) => client.isFetching({ queryKey: keyOf(list), type: 'active' }) > 0);
