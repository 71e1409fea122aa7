import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { keepPrevious } from '#renderer/api/queries.ts';

/** Runs that are pending are looked at again so often, in milliseconds. */
const REFRESH_INTERVAL = 5000;

interface RunPage {
  HasMore: boolean;
  Runs: readonly { Id: number; Status: RunStatus }[];
}

interface PageCall {
  signal: AbortSignal;
  /** A page that is there already is only looked at again. */
  polls: boolean;
}

/**
 * Pages of a history of runs, the newest first.
 * @param key of the query: the call and what is searched for
 * @param load the page behind a run; null: the first one
 */
export function useRunPages<Page extends RunPage>(
  key: readonly unknown[],
  load: (prevRunId: number | null, call: PageCall) => Promise<Page>,
) {
  return useInfiniteQuery({
    ...keepPrevious,
    queryKey: key,
    queryFn: ({ pageParam, signal, client, queryKey }) => {
      const known = client.getQueryData<InfiniteData<Page>>(queryKey)?.pageParams;
      return load(pageParam, { signal, polls: known?.includes(pageParam) === true });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.HasMore ? (page.Runs.at(-1)?.Id ?? null) : null),
    refetchInterval: ({ state }) => {
      const loaded = state.data?.pages ?? [];
      // Only the first pages: further down nobody waits, and each page is a call.
      return loaded.length <= 2 && loaded.some(({ Runs }) => Runs.some(({ Status }) => isPending(Status)))
        ? REFRESH_INTERVAL
        : false;
    },
  });
}
