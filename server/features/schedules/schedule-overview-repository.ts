/**
 * Queries for schedules of activities and checklists. Each kind has its own query, which uses the index of its next
 * times.
 */
import type { Knex } from 'knex';
import type { NameColumns } from '#server/base/full-name.ts';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { ON_ACTIVITY, whereVisible } from '#server/access/activity-scopes.ts';
import type { ChecklistScopes } from '#server/access/checklist-access.ts';
import { bySchema, whereInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { ScheduledKind } from '#shared/contract/schedule-overview.ts';
import type { OccurrenceOutcome } from '#shared/contract/additional-schedules.ts';
import type { ScheduleRow } from './schedules-repository.ts';

/** A schedule is a daily one, or one of the Timetables table. */
export type OverviewSource = ScheduledKind | 'ActivityTimetable' | 'ChecklistTimetable';

export interface OverviewRow extends Omit<ScheduleRow, 'ActivityId'>, NameColumns {
  /** Id for ordering the list: for rows from Timetables the id of the schedule itself, otherwise equal to Id. */
  RowId: number;
  Id: number;
  Name: string;
  Schema: string;
  IsActive: boolean;
  WorkflowVersion: number | null;
  RunId: number | null;
  RunUserId: number | null;
  RunStatus: RunStatus | null;
  RunQueueTime: Date | null;
}

/** Additional columns of a schedule from Timetables. */
export interface AdditionalScheduleRow extends OverviewRow {
  TimetableName: string;
  PlanText: string;
  CalendarId: number | null;
  CalendarName: string | null;
  HolidayRule: 'Keep' | 'Skip' | 'Before' | 'After';
  PausedReason: string | null;
  IsWaiting: boolean;
  /** The newest occurrence with an outcome. */
  SlotTime: Date | null;
  SlotOutcome: OccurrenceOutcome | null;
  SlotMessage: string | null;
}

/** The last schedule of the previous page. */
export interface OverviewCursor {
  NextTime: Date;
  Kind: OverviewSource;
  Id: number;
}

export interface OverviewPage {
  scopes: ChecklistScopes;
  userId: number;
  /** Part of the name; null for all. */
  name: string | null;
  after: OverviewCursor | null;
  limit: number;
}

const DAILY = ['ScheduleType', 'TimeOfDay'].map((column) => `S.${column}`);
const ADDITIONAL_COLUMNS = [
  'Id as TimetableId',
  'Name as TimetableName',
  'PlanText',
  'CalendarId',
  'HolidayRule',
  'PausedReason',
  'IsWaiting',
];
const OCCURRENCE = ['SlotTime', 'Outcome as SlotOutcome', 'Message as SlotMessage'];
const COLUMNS = [
  ...['UserId', 'RetryCount', 'RetryInterval', 'TimeZone', 'NextTime', 'PausedTime'].map((column) => `S.${column}`),
  'U.FirstName',
  'U.MiddleName',
  'U.LastName',
  'R.Id as RunId',
  'R.UserId as RunUserId',
  'R.Status as RunStatus',
  'R.QueueTime as RunQueueTime',
];

/** @param isAdditional true for schedules from Timetables, false for daily ones */
export async function listActivitySchedules(
  db: Db,
  dialect: Dialect,
  page: OverviewPage,
  isAdditional: boolean,
): Promise<OverviewRow[]> {
  const { scopes, userId, name } = page;
  const query = db(isAdditional ? 'Timetables as S' : 'ActivitySchedules as S')
    .join('Activities as A', 'A.Id', 'S.ActivityId')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .select(COLUMNS)
    .select<OverviewRow[]>('A.Id', 'A.Name', 'A.Schema', 'A.IsActive', db.raw('null as ??', ['WorkflowVersion']));
  dialect.leftJoinEach(
    query,
    newestRun(db, { runs: 'ScheduledRuns', key: 'ActivityId', run: 'ActivityRunId', isAdditional }),
    'L',
  );
  void query.leftJoin('ActivityRuns as R', 'R.Id', 'L.RunId');
  whereVisible(query, scopes);
  if (name !== null) void query.where(dialect.contains(db, 'A.Name', name));
  void query.where((visible) => {
    void visible.where('S.UserId', userId);
    void visible.orWhere((edit) => whereInScope(edit.whereRaw('1 = 1'), scopes.edit, ON_ACTIVITY));
    void visible.orWhere((runs) => whereInScope(runs.whereRaw('1 = 1'), scopes.viewRuns, ON_ACTIVITY));
  });
  of(db, dialect, query, { isAdditional, owner: 'S.ActivityId' });
  narrow(
    query,
    isAdditional
      ? { ...page, kind: 'ActivityTimetable', id: 'S.Id' }
      : { ...page, kind: 'Activity', id: 'S.ActivityId' },
  );
  return query;
}

export async function listChecklistSchedules(
  db: Db,
  dialect: Dialect,
  page: OverviewPage,
  isAdditional: boolean,
): Promise<OverviewRow[]> {
  const { scopes, userId, name } = page;
  const query = db(isAdditional ? 'Timetables as S' : 'ChecklistSchedules as S')
    .join('Checklists as C', 'C.Id', 'S.ChecklistId')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .select(COLUMNS)
    .select<OverviewRow[]>('C.Id', 'C.Name', 'C.Schema', 'C.WorkflowVersion');
  const runs = { runs: 'ScheduledChecklistRuns', key: 'ChecklistId', run: 'ChecklistRunId', isAdditional };
  dialect.leftJoinEach(query, newestRun(db, runs), 'L');
  void query.leftJoin('ChecklistRuns as R', (on) => {
    on.on('R.Id', 'L.RunId').onNull('R.PurgeTime');
  });
  if (name !== null) void query.where(dialect.contains(db, 'C.Name', name));
  const inSchema = (part: Knex.QueryBuilder, scope: RightScope): void =>
    whereInScope(part.whereRaw('1 = 1'), bySchema(scope), { Schema: 'C.Schema' });
  void query.where((visible) => {
    void visible.where((edit) => inSchema(edit, scopes.editChecklist));
    void visible.orWhere((seen) => {
      void seen.whereExists(runnableMember(db, scopes.run));
      void seen.where((why) => void why.where('S.UserId', userId).orWhere((all) => inSchema(all, scopes.viewRuns)));
    });
  });
  of(db, dialect, query, { isAdditional, owner: 'S.ChecklistId' });
  narrow(
    query,
    isAdditional
      ? { ...page, kind: 'ChecklistTimetable', id: 'S.Id' }
      : { ...page, kind: 'Checklist', id: 'S.ChecklistId' },
  );
  return (await query).map((row) => ({ ...row, IsActive: true }));
}

/**
 * Selects the columns that only one kind of schedule has. `owner` is the column with the id of the activity or
 * checklist.
 */
function of(
  db: Db,
  dialect: Dialect,
  query: Knex.QueryBuilder,
  { isAdditional, owner }: { isAdditional: boolean; owner: string },
): void {
  if (!isAdditional) {
    void query.select(DAILY).select(`${owner} as RowId`);
    return;
  }
  void query
    .leftJoin('HolidayCalendars as H', 'H.Id', 'S.CalendarId')
    .select(ADDITIONAL_COLUMNS.map((column) => `S.${column}`))
    .select('S.Id as RowId', 'H.Name as CalendarName')
    .select(OCCURRENCE.map((column) => `T.${column}`));
  const newestOccurrence = db('TimetableSlots as N')
    .whereRaw('?? = ??', ['N.TimetableId', 'S.Id'])
    .orderBy('N.SlotTime', 'desc')
    .limit(1)
    .select('N.SlotTime', 'N.Outcome', 'N.Message');
  dialect.leftJoinEach(query, newestOccurrence, 'T');
}

interface RunsOf {
  runs: string;
  key: string;
  run: string;
  isAdditional: boolean;
}

/** Selects the newest scheduled run with one index lookup. Skipped occurrences have no row in these tables. */
function newestRun(db: Db, { runs, key, run, isAdditional }: RunsOf): Knex.QueryBuilder {
  const query = db(`${runs} as N`)
    .whereRaw('?? = ??', [`N.${key}`, `S.${key}`])
    .orderBy(`N.${run}`, 'desc')
    .limit(1)
    .select(`N.${run} as RunId`);
  return isAdditional ? query.whereRaw('?? = ??', ['N.TimetableId', 'S.Id']) : query.whereNull('N.TimetableId');
}

/** A person who may run one of its activities sees the checklist. */
function runnableMember(db: Db, run: RightScope): Knex.QueryBuilder {
  const query = db('ChecklistActivities as CA')
    .join('Activities as A', 'A.Id', 'CA.ActivityId')
    .select(db.raw('1'))
    .whereRaw('?? = ??', ['CA.ChecklistId', 'C.Id'])
    .where('A.IsActive', true);
  whereInScope(query, run, ON_ACTIVITY);
  return query;
}

/** Restricts the query to the page, soonest first. @param id the column that orders schedules with the same time */
function narrow(query: Knex.QueryBuilder, page: OverviewPage & { kind: OverviewSource; id: string }): void {
  const { kind, id, after, limit } = page;
  void query.orderBy([{ column: 'S.NextTime' }, { column: id }]).limit(limit);
  if (!after) return;
  void query.where((rest) => {
    void rest.where('S.NextTime', '>', after.NextTime);
    if (kind > after.Kind) void rest.orWhere('S.NextTime', after.NextTime);
    if (kind === after.Kind) {
      void rest.orWhere((same) => void same.where('S.NextTime', after.NextTime).where(id, '>', after.Id));
    }
  });
}
