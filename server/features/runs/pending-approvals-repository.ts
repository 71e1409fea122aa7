/** Approvals that workflow runs wait for, for people who may see the runs. */
import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { whereStatus } from '#server/db/where-status.ts';
import { whereChecklistVisible, type ChecklistScopes } from '#server/access/checklist-access.ts';
import { bySchema, whereInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';

export interface PendingApprovalRow extends NameColumns {
  /** Id of the approval. */
  Id: number;
  ChecklistRunId: number;
  /** Name of the step. */
  Name: string;
  Schema: string;
  ChecklistName: string;
  /** Queue time of the run. */
  QueueTime: Date;
  UserId: number;
  ExpiryTime: Date | null;
  OnExpiry: 'Fail' | 'Approve';
}

const COLUMNS = [
  'P.Id',
  'P.ChecklistRunId',
  'P.Name',
  'C.Schema',
  'C.Name as ChecklistName',
  'R.QueueTime',
  'R.UserId',
  'P.ExpiryTime',
  'P.OnExpiry',
  'U.FirstName',
  'U.MiddleName',
  'U.LastName',
];

interface Viewer {
  userId: number;
  scopes: ChecklistScopes;
}

/** Returns the ids of all workflow runs that wait for an approval and that the viewer may cancel. */
export async function listCancellableWorkflowRuns(db: Db, viewer: Viewer, cancelAny: RightScope): Promise<number[]> {
  const query = pendingApprovals(db, viewer).where((either) => {
    void either.where('R.UserId', viewer.userId);
    void either.orWhere((others) => whereInScope(others, bySchema(cancelAny), { Schema: 'C.Schema' }));
  });
  return (await query.distinct().orderBy('P.ChecklistRunId').pluck('P.ChecklistRunId')) as number[];
}

/** Returns the newest approvals, and how many more there are, up to `counted`. */
export async function listPendingApprovals(
  db: Db,
  viewer: Viewer,
  { limit, counted }: { limit: number; counted: number },
): Promise<{ rows: PendingApprovalRow[]; more: number }> {
  const rows = await pendingApprovals(db, viewer)
    .join('Users as U', 'U.UserId', 'R.UserId')
    .orderBy('P.Id', 'desc')
    .limit(limit)
    .select<PendingApprovalRow[]>(COLUMNS);
  if (rows.length < limit) return { rows, more: 0 };
  const some = pendingApprovals(db, viewer)
    .select('P.Id')
    .limit(limit + counted);
  const [total] = await db.from(some.as('Counted')).count<{ Total: number }[]>({ Total: '*' });
  return { rows, more: total!.Total - rows.length };
}

function pendingApprovals(db: Db, { userId, scopes }: Viewer): Knex.QueryBuilder {
  const open = whereStatus(db('Approvals as P'), ['Open'], 'P.Status')
    .join('ChecklistRuns as R', 'R.Id', 'P.ChecklistRunId')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .where((either) => {
      void either.where('R.UserId', userId);
      void either.orWhere((others) => whereInScope(others, bySchema(scopes.viewRuns), { Schema: 'C.Schema' }));
    })
    .where((visible) => whereChecklistVisible(db, visible, scopes));
  return whereStatus(open, PENDING_STATUSES, 'R.Status');
}
