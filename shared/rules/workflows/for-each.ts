/** Computes the next actions of a ForEach step from the states of its rows. */
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { CANCELLED_WORKFLOW } from './advance.ts';
import type { ForEachStep, NotRunReason } from './types.ts';

/** Number of rows in a state. Waiting rows have not started. */
export interface RowCount {
  Status: RunStatus;
  NotRunBecause: NotRunReason | null;
  WaitsForSteps: boolean;
  /** True if they ran in the earlier workflow run that this one resumes. */
  IsKept?: boolean;
  Count: number;
}

export interface ForEachMove {
  /** Number of rows to start now. */
  release: number;
  /** Why the waiting rows will not run; null if they still may. */
  stop: string | null;
  /** Status of the whole step; null until all rows have ended. */
  end: RunStatus | null;
}

/** @param isCancelled whether a user has cancelled the whole workflow */
export function advanceForEach(
  { AtOnce, StopAfterFailures }: Pick<ForEachStep, 'AtOnce' | 'StopAfterFailures'>,
  rows: readonly RowCount[],
  isCancelled = false,
): ForEachMove {
  const count = (of: (row: RowCount) => boolean): number => rows.filter(of).reduce((sum, { Count }) => sum + Count, 0);
  const waiting = count((row) => isPending(row.Status) && row.WaitsForSteps);
  const atWork = count((row) => isPending(row.Status) && !row.WaitsForSteps);
  const hasFailed = (row: RowCount): boolean =>
    !row.NotRunBecause && !isPending(row.Status) && !hasSucceeded(row.Status);
  const failed = count(hasFailed);
  // Reused failed rows do not count, so that they do not prevent a single row from being run again manually.
  const failedNow = count((row) => hasFailed(row) && !row.IsKept);
  const isTooMany = StopAfterFailures !== null && failedNow >= StopAfterFailures;
  if (waiting > 0 && isTooMany) {
    return { release: 0, stop: `Not run: ${failedNow} ${failedNow === 1 ? 'row' : 'rows'} did not succeed`, end: null };
  }
  if (waiting > 0 && isCancelled) return { release: 0, stop: CANCELLED_WORKFLOW, end: null };
  if (waiting > 0) return { release: Math.max(0, Math.min(waiting, AtOnce - atWork)), stop: null, end: null };
  return { release: 0, stop: null, end: atWork > 0 ? null : isCancelled ? 'Cancelled' : endOf(rows, failed) };
}

function endOf(rows: readonly RowCount[], failed: number): RunStatus {
  if (failed > 0) return 'Failed';
  return rows.some(({ Status }) => Status === 'SucceededWarn') ? 'SucceededWarn' : 'Succeeded';
}
