import { whereStatus } from '#server/db/where-status.ts';
import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/features/activities/activity-scopes.ts';
import { whereInScope } from '#server/features/rights/right-scope.ts';
import { PENDING_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';

/** As the index IX_ActivityRuns_Notable has them: a database uses it only for a query that names no other. */
export const NOTABLE: RunStatus[] = [
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
  /** Itself, where it was read. */
  ReadRunId: number | null;
}

export interface NotableEntry {
  Id: number;
  ActivityRunId: number;
  Message: string;
  StatusCode: number;
  Category: number;
}

/** Columns of one run of each query. */
const COLUMNS = ['R.Id', 'A.Name', 'C.Name as ChecklistName', 'R.Status', 'R.EndTime', 'NR.ActivityRunId as ReadRunId'];

interface Wanted {
  /** Narrows the runs, of which NotificationReads is NR and `id` the number. */
  where?: (query: Knex.QueryBuilder, id: string) => void;
  limit: number;
}

/**
 * Runs of a person that are to be told of and were not dismissed, newest first: those that did not simply succeed, and all that a
 * schedule started. Runs older than a month are news to nobody. Each source is read along an index and ends after so many: of a person
 * with many such runs the database would otherwise look at all of them for a page.
 */
function notableRuns(
  db: Db,
  dialect: Dialect,
  { scopes, userId }: { scopes: ActivityScopes; userId: number },
  { where, limit }: Wanted,
): Knex.QueryBuilder {
  const parts = sources(db, scopes, userId).map(({ query, id }) => {
    whereTold(db, query, scopes);
    void query.where('R.QueueTime', '>', dialect.nowPlus(db, -KEPT_SECONDS));
    where?.(query, id);
    const newest = query.orderBy(id, 'desc').limit(limit).select(COLUMNS);
    return db.from(newest.as('S')).select('*');
  });
  const [first, ...others] = parts;
  return db.from(first!.unionAll(others).as('N')).select('*').orderBy('Id', 'desc').limit(limit);
}

interface Source {
  /** Of ActivityRuns as R and Activities as A. */
  query: Knex.QueryBuilder;
  /** The run's number, where the index that is read has it. */
  id: string;
}

function sources(db: Db, scopes: ActivityScopes, userId: number): Source[] {
  // A range and an order by both columns: for `=` PostgreSQL may go through the runs of everybody from the newest on.
  const own = (query: Knex.QueryBuilder, column: string): Knex.QueryBuilder =>
    query
      .join('Activities as A', 'A.Id', 'R.ActivityId')
      .whereBetween(column, [userId, userId])
      .orderBy(column, 'desc');
  const ended = whereStatus(own(db('ActivityRuns as R'), 'R.UserId'), NOTABLE, 'R.Status');
  const scheduled = own(db('ScheduledRuns as S').join('ActivityRuns as R', 'R.Id', 'S.ActivityRunId'), 'S.UserId');
  return [
    { query: ended, id: 'R.Id' },
    { query: scheduled.where('R.Status', 'Succeeded'), id: 'S.ActivityRunId' },
    { query: refusedForOthers(db, scopes, userId), id: 'R.Id' },
    { query: pausedTriggers(db, scopes, userId), id: 'R.Id' },
  ];
}

function whereTold(db: Db, query: Knex.QueryBuilder, scopes: ActivityScopes): void {
  void query
    .leftJoin('ChecklistRuns as CR', 'CR.Id', 'R.ChecklistRunId')
    .leftJoin('Checklists as C', 'C.Id', 'CR.ChecklistId')
    .leftJoin('NotificationDismissals as D', 'D.ActivityRunId', 'R.Id')
    .leftJoin('NotificationReads as NR', 'NR.ActivityRunId', 'R.Id')
    .whereNull('D.ActivityRunId')
    .where((told) => void told.whereNull('R.ChecklistRunId').orWhere((step) => whereTellsOfChain(db, step)))
    .where((told) => void told.whereNull('R.ParentRunId').orWhere((child) => whereTellsOfParent(db, child)));
  whereVisible(query, scopes);
}

/** What a schedule could not start, as the person it runs as has gone or has no right any more: told to those who may edit, as long as it is paused. */
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

/** The same of triggers: the run that was refused last. */
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

/** Of a run of a checklist one step speaks, once it has ended as a whole: the first one that went wrong. */
function whereTellsOfChain(db: Db, step: Knex.QueryBuilder): void {
  const earlier = stepsGoneWrong(db, 'R.ChecklistRunId').whereRaw('?? < ??', ['E.Id', 'R.Id']);
  void step
    .whereNotNull('CR.EndTime')
    .whereNull('R.NotRunBecause')
    .whereNotExists(repeated(db, 'R'))
    .whereNotExists(earlier.select(db.raw('1')));
}

/** As E: the steps of a run of a checklist of which the first tells of it. As the index IX_ActivityRuns_StepsGoneWrong has them. */
export function stepsGoneWrong(db: Db, chainId: string): Knex.QueryBuilder {
  return whereStatus(db('ActivityRuns as E'), NOTABLE, 'E.Status')
    .whereRaw('?? = ??', ['E.ChecklistRunId', chainId])
    .whereNull('E.NotRunBecause')
    .whereNotExists(repeated(db, 'E'));
}

/** A later attempt of the same step or row: where a server was interrupted, a step that may repeat is run again by itself. */
const repeated = (db: Db, run: 'E' | 'R'): Knex.QueryBuilder =>
  db('ActivityRuns as Later')
    .select(db.raw('1'))
    .where(`${run}.Status`, 'Abandoned')
    .whereRaw('?? = ??', ['Later.ChecklistRunId', `${run}.ChecklistRunId`])
    .whereRaw('?? = ??', ['Later.StepKey', `${run}.StepKey`])
    .whereRaw('?? = ??', ['Later.RowKey', `${run}.RowKey`])
    .whereRaw('?? > ??', ['Later.Attempt', `${run}.Attempt`]);

/** Of the runs that one run started the first speaks that went wrong, once all have ended. */
function whereTellsOfParent(db: Db, child: Knex.QueryBuilder): void {
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
  const where: Wanted['where'] = (query, id) => {
    if (before !== null) void query.where(id, '<', before);
  };
  return (await notableRuns(db, dialect, { scopes, userId }, { where, limit })) as NotableRun[];
}

/** How many there are, and how many of those were not read, up to `most`. */
export async function countNotableRuns(
  db: Db,
  dialect: Dialect,
  scopes: ActivityScopes,
  userId: number,
  most: number,
): Promise<{ Count: number; Unread: number }> {
  const count = async (where?: Wanted['where']): Promise<number> => {
    const some = notableRuns(db, dialect, { scopes, userId }, { where, limit: most });
    return ((await db.from(some.as('Some')).count({ Count: '*' }).first()) as { Count: number }).Count;
  };
  const [Count, Unread] = await Promise.all([count(), count((query) => void query.whereNull('NR.ActivityRunId'))]);
  return { Count, Unread };
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

/** Where it is kept that a notification was read, or removed. */
export type Mark = 'NotificationReads' | 'NotificationDismissals';

/** Those that are told of up to a run, and are not marked yet. */
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
  const rows = (await notableRuns(db, dialect, { scopes, userId }, { where, limit })) as NotableRun[];
  return rows.map(({ Id }) => Id);
}

export async function listOwnRuns(db: Db, runIds: readonly number[], userId: number): Promise<number[]> {
  return db('ActivityRuns').whereIn('Id', runIds).where('UserId', userId).pluck('Id');
}

export async function insertMarks(db: Db, dialect: Dialect, mark: Mark, runIds: readonly number[]): Promise<void> {
  if (runIds.length === 0) return;
  // Of a dismissal the entry that it was told by; here none.
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
