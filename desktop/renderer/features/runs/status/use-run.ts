import { useQuery } from '@tanstack/react-query';
import { runDetails } from '#shared/contract/runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { runStateQuery } from '#renderer/features/live/live-stream.ts';
import { useLiveRun } from '#renderer/features/live/use-live-stream.ts';
import { pollInterval } from './run-watch.ts';
import { needsWatch, useWatchedRun, type WatchedRun } from './use-watched-run.ts';

/** Watches a run through the live stream, or polls it every second while it is pending. */
export function useRun(id: number): WatchedRun {
  const details = useQuery(queryOf(runDetails, { params: { id }, query: { activity: true } }));
  const enabled = needsWatch(details);
  const isLive = useLiveRun(id, enabled);
  const state = useQuery({
    ...runStateQuery(id),
    enabled,
    refetchInterval: (query) => pollInterval(query.state.data, isLive),
  });
  return useWatchedRun(details, state);
}
