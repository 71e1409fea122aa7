/** Rows of the page of pending runs: runs, approvals that workflows wait for, and retries that schedules will make. */
import type { PendingApproval, PendingRetry, PendingRun, pendingRuns } from '#shared/contract/runs.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';

export type PendingRow = PendingRun | PendingApproval | PendingRetry;
/** Rows that can be cancelled. */
export type CancellableRow = PendingRun | PendingApproval;

export const isApproval = (row: PendingRow): row is PendingApproval => 'WaitsFor' in row;
export const isRetry = (row: PendingRow): row is PendingRetry => 'RetryCount' in row;
export const canCancel = (row: PendingRow): row is CancellableRow => !isRetry(row) && row.CanCancel;

/** Returns runs that wait for a worker or are running, then approvals, then retries. */
export const pendingRows = ({ Items, Approvals = [], Retries = [] }: ResultOf<typeof pendingRuns>): PendingRow[] => [
  ...Items,
  ...Approvals,
  ...Retries,
];

export function pendingPath(row: PendingRow): string {
  if (isApproval(row)) return `/workflows/runstatus/${row.ChecklistRunId}/`;
  if (!isRetry(row)) return `/activities/runstatus/${row.Id}/`;
  return row.Kind === 'Activity' ? `/activities/runstatus/${row.RunId}/` : `/workflows/runstatus/${row.RunId}/`;
}

/** Returns a unique key: a run and a workflow run may have the same id. */
export const pendingKey = (row: PendingRow): string =>
  isRetry(row) ? `retry ${row.Kind} ${row.RunId}` : pendingPath(row);
