import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { RunLogEntriesRow } from '#server/db/tables.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereInScope } from '#server/access/rights/right-scope.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

/**
 * Must equal the condition of the index IX_ActivityRuns_Notable: a database uses the index only for queries with
 * exactly these statuses.
 */
export const NOTABLE: RunStatus[] = [
  'SucceededWarn',
  'Failed',
  'Cancelled',
  'LogicError',
  'InternalError',
  'Abandoned',
  'NotLicensed',
];

export const MAX_NOTICE_AGE_SECONDS = 30 * 86_400;

export interface NotableRun {
  Id: number;
  Name: string;
  /** Name of the checklist or workflow that the run is a step of. */
  ChecklistName: string | null;
  Status: RunStatus;
  EndTime: Date;
  /** The run's own id if its notification has been read. */
  ReadRunId: number | null;
}

export type NotableEntry = Pick<RunLogEntriesRow, 'Id' | 'ActivityRunId' | 'Message' | 'StatusCode' | 'Category'>;

/** Columns that each of the queries selects. */
const COLUMNS = ['R.Id', 'A.Name', 'C.Name as ChecklistName', 'R.Status', 'R.EndTime', 'NR.ActivityRunId as ReadRunId'];

interface Wanted {
  /** Restricts the runs. NotificationReads has the alias NR, and `id` is the column of the run's id. */
  where?: (query: Knex.QueryBuilder, id: string) => void;
  limit: number;
}

/**
 * Selects a user's runs to notify about that were not dismissed, newest first: runs that did not plainly succeed. Runs
 * older than a month are excluded. Each source is a bounded scan of an index: the database
 * would otherwise read all such runs of the user for one page.
 */
function notableRuns(
  db: Db,
  dialect: Dialect,
  { scopes, userId }: { scopes: ActivityScopes; userId: number },
  { where, limit }: Wanted,
) {
  const parts = sources(db, scopes, userId).map(({ query, id }) => {
    whereNotified(db, query, scopes);
    void query.where('R.QueueTime', '>', dialect.nowPlus(db, -MAX_NOTICE_AGE_SECONDS));
    where?.(query, id);
    const newest = query.orderBy(id, 'desc').limit(limit).select(COLUMNS);
    return db.from(newest.as('S')).select('*');
  });
  const [first, ...others] = parts;
  return db.from(first!.unionAll(others).as('N')).select<NotableRun[]>('*').orderBy('Id', 'desc').limit(limit);
}

interface Source {
  /** A query of ActivityRuns as R and Activities as A. */
  query: Knex.QueryBuilder;
  /** The column of the run's id in the index that the query scans. */
  id: string;
}

function sources(db: Db, scopes: ActivityScopes, userId: number): Source[] {
  // Uses a range and an order by both columns: with `=`, PostgreSQL may scan the runs of all users from the newest on.
  const own = (query: Knex.QueryBuilder, column: string): Knex.QueryBuilder =>
    query
      .join('Activities as A', 'A.Id', 'R.ActivityId')
      .whereBetween(column, [userId, userId])
      .orderBy(column, 'desc');
  const ended = whereStatus(own(db('ActivityRuns as R'), 'R.UserId'), NOTABLE, 'R.Status');
  return [
    { query: ended, id: 'R.Id' },
    { query: refusedForOthers(db, scopes, userId), id: 'R.Id' },
    { query: pausedTriggers(db, scopes, userId), id: 'R.Id' },
  ];
}

function whereNotified(db: Db, query: Knex.QueryBuilder, scopes: ActivityScopes): void {
  void query
    .leftJoin('ChecklistRuns as CR', 'CR.Id', 'R.ChecklistRunId')
    .leftJoin('Checklists as C', 'C.Id', 'CR.ChecklistId')
    .leftJoin('NotificationDismissals as D', 'D.ActivityRunId', 'R.Id')
    .leftJoin('NotificationReads as NR', 'NR.ActivityRunId', 'R.Id')
    .whereNull('D.ActivityRunId')
    .where((either) => void either.whereNull('R.ChecklistRunId').orWhere((step) => whereReportsWorkflowRun(db, step)))
    .where((either) => void either.whereNull('R.ParentRunId').orWhere((child) => whereReportsParent(db, child)));
  whereVisible(query, scopes);
}

/**
 * Selects runs that a schedule could not start because the person it runs as has left or lost a right. Other editors
 * are notified as long as the schedule is paused.
 */
function refusedForOthers(db: Db, { edit }: ActivityScopes, userId: number): Knex.QueryBuilder {
  const query = db('Timetables as T')
    .join('ScheduledRuns as S', (on) => {
      on.on('S.ActivityId', 'T.ActivityId').on('S.TimetableId', 'T.Id').on('S.SlotTime', 'T.PausedTime');
    })
    .join('ActivityRuns as R', 'R.Id', 'S.ActivityRunId')
    .join('Activities as A', 'A.Id', 'T.ActivityId')
    .whereNotNull('T.PausedReason')
    .whereNot('R.UserId', userId);
  whereInScope(query, edit, ON_ACTIVITY);
  return query;
}

/**
 * Selects the last refused run of each paused trigger. Other editors are notified of it as long as the trigger is
 * paused.
 */
function pausedTriggers(db: Db, { edit }: ActivityScopes, userId: number): Knex.QueryBuilder {
  const last = db('TriggerEvents as E')
    .whereRaw('?? = ??', ['E.TriggerId', 'T.Id'])
    .where('E.Outcome', 'Refused')
    .max('E.ActivityRunId');
  const query = db('Triggers as T')
    .join('ActivityRuns as R', 'R.ActivityId', 'T.ActivityId')
    .join('Activities as A', 'A.Id', 'T.ActivityId')
    .whereNotNull('T.PausedReason')
    .where('R.Id', last)
    .whereNot('R.UserId', userId);
  whereInScope(query, edit, ON_ACTIVITY);
  return query;
}

/**
 * Restricts steps of a checklist run to the one that reports the run: the first step that went wrong, once the whole
 * run has ended.
 */
function whereReportsWorkflowRun(db: Db, step: Knex.QueryBuilder): void {
  const earlier = stepsGoneWrong(db, 'R.ChecklistRunId').whereRaw('?? < ??', ['E.Id', 'R.Id']);
  void step
    .whereNotNull('CR.EndTime')
    .whereNull('R.NotRunBecause')
    .whereNotExists(repeated(db, 'R'))
    .whereNotExists(earlier.select(db.raw('1')));
}

/**
 * Selects, as E, the steps of a checklist run that went wrong; the first one reports the run. The conditions match the
 * index IX_ActivityRuns_StepsGoneWrong.
 */
export function stepsGoneWrong(db: Db, workflowRunIdColumn: string): Knex.QueryBuilder {
  return whereStatus(db('ActivityRuns as E'), NOTABLE, 'E.Status')
    .whereRaw('?? = ??', ['E.ChecklistRunId', workflowRunIdColumn])
    .whereNull('E.NotRunBecause')
    .whereNotExists(repeated(db, 'E'));
}

/**
 * Selects later attempts of the same step or row. If a server is interrupted, a repeatable step runs again
 * automatically.
 */
const repeated = (db: Db, run: 'E' | 'R'): Knex.QueryBuilder =>
  db('ActivityRuns as Later')
    .select(db.raw('1'))
    .where(`${run}.Status`, 'Abandoned')
    .whereRaw('?? = ??', ['Later.ChecklistRunId', `${run}.ChecklistRunId`])
    .whereRaw('?? = ??', ['Later.StepKey', `${run}.StepKey`])
    .whereRaw('?? = ??', ['Later.RowKey', `${run}.RowKey`])
    .whereRaw('?? > ??', ['Later.Attempt', `${run}.Attempt`]);

/** Restricts child runs to the one that reports them all: the first that went wrong, once all have ended. */
function whereReportsParent(db: Db, child: Knex.QueryBuilder): void {
  const siblings = (alias: string): Knex.QueryBuilder =>
    db(`ActivityRuns as ${alias}`)
      .select(db.raw('1'))
      .whereRaw('?? = ??', [`${alias}.ParentRunId`, 'R.ParentRunId']);
  const earlier = siblings('E')
    .whereRaw('?? < ??', ['E.Id', 'R.Id'])
    .whereIn('E.Status', NOTABLE)
    .whereNull('E.NotRunBecause');
  const pending = whereStatus(siblings('P'), PENDING_STATUSES, 'P.Status');
  void child.whereNull('R.NotRunBecause').whereNotExists(earlier).whereNotExists(pending);
}

export interface Page {
  /** Run id of the last notification on the previous page. */
  before: number | null;
  limit: number;
}

/** Returns the runs newest first. */
export async function listNotableRuns(
  db: Db,
  dialect: Dialect,
  scopes: ActivityScopes,
  userId: number,
  { before, limit }: Page,
): Promise<NotableRun[]> {
  const where: Wanted['where'] = (query, id) => {
    if (before !== null) void query.where(id, '<', before);
  };
  return notableRuns(db, dialect, { scopes, userId }, { where, limit });
}

/** Returns the number of runs, and the number of unread ones, each up to `most`. */
export async function countNotableRuns(
  db: Db,
  dialect: Dialect,
  scopes: ActivityScopes,
  userId: number,
  limit: number,
): Promise<{ Count: number; Unread: number }> {
  const count = async (where?: Wanted['where']): Promise<number> => {
    const some = notableRuns(db, dialect, { scopes, userId }, { where, limit });
    return (await db.from(some.as('Some')).count({ Count: '*' }).first<{ Count: number }>()).Count;
  };
  const [Count, Unread] = await Promise.all([count(), count((query) => void query.whereNull('NR.ActivityRunId'))]);
  return { Count, Unread };
}

/** Returns warnings and errors of the runs, in the order they were logged. */
export async function listNotableEntries(db: Db, runIds: readonly number[]): Promise<NotableEntry[]> {
  if (runIds.length === 0) return [];
  return db('RunLogEntries')
    .whereIn('ActivityRunId', runIds)
    .where('Category', '>', 1)
    .orderBy('Id')
    .select('Id', 'ActivityRunId', 'Message', 'StatusCode', 'Category');
}

/** The table that records whether a notification was read or dismissed. */
export type Mark = 'NotificationReads' | 'NotificationDismissals';

/** Returns the runs up to `upTo` that have a notification and are not marked yet. */
export async function listUnmarked(
  db: Db,
  dialect: Dialect,
  scopes: ActivityScopes,
  { userId, upTo, mark, limit }: { userId: number; upTo: number; mark: Mark; limit: number },
): Promise<number[]> {
  const where: Wanted['where'] = (query, id) => {
    void query.where(id, '<=', upTo);
    if (mark === 'NotificationReads') void query.whereNull('NR.ActivityRunId');
  };
  const rows = await notableRuns(db, dialect, { scopes, userId }, { where, limit });
  return rows.map(({ Id }) => Id);
}

export async function listOwnRuns(db: Db, runIds: readonly number[], userId: number): Promise<number[]> {
  return db('ActivityRuns').whereIn('Id', runIds).where('UserId', userId).pluck('Id');
}

export async function insertMarks(db: Db, dialect: Dialect, mark: Mark, runIds: readonly number[]): Promise<void> {
  if (runIds.length === 0) return;
  // A dismissal stores the log entry that the notification showed; here there is none.
  const more = mark === 'NotificationDismissals' ? { LogEntryId: 0 } : {};
  const rows = runIds.map((ActivityRunId) => ({ ActivityRunId, ...more }));
  await dialect.upsert(db, { table: mark, rows, key: ['ActivityRunId'], update: [] });
}

export async function isOwnRun(db: Db, runId: number, userId: number): Promise<boolean> {
  return (await db('ActivityRuns').where({ Id: runId, UserId: userId }).first('Id')) !== undefined;
}

export async function insertDismissal(
  db: Db,
  dialect: Dialect,
  row: { ActivityRunId: number; LogEntryId: number },
): Promise<void> {
  await dialect.upsert(db, { table: 'NotificationDismissals', rows: [row], key: ['ActivityRunId'], update: [] });
}
