import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereChecklistVisible } from '#server/access/checklist-access.ts';
import { whereInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import { whereStatus } from '#server/db/where-status.ts';
import type { ChecklistRunLogEntriesRow } from '#server/db/tables.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { NOTABLE, stepsGoneWrong } from './notifications-repository.ts';

const MAX_NOTICE_AGE_SECONDS = 30 * 86_400;

export interface NoticeScopes extends Pick<ActivityScopes, 'run' | 'edit'> {
  editChecklist: RightScope;
}

/** The user that the notifications are for. */
export interface NoticeReader {
  userId: number;
  /** True to include runs that succeeded. */
  isOfAll: boolean;
  scopes: NoticeScopes;
}

export interface ChecklistNoticeRow {
  Id: number;
  Name: string;
  /** Null for a checklist, and for a run none of whose steps began. */
  WorkflowVersion: number | null;
  Status: RunStatus;
  EndTime: Date;
  /** Null if the run began. */
  NotStartedTime: Date | null;
}

/**
 * Selects checklist runs to notify about: scheduled runs that did not start, other runs that no step reports, and, if
 * the user wants so, scheduled runs that succeeded. All editors of the checklist learn of a run that could not start, because the person it
 * runs as may have left.
 */
function noticeRuns(db: Db, dialect: Dialect, { userId, isOfAll, scopes }: NoticeReader): Knex.QueryBuilder {
  const since = dialect.nowPlus(db, -MAX_NOTICE_AGE_SECONDS);
  const notStarted = db('ChecklistRuns as R')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .where('R.NotStartedTime', '>', since)
    .where((either) => {
      void either.where('R.UserId', userId).orWhere((refused) => {
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
    .from(
      notStarted
        .select('R.Id')
        .unionAll([
          ...(isOfAll ? [succeeded.select('R.Id')] : []),
          unreportedByStep(db, { userId, scopes }, since).select('R.Id'),
        ])
        .as('N'),
    )
    .join('ChecklistRuns as R', 'R.Id', 'N.Id')
    .join('Checklists as C', 'C.Id', 'R.ChecklistId')
    .whereNull('R.PurgeTime')
    .whereNotExists(dismissed)
    .where((visible) => whereChecklistVisible(db, visible, scopes));
}

/**
 * Selects runs that failed in a step that is not an activity run, or in an activity run that the person may no longer
 * see.
 */
function unreportedByStep(
  db: Db,
  { userId, scopes }: Pick<NoticeReader, 'userId' | 'scopes'>,
  since: Knex.Raw,
): Knex.QueryBuilder {
  const first = stepsGoneWrong(db, 'R.Id').min('E.Id');
  const reporting = db('ActivityRuns as T').join('Activities as A', 'A.Id', 'T.ActivityId').where('T.Id', first);
  whereVisible(reporting, scopes);
  return whereStatus(db('ChecklistRuns as R').where('R.UserId', userId), NOTABLE, 'R.Status')
    .where('R.QueueTime', '>', since)
    .whereNull('R.NotStartedTime')
    .whereNotExists(reporting.select(db.raw('1')))
    .where((either) => void either.whereNotExists(endedApprovals(db)).orWhereExists(failedOtherwise(db)));
}

/** Ended approvals have their own notification for the person who started the run. */
const endedApprovals = (db: Db): Knex.QueryBuilder =>
  db('Approvals as P')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['P.ChecklistRunId', 'R.Id'])
    .whereIn('P.Status', ['Rejected', 'Expired', 'NoApprovers']);

function failedOtherwise(db: Db): Knex.QueryBuilder {
  const ended = endedApprovals(db).whereRaw('?? = ??', ['P.StepKey', 'S.StepKey']);
  return db('ChecklistRunSteps as S')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['S.ChecklistRunId', 'R.Id'])
    .where('S.Status', 'Failed')
    .whereNotExists(ended);
}

/** Returns the notifications newest first. */
export async function listChecklistNotices(
  db: Db,
  dialect: Dialect,
  reader: NoticeReader,
  limit: number,
): Promise<ChecklistNoticeRow[]> {
  const columns = ['Id', 'WorkflowVersion', 'Status', 'EndTime', 'NotStartedTime'].map((column) => `R.${column}`);
  return noticeRuns(db, dialect, reader)
    .orderBy('R.Id', 'desc')
    .limit(limit)
    .select<ChecklistNoticeRow[]>(...columns, 'C.Name');
}

/** Returns the number of notifications, up to `most`. */
export async function countChecklistNotices(
  db: Db,
  dialect: Dialect,
  reader: NoticeReader,
  limit: number,
): Promise<number> {
  const some = noticeRuns(db, dialect, reader).select('R.Id').limit(limit).as('Some');
  const row = await db.from(some).count({ Count: '*' }).first<{ Count: number }>();
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

export type NoticeLine = Pick<ChecklistRunLogEntriesRow, 'ChecklistRunId' | 'Message' | 'Category'>;

/** Returns the log entries of the runs, in order. */
export async function listNoticeLines(db: Db, runIds: readonly number[]): Promise<NoticeLine[]> {
  if (runIds.length === 0) return [];
  return db('ChecklistRunLogEntries')
    .whereIn('ChecklistRunId', runIds)
    .orderBy('Id')
    .select('ChecklistRunId', 'Message', 'Category');
}

export async function dismissChecklistNotice(
  db: Db,
  dialect: Dialect,
  row: { ChecklistRunId: number; UserId: number },
): Promise<void> {
  const key = ['ChecklistRunId', 'UserId'];
  await dialect.upsert(db, { table: 'ChecklistRunDismissals', rows: [row], key, update: [] });
}
