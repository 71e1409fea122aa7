import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { whereVisible } from '#server/access/activity-scopes.ts';
import { whereChecklistVisible, type ChecklistScopes } from '#server/access/checklist-access.ts';
import { SUCCEEDED_RUNS_MAX } from '#shared/contract/notifications.ts';

/** Older ends are not reported. */
const MAX_AGE_SECONDS = 86_400;

export interface SucceededRow {
  Id: number;
  Name: string;
  QueueTime: Date;
  EndTime: Date;
  /** Only for a run of a checklist or workflow; null for a checklist. */
  WorkflowVersion?: number | null;
}

export interface SucceededSearch {
  userId: number;
  scopes: ChecklistScopes;
  since: Date;
}

/** Returns activity runs that are neither workflow steps nor child runs. */
export async function listSucceededRuns(db: Db, dialect: Dialect, search: SucceededSearch): Promise<SucceededRow[]> {
  const query = db('ActivityRuns as R')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .whereNull('R.ChecklistRunId')
    .whereNull('R.ParentRunId')
    .select('A.Name');
  whereVisible(query, search.scopes);
  return newestEnds(db, dialect, query, search);
}

export async function listSucceededWorkflowRuns(
  db: Db,
  dialect: Dialect,
  search: SucceededSearch,
): Promise<SucceededRow[]> {
  const query = db('ChecklistRuns as R')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .whereNull('R.PurgeTime')
    .where((visible) => whereChecklistVisible(db, visible, search.scopes))
    .select('C.Name', 'R.WorkflowVersion');
  return newestEnds(db, dialect, query, search);
}

function newestEnds(
  db: Db,
  dialect: Dialect,
  query: Knex.QueryBuilder,
  { userId, since }: SucceededSearch,
): Promise<SucceededRow[]> {
  return query
    .where('R.UserId', userId)
    .where('R.Status', 'Succeeded')
    .where('R.EndTime', '>', since)
    .where('R.EndTime', '>', dialect.nowPlus(db, -MAX_AGE_SECONDS))
    .orderBy('R.EndTime', 'desc')
    .limit(SUCCEEDED_RUNS_MAX)
    .select<SucceededRow[]>('R.Id', 'R.QueueTime', 'R.EndTime');
}
