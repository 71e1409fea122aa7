import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityRun, RunState } from '#shared/contract/runs.ts';
import { isOver, withState } from './run-watch.ts';

export interface WatchedRun {
  run: ActivityRun | undefined;
  error: Error | null;
  /** Why the last poll of a pending run failed; polling continues. */
  watchError: Error | null;
  /** False if the run has ended but its outputs have not arrived yet. */
  isResultFetched: boolean;
  /** Why the outputs have not arrived. */
  resultError: Error | null;
  refetch: () => void;
}

/** True if there is anything to watch: an ended run no longer changes. */
export const needsWatch = ({ data }: UseQueryResult<ActivityRun>): boolean => data !== undefined && !isOver(data);

/** Combines a run with its polled state. When the state says that the run has ended, the whole run is refetched. */
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
