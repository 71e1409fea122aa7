import { QueryClient, QueryObserver, type QueryKey } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { groupFailures } from '#shared/contract/run-failures.ts';
import { runHistory } from '#shared/contract/run-history.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { isFetchingRuns, refreshDelay } from './refresh-timing.ts';

// The API client needs a window.
vi.mock('#renderer/api/client.ts', () => ({ call: vi.fn() }));

const client = new QueryClient();
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  client.clear();
});

function shown(queryKey: QueryKey, data: object | undefined): void {
  if (data) client.setQueryData(queryKey, data);
  const never = new Promise<never>(() => {});
  const observer = new QueryObserver(client, { queryKey, queryFn: () => never, staleTime: Infinity });
  stops.push(observer.subscribe(() => {}));
}

const pages = (count: number) => ({ pages: Array.from({ length: count }, () => ({})), pageParams: [] });

test('a history of many pages is fetched again less often', () => {
  expect(refreshDelay(client)).toBe(3_000);
  shown([...keyOf(runHistory), {}], pages(2));
  expect(refreshDelay(client)).toBe(3_000);
  shown([...keyOf(runHistory), { Mine: true }], pages(20));
  expect(refreshDelay(client)).toBe(30_000);
});

test('a list that is still being fetched is not fetched again', () => {
  shown([...keyOf(runHistory), {}], pages(1));
  expect(isFetchingRuns(client)).toBe(false);
  shown([...keyOf(groupFailures), {}], undefined);
  expect(isFetchingRuns(client)).toBe(true);
});
