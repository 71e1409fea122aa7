/** Tests calls while the browser reports that it is offline. */
import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteDesign, designs } from '#shared/contract/designs.ts';

const UNREACHABLE = 'Network error: The server cannot be reached. Please try again.';

const fetchNothing = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));

beforeEach(() => {
  vi.resetModules();
  fetchNothing.mockClear();
  vi.stubGlobal('fetch', fetchNothing);
  const connection = { noticed: () => undefined, isReadable: () => false };
  vi.stubGlobal('window', { runsheet: { addressOf: (path: string) => `http://host/${path}`, connection } });
  onlineManager.setOnline(false);
});
afterEach(() => {
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('a change is tried immediately and fails with a message, so that its button does not stay busy', async () => {
  const { queryClient } = await import('./queries.ts');
  const { call } = await import('./client.ts');
  const deletion = new MutationObserver(queryClient, {
    mutationFn: (id: number) => call(deleteDesign, { params: { id } }),
  });
  const failure = expect(deletion.mutate(7)).rejects.toThrow(UNREACHABLE);
  expect(deletion.getCurrentResult()).toMatchObject({ isPending: true, isPaused: false });
  await failure;
  expect(deletion.getCurrentResult()).toMatchObject({ isPending: false, isPaused: false });
  expect(fetchNothing).toHaveBeenCalledTimes(1);
  queryClient.clear();
});

test('data is fetched immediately too, because the server may be on this computer', async () => {
  const { queryClient, queryOf } = await import('./queries.ts');
  const list = new QueryObserver(queryClient, { ...queryOf(designs), retry: false });
  const stop = list.subscribe(() => undefined);
  expect(list.getCurrentResult().fetchStatus).toBe('fetching');
  await expect.poll(() => list.getCurrentResult().error?.message).toBe(UNREACHABLE);
  stop();
  queryClient.clear();
});

test('a list of many pages is polled less often, because each page is one call', async () => {
  const { pagesInterval } = await import('./queries.ts');
  const interval = (length: number): number =>
    pagesInterval(3000)({ state: { data: { pages: Array.from({ length }) } } });
  expect(pagesInterval(3000)({ state: { data: undefined } })).toBe(3000);
  expect([interval(1), interval(2), interval(50)]).toEqual([3000, 3000, 75_000]);
});
