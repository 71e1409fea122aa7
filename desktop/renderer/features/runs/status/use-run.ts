import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { runDetails, type ActivityRun } from '#shared/contract/runs.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { runStateQuery } from '#renderer/features/live/live-stream.ts';
import { useLiveRun } from '#renderer/features/live/use-live-stream.ts';
import { isOver, pollInterval, withState } from './run-watch.ts';

export interface WatchedRun {
  run: ActivityRun | undefined;
  error: Error | null;
  /** Why the last look at a running run failed; it is tried again. */
  watchError: Error | null;
  refetch: () => void;
}

/** A run, told of by the page's stream or looked at each second while it is pending; once it has ended it is fetched whole again. */
export function useRun(id: number): WatchedRun {
  const details = useQuery(queryOf(runDetails, { params: { id }, query: { activity: true } }));
  const needsWatch = details.data !== undefined && !isOver(details.data);
  const isTold = useLiveRun(id, needsWatch);
  const state = useQuery({
    ...runStateQuery(id),
    enabled: needsWatch,
    refetchInterval: (query) => pollInterval(query.state.data, isTold),
  });
  const { refetch } = details;
  const hasEnded = needsWatch && state.data !== undefined && isOver(state.data);
  useEffect(() => {
    if (hasEnded) void refetch();
  }, [hasEnded, refetch]);
  return {
    run: details.data && withState(details.data, state.data),
    error: details.data ? null : details.error,
    watchError: needsWatch ? state.error : null,
    refetch: () => void refetch(),
  };
}
