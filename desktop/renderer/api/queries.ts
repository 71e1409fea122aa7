import { keepPreviousData, QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import type { Endpoint, ResultOf } from '#shared/contract/endpoint.ts';
import { AppFailure } from './app-failure.ts';
import { call, type CallInput } from './client.ts';

/**
 * Cache of server data. Only network failures are retried: any other failure is a response. Calls are tried even if the
 * browser reports that it is offline, because TanStack Query would otherwise pause them without a message.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, error) => error instanceof AppFailure && error.status === 0 && count < 2,
      retryDelay: 1000,
      staleTime: 0,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Key of all queries of an endpoint: `queryClient.invalidateQueries({ queryKey: keyOf(listActivities) })`. */
export const keyOf = (endpoint: Endpoint): [string, string] => [endpoint.method, endpoint.path];

/** Options of useQuery for a call: `useQuery(queryOf(activityDetails, { params: { id } }))`. */
export function queryOf<E extends Endpoint>(
  endpoint: E,
  ...rest: Partial<Omit<CallInput<E>, 'signal'>> extends Omit<CallInput<E>, 'signal'>
    ? [input?: Omit<CallInput<E>, 'signal'>]
    : [input: Omit<CallInput<E>, 'signal'>]
) {
  const input = rest[0];
  return {
    queryKey: [...keyOf(endpoint), input ?? {}],
    queryFn: ({ signal }: QueryFunctionContext): Promise<ResultOf<E>> =>
      (call as (endpoint: E, input: unknown) => Promise<ResultOf<E>>)(endpoint, { ...input, signal }),
  };
}

/** For lists with a changing filter: the previous list stays visible until the new one arrives. */
export const keepPrevious = { placeholderData: keepPreviousData };

/** Number of pages that are polled at the full rate. */
const POLLED_PAGES = 2;

/**
 * Poll interval for lists that are fetched page by page. Each loaded page is one call: the more pages are loaded, the
 * less often they are polled.
 */
export const pagesInterval =
  (milliseconds: number) =>
  ({ state: { data } }: { state: { data?: { pages: readonly unknown[] } | undefined } }): number =>
    milliseconds * Math.max(1, (data?.pages.length ?? 0) / POLLED_PAGES);
