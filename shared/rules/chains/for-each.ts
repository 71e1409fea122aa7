/** What follows in a For each from how its rows stand. */
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { CANCELLED_CHAIN } from './advance.ts';
import type { ForEachStep, NotRunReason } from './types.ts';

/** How many rows stand where; those that wait have not begun. */
export interface RowCount {
  Status: RunStatus;
  NotRunBecause: NotRunReason | null;
  WaitsForSteps: boolean;
  /** Whether they ran in the chain that this one goes on from. */
  IsKept?: boolean;
  Count: number;
}

export interface ForEachMove {
  /** Rows that begin now. */
  release: number;
  /** Why those that wait are not run; null where they are to come. */
  stop: string | null;
  /** Of the whole step; null while something is to come. */
  end: RunStatus | null;
}

/** @param isCancelled whether a person has cancelled the whole chain */
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
  // Where one row is run again by hand, others that are kept as failed do not keep it from running.
  const failedNow = count((row) => hasFailed(row) && !row.IsKept);
  const isTooMany = StopAfterFailures !== null && failedNow >= StopAfterFailures;
  if (waiting > 0 && isTooMany) {
    return { release: 0, stop: `Not run: ${failedNow} ${failedNow === 1 ? 'row' : 'rows'} did not succeed`, end: null };
  }
  if (waiting > 0 && isCancelled) return { release: 0, stop: CANCELLED_CHAIN, end: null };
  if (waiting > 0) return { release: Math.max(0, Math.min(waiting, AtOnce - atWork)), stop: null, end: null };
  return { release: 0, stop: null, end: atWork > 0 ? null : isCancelled ? 'Cancelled' : endOf(rows, failed) };
}

function endOf(rows: readonly RowCount[], failed: number): RunStatus {
  if (failed > 0) return 'Failed';
  return rows.some(({ Status }) => Status === 'SucceededWarn') ? 'SucceededWarn' : 'Succeeded';
}
