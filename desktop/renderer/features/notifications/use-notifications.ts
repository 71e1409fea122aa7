import { useInfiniteQuery } from '@tanstack/react-query';
import { notifications } from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf } from '#renderer/api/queries.ts';
import { useLive } from '#renderer/features/live/live-stream.ts';

const INTERVAL = 30_000;
/** Poll interval while the live stream reports ended runs. The stream does not report alerts and approvals. */
const LIVE_POLL_INTERVAL_MS = 60_000;

/** Polls the notifications while the window is visible. */
export function useNotifications() {
  const isLive = useLive(({ isOpen }) => isOpen);
  return useInfiniteQuery({
    queryKey: keyOf(notifications),
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) => call(notifications, { query: { Before: pageParam }, signal, polls: true }),
    getNextPageParam: (page) => (page.HasMore ? page.Items.at(-1)?.ActivityRunId : undefined),
    refetchInterval: isLive ? LIVE_POLL_INTERVAL_MS : INTERVAL,
    staleTime: 5_000,
  });
}
