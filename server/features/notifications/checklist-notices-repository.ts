import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { ActivityScopes } from '#server/features/activities/activity-scopes.ts';
import { ON_ACTIVITY } from '#server/features/activities/activity-scopes.ts';
import { whereInScope, type RightScope } from '#server/features/rights/right-scope.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

const KEPT_SECONDS = 30 * 86_400;

export interface NoticeScopes extends Pick<ActivityScopes, 'run'> {
  editChecklist: RightScope;
}

/** Whom the query is for. */
export interface NoticeReader {
  userId: number;
  scopes: NoticeScopes;
}

export interface ChecklistNoticeRow {
  Id: number;
  Name: string;
  /** Null for a checklist, and where none of its steps began. */
  WorkflowVersion: number | null;
  Status: RunStatus;
  EndTime: Date;
  /** Null where it began. */
  NotStartedTime: Date | null;
}

/**
 * Runs of checklists that a schedule started and that simply succeeded, or that it did not start. Of the others one of their steps
 * tells. What it could not start is told to all who may edit the checklist: the person it runs as may have left.
 */
function noticeRuns(db: Db, dialect: Dialect, { userId, scopes }: NoticeReader): Knex.QueryBuilder {
  const since = dialect.nowPlus(db, -KEPT_SECONDS);
  const notStarted = db('ChecklistRuns as R')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .where('R.NotStartedTime', '>', since)
    .where((told) => {
      void told.where('R.UserId', userId).orWhere((refused) => {
        void refused.where('R.IsLeftOut', false);
        whereInScope(refused, scopes.editChecklist, { Schema: 'C.Schema' });
      });
    });
  const succeeded = db('ScheduledChecklistRuns as S')
    .join('ChecklistRuns as R', 'R.Id', 'S.ChecklistRunId')
    .where('S.UserId', userId)
    .where('S.SlotTime', '>', since)
    .where('R.Status', 'Succeeded');
  const dismissed = db('ChecklistRunDismissals as D')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['D.ChecklistRunId', 'R.Id'])
    .where('D.UserId', userId);
  return db
    .from(notStarted.select('R.Id').unionAll(succeeded.select('R.Id')).as('N'))
    .join('ChecklistRuns as R', 'R.Id', 'N.Id')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .whereNull('R.PurgeTime')
    .whereNotExists(dismissed)
    .where((visible) => whereSeen(db, visible, scopes));
}

/** As the list of checklists shows them: to those who may edit one, or run one of its activities. */
function whereSeen(db: Db, query: Knex.QueryBuilder, { run, editChecklist }: NoticeScopes): void {
  const runnable = db('ChecklistActivities as M')
    .join('Activities as A', 'A.Id', 'M.ActivityId')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['M.ChecklistId', 'C.Id'])
    .where('A.IsActive', true);
  whereInScope(runnable, run, ON_ACTIVITY);
  void query.where((editable) => whereInScope(editable, editChecklist, { Schema: 'C.Schema' })).orWhereExists(runnable);
}

/** Newest first. */
export async function listChecklistNotices(
  db: Db,
  dialect: Dialect,
  reader: NoticeReader,
  limit: number,
): Promise<ChecklistNoticeRow[]> {
  const columns = ['Id', 'WorkflowVersion', 'Status', 'EndTime', 'NotStartedTime'].map((column) => `R.${column}`);
  return (await noticeRuns(db, dialect, reader)
    .orderBy('R.Id', 'desc')
    .limit(limit)
    .select(...columns, 'C.Name')) as ChecklistNoticeRow[];
}

/** How many there are, up to `most`. */
export async function countChecklistNotices(
  db: Db,
  dialect: Dialect,
  reader: NoticeReader,
  most: number,
): Promise<number> {
  const some = noticeRuns(db, dialect, reader).select('R.Id').limit(most).as('Some');
  const row = (await db.from(some).count({ Count: '*' }).first()) as { Count: number };
  return row.Count;
}

export async function isChecklistNotice(
  db: Db,
  dialect: Dialect,
  reader: NoticeReader,
  runId: number,
): Promise<boolean> {
  return (await noticeRuns(db, dialect, reader).where('R.Id', runId).first('R.Id')) !== undefined;
}

/** What the logs of runs say last, by run: of one that was not started, why. */
export async function lastLines(db: Db, runIds: readonly number[]): Promise<Map<number, string>> {
  if (runIds.length === 0) return new Map();
  const rows = (await db('ChecklistRunLogEntries')
    .whereIn('ChecklistRunId', runIds)
    .orderBy('Id')
    .select('ChecklistRunId', 'Message')) as { ChecklistRunId: number; Message: string }[];
  return new Map(rows.map(({ ChecklistRunId, Message }) => [ChecklistRunId, Message]));
}

export async function dismissChecklistNotice(
  db: Db,
  dialect: Dialect,
  row: { ChecklistRunId: number; UserId: number },
): Promise<void> {
  const key = ['ChecklistRunId', 'UserId'];
  await dialect.upsert(db, { table: 'ChecklistRunDismissals', rows: [row], key, update: [] });
}
