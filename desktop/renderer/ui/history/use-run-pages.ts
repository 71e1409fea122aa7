import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query';
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { keepPrevious } from '#renderer/api/queries.ts';

/** Poll interval for pending runs, in milliseconds. */
const REFRESH_INTERVAL = 5000;

interface RunPage {
  HasMore: boolean;
  Runs: readonly { Id: number; Status: RunStatus }[];
}

interface PageCall {
  signal: AbortSignal;
  /** True if the page is already loaded, so that the request is only a poll. */
  polls: boolean;
}

/**
 * Loads the pages of a history of runs, newest first.
 * @param key query key: the call and the search
 * @param load loads the page after a run; null for the first page
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
      // Poll only while at most two pages are loaded: nobody waits for runs further down, and each page is one call.
      return loaded.length <= 2 && loaded.some(({ Runs }) => Runs.some(({ Status }) => isPending(Status)))
        ? REFRESH_INTERVAL
        : false;
    },
  });
}
