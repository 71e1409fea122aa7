/** Watches a run: how often to poll, and how to apply the responses. Source: specification of activities, section 4. */
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import type { ActivityRun, RunState } from '#shared/contract/runs.ts';

/** In milliseconds. */
export const POLL_INTERVAL = 1000;

interface Watched {
  Status: RunStatus;
  RunningChildRuns: number;
}

/** A run is over when it and its child runs have ended. */
export const isOver = ({ Status, RunningChildRuns }: Watched): boolean => !isPending(Status) && RunningChildRuns === 0;

/** Poll interval in milliseconds while the live stream reports the run, in case an event was missed. */
const LIVE_POLL_INTERVAL_MS = 15_000;

/** Returns the poll interval in milliseconds; false after there is nothing left to wait for. */
export function pollInterval(watched: Watched | undefined, isLive: boolean): number | false {
  if (watched && isOver(watched)) return false;
  return isLive ? LIVE_POLL_INTERVAL_MS : POLL_INTERVAL;
}

/** Returns the fetched run with the changes since. Outputs are fetched with the run itself after it has ended. */
export function withState(run: ActivityRun, state: RunState | undefined): ActivityRun {
  if (!state || isOver(run)) return run;
  const { ChildStatuses: _, Outputs: __, ...changes } = state;
  return { ...run, ...changes };
}
