/** Rows of the pending runs: runs of activities, and approvals that workflows wait for. */
import type { PendingApproval, PendingRun, pendingRuns } from '#shared/contract/runs.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';

export type PendingRow = PendingRun | PendingApproval;

export const isApproval = (row: PendingRow): row is PendingApproval => 'WaitsFor' in row;

/** What waits for a worker or runs, then what waits for people. */
export const pendingRows = ({ Items, Approvals = [] }: ResultOf<typeof pendingRuns>): PendingRow[] => [
  ...Items,
  ...Approvals,
];

export const pendingPath = (row: PendingRow): string =>
  isApproval(row) ? `/workflows/runstatus/${row.ChecklistRunId}/` : `/activities/runstatus/${row.Id}/`;

/** Tells rows apart: a run and a run of a workflow may have the same number. */
export const pendingKey = (row: PendingRow): string =>
  isApproval(row) ? `workflow ${row.ChecklistRunId}` : `activity ${row.Id}`;
