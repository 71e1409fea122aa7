import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { checklistStatus, type ChecklistStatus } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { RunState } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { runStateQuery, useLive } from '#renderer/features/live/live-stream.ts';
import { useLiveChain, useLiveRun } from '#renderer/features/live/use-live-stream.ts';
import { refreshChecklists } from '#renderer/features/runs/form/checklist-form-calls.ts';
import { refreshRuns } from '#renderer/features/runs/form/use-start-run.ts';
import { isOver, POLL_INTERVAL, pollInterval } from '#renderer/features/runs/status/run-watch.ts';
import { firstPendingRun } from './step-times.ts';

/** While the stream tells of the chain; it does not tell of everything at once. */
const TOLD_INTERVAL = 15_000;

export interface WatchedChain {
  data: ChecklistStatus | undefined;
  error: Error | null;
  /** Why the last look at a running chain failed; it is tried again. */
  watchError: Error | null;
  /** Of the first step that is pending, told of by itself. */
  step: { id: number; state: RunState } | null;
  refetch: () => void;
}

const isRunning = (data: ChecklistStatus | undefined): boolean =>
  data !== undefined && isPending(data.Checklist.Status);

/**
 * A run of a checklist or workflow, asked for until it has ended: whenever the page's stream tells that something has changed, or each second
 * where there is none. The first step that is pending is told of by the stream too, or asked for by itself. Source: specification of activities, section 4.
 */
export function useChecklistRun(kind: 'checklist' | 'workflow', runId: number): WatchedChain {
  const params = { kind, runId };
  const status = useQuery({
    ...queryOf(checklistStatus, { params }),
    // Only the first look at it is one that somebody takes.
    queryFn: ({ signal, client, queryKey }) =>
      call(checklistStatus, { params, signal, polls: client.getQueryData(queryKey) !== undefined }),
    refetchInterval: ({ state: { data } }) => {
      if (!isRunning(data)) return false;
      return useLive.getState().chains.has(runId) ? TOLD_INTERVAL : POLL_INTERVAL;
    },
  });
  const { data, refetch } = status;
  const first = isRunning(data) ? firstPendingRun(data?.ActivityRuns ?? []) : null;
  const state = useStepState(first);
  const ended = state !== undefined && isOver(state) ? first : null;
  useEffect(() => {
    if (ended !== null) void refetch();
  }, [ended, refetch]);
  const told = useLiveChain(runId, isRunning(data));
  const times = told?.times ?? 0;
  useEffect(() => {
    if (times > 0) void refetch();
  }, [times, refetch]);
  useRefreshAtEnd(isRunning(data));
  return {
    data,
    error: data ? null : status.error,
    watchError: isRunning(data) ? status.error : null,
    step: first !== null && state ? { id: first, state } : null,
    refetch: () => void refetch(),
  };
}

function useStepState(id: number | null): RunState | undefined {
  const isTold = useLiveRun(id ?? 0, id !== null);
  const { data } = useQuery({
    ...runStateQuery(id ?? 0),
    enabled: id !== null,
    refetchInterval: (query) => pollInterval(query.state.data, isTold),
  });
  return id === null ? undefined : data;
}

/** Lists that show the last run look again once it has ended. */
function useRefreshAtEnd(isRunningNow: boolean): void {
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunningNow) {
      refreshRuns();
      refreshChecklists();
    }
    wasRunning.current = isRunningNow;
  }, [isRunningNow]);
}
