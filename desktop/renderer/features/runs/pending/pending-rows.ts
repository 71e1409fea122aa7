/** Rows of the page of pending runs: runs of activities, and approvals that workflows wait for. */
import type { PendingApproval, PendingRun, pendingRuns } from '#shared/contract/runs.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';

export type PendingRow = PendingRun | PendingApproval;

export const isApproval = (row: PendingRow): row is PendingApproval => 'WaitsFor' in row;

/** Returns runs that wait for a worker or are running, then approvals that wait for people. */
export const pendingRows = ({ Items, Approvals = [] }: ResultOf<typeof pendingRuns>): PendingRow[] => [
  ...Items,
  ...Approvals,
];

export const pendingPath = (row: PendingRow): string =>
  isApproval(row) ? `/workflows/runstatus/${row.ChecklistRunId}/` : `/activities/runstatus/${row.Id}/`;

/** Returns a unique key: a run and a workflow run may have the same id. */
export const pendingKey = (row: PendingRow): string =>
  isApproval(row) ? `workflow ${row.ChecklistRunId}` : `activity ${row.Id}`;
