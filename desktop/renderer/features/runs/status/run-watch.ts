/** Watching a run: how often to ask, and what the answers make of it. Source: specification of activities, section 4. */
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { ActivityRun, RunState } from '#shared/contract/runs.ts';

/** Milliseconds. */
export const POLL_INTERVAL = 1000;

interface Watched {
  Status: RunStatus;
  RunningChildRuns: number;
}

/** A run is over when it and the runs it started have ended. */
export const isOver = ({ Status, RunningChildRuns }: Watched): boolean => !isPending(Status) && RunningChildRuns === 0;

/** While the server tells by itself: for what it might have missed. */
export const TOLD_INTERVAL = 15_000;

/** Ask again after so many milliseconds; false once there is nothing to wait for. */
export function pollInterval(watched: Watched | undefined, isTold: boolean): number | false {
  if (watched && isOver(watched)) return false;
  return isTold ? TOLD_INTERVAL : POLL_INTERVAL;
}

/** The run as it was fetched, with what has changed since. Outputs come with the run itself, once it has ended. */
export function withState(run: ActivityRun, state: RunState | undefined): ActivityRun {
  if (!state || isOver(run)) return run;
  const { ChildStatuses: _, Outputs: __, ...changes } = state;
  return { ...run, ...changes };
}
