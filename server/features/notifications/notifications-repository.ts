import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { whereVisible, type ActivityScopes } from '#server/features/activities/activity-scopes.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';

/** As the index IX_ActivityRuns_Notable has them: a database uses it only for a query that names no other. */
const NOTABLE: RunStatus[] = [
  'SucceededWarn',
  'Failed',
  'Cancelled',
  'LogicError',
  'InternalError',
  'Abandoned',
  'NotLicensed',
];

const KEPT_SECONDS = 30 * 86_400;

export interface NotableRun {
  Id: number;
  Name: string;
  /** Of the checklist or workflow that it is a step of. */
  ChecklistName: string | null;
  Status: RunStatus;
  EndTime: Date;
}

export interface NotableEntry {
  Id: number;
  ActivityRunId: number;
  Message: string;
  StatusCode: number;
  Category: number;
}

/**
 * Runs of a person that are to be told of and were not dismissed: those that did not simply succeed, and all that a schedule
 * started. Runs older than a month are news to nobody.
 */
function notableRuns(db: Db, dialect: Dialect, scopes: ActivityScopes, userId: number): Knex.QueryBuilder {
  const recent = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
    query.where('R.QueueTime', '>', dialect.nowPlus(db, -KEPT_SECONDS));
  const ended = recent(whereStatus(db('ActivityRuns as R').where('R.UserId', userId), NOTABLE, 'R.Status')).select(
    'R.Id',
  );
  const scheduled = recent(
    db('ScheduledRuns as S')
      .join('ActivityRuns as R', 'R.Id', 'S.ActivityRunId')
      .where('S.UserId', userId)
      .where('R.Status', 'Succeeded'),
  ).select('R.Id');
  const query = db
    .from(ended.unionAll(scheduled).as('N'))
    .join('ActivityRuns as R', 'R.Id', 'N.Id')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .leftJoin('ChecklistRuns as CR', 'CR.Id', 'R.ChecklistRunId')
    .leftJoin('Checklists as C', 'C.Id', 'CR.ChecklistId')
    .leftJoin('NotificationDismissals as D', 'D.ActivityRunId', 'N.Id')
    .whereNull('D.ActivityRunId')
    .where((told) => void told.whereNull('R.ChecklistRunId').orWhere((step) => whereTellsOfChain(db, step)));
  whereVisible(query, scopes);
  return query;
}

/** Of a run of a checklist one step speaks, once it has ended as a whole: the first one that went wrong. */
function whereTellsOfChain(db: Db, step: Knex.QueryBuilder): void {
  const earlier = db('ActivityRuns as E')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['E.ChecklistRunId', 'R.ChecklistRunId'])
    .whereRaw('?? < ??', ['E.Id', 'R.Id'])
    .whereIn('E.Status', NOTABLE)
    .whereNull('E.NotRunBecause');
  void step.whereNotNull('CR.EndTime').whereNull('R.NotRunBecause').whereNotExists(earlier);
}

export interface Page {
  /** The run of the last notification before the page. */
  before: number | null;
  limit: number;
}

/** Newest first. */
export async function listNotableRuns(
  db: Db,
  dialect: Dialect,
  scopes: ActivityScopes,
  userId: number,
  { before, limit }: Page,
): Promise<NotableRun[]> {
  const query = notableRuns(db, dialect, scopes, userId).orderBy('R.Id', 'desc').limit(limit);
  if (before !== null) void query.where('R.Id', '<', before);
  return (await query.select('R.Id', 'A.Name', 'C.Name as ChecklistName', 'R.Status', 'R.EndTime')) as NotableRun[];
}

/** How many there are, up to `most`. */
export async function countNotableRuns(
  db: Db,
  dialect: Dialect,
  scopes: ActivityScopes,
  userId: number,
  most: number,
): Promise<number> {
  const some = notableRuns(db, dialect, scopes, userId).select('R.Id').limit(most).as('Some');
  const row = (await db.from(some).count({ Count: '*' }).first()) as { Count: number };
  return row.Count;
}

/** Warnings and errors of the runs, in the order they were logged. */
export async function listNotableEntries(db: Db, runIds: readonly number[]): Promise<NotableEntry[]> {
  if (runIds.length === 0) return [];
  return db('RunLogEntries')
    .whereIn('ActivityRunId', runIds)
    .where('Category', '>', 1)
    .orderBy('Id')
    .select('Id', 'ActivityRunId', 'Message', 'StatusCode', 'Category');
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
