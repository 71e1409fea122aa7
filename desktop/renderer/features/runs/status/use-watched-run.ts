import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityRun, RunState } from '#shared/contract/runs.ts';
import { isOver, withState } from './run-watch.ts';

export interface WatchedRun {
  run: ActivityRun | undefined;
  error: Error | null;
  /** Why the last look at a running run failed; it is tried again. */
  watchError: Error | null;
  /** False where the run is known to have ended, and its outputs have not come yet. */
  isResultFetched: boolean;
  /** Why they have not. */
  resultError: Error | null;
  refetch: () => void;
}

/** Whether there is anything to look for: a run that has ended changes no more. */
export const needsWatch = ({ data }: UseQueryResult<ActivityRun>): boolean => data !== undefined && !isOver(data);

/** A run with what is known of it since; once that says it has ended it is fetched whole again. */
export function useWatchedRun(details: UseQueryResult<ActivityRun>, state: UseQueryResult<RunState>): WatchedRun {
  const { refetch } = details;
  const isWatched = needsWatch(details);
  const hasEnded = isWatched && state.data !== undefined && isOver(state.data);
  useEffect(() => {
    if (hasEnded) void refetch();
  }, [hasEnded, refetch]);
  return {
    run: details.data && withState(details.data, state.data),
    error: details.data ? null : details.error,
    watchError: isWatched ? state.error : null,
    isResultFetched: !hasEnded,
    resultError: hasEnded ? details.error : null,
    refetch: () => void refetch(),
  };
}
