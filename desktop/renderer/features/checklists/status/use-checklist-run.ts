import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { checklistStatus, type ChecklistStatus } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { RunState } from '#shared/contract/runs.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { runStateQuery, useLive } from '#renderer/features/live/live-stream.ts';
import { useLiveWorkflowRun, useLiveRun } from '#renderer/features/live/use-live-stream.ts';
import { refreshChecklists } from '#renderer/features/run-form/checklist-form-calls.ts';
import { refreshRuns } from '#renderer/features/run-form/start/use-start-run.ts';
import { isOver, POLL_INTERVAL, pollInterval } from '#renderer/features/runs/status/run-watch.ts';
import { firstPendingRun } from './step-times.ts';

/**
 * Poll interval while the live stream reports changes of the run. The stream does not report every change immediately.
 */
const LIVE_POLL_INTERVAL_MS = 15_000;

export interface WatchedWorkflowRun {
  data: ChecklistStatus | undefined;
  error: Error | null;
  /** Why the last poll of a running workflow failed; polling continues. */
  watchError: Error | null;
  /** State of the first pending step, which is queried separately. */
  step: { id: number; state: RunState } | null;
  refetch: () => void;
}

const isRunning = (data: ChecklistStatus | undefined): boolean =>
  data !== undefined && isPending(data.Checklist.Status);

/**
 * Queries a run of a checklist or workflow until it has ended: whenever the live stream reports a change, or every
 * second without a stream. The state of the first pending step comes from the stream or a separate query. Source:
 * specification of activities, section 4.
 */
export function useChecklistRun(kind: 'checklist' | 'workflow', runId: number): WatchedWorkflowRun {
  const params = { kind, runId };
  const status = useQuery({
    ...queryOf(checklistStatus, { params }),
    // Only the first request counts as user activity; all others are polls.
    queryFn: ({ signal, client, queryKey }) =>
      call(checklistStatus, { params, signal, polls: client.getQueryData(queryKey) !== undefined }),
    refetchInterval: ({ state: { data } }) => {
      if (!isRunning(data)) return false;
      return useLive.getState().workflowRuns.has(runId) ? LIVE_POLL_INTERVAL_MS : POLL_INTERVAL;
    },
  });
  const { data, refetch } = status;
  const first = isRunning(data) ? firstPendingRun(data?.ActivityRuns ?? []) : null;
  const state = useStepState(first);
  const ended = state !== undefined && isOver(state) ? first : null;
  useEffect(() => {
    if (ended !== null) void refetch();
  }, [ended, refetch]);
  const live = useLiveWorkflowRun(runId, isRunning(data));
  const times = live?.times ?? 0;
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
  const isLive = useLiveRun(id ?? 0, id !== null);
  const { data } = useQuery({
    ...runStateQuery(id ?? 0),
    enabled: id !== null,
    refetchInterval: (query) => pollInterval(query.state.data, isLive),
  });
  return id === null ? undefined : data;
}

/** Refreshes lists that show the last run after it has ended. */
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
