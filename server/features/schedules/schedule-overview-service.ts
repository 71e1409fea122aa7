/** Lists the schedules of all activities and checklists that a person may see. */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess, ChecklistScopes } from '#server/access/checklist-access.ts';
import type { ObjectKeys } from '#server/access/rights/grants.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { nextOccurrence } from '#server/automation/schedules/daily-occurrences.ts';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { readCalendar, ruleOf, type Calendar } from '#server/automation/schedules/additional/schedule-rows.ts';
import { occurrencesOf } from '#server/automation/schedules/additional/occurrences.ts';
import { describeSchedule } from '#server/automation/schedules/additional/schedule-text.ts';
import type { Db } from '#server/db/dialect/types.ts';
import {
  NEXT_TIMES,
  SCHEDULE_PAGE_SIZE,
  type ScheduledItem,
  type ScheduledKind,
  type ScheduleList,
} from '#shared/contract/schedule-overview.ts';
import {
  listActivitySchedules,
  listChecklistSchedules,
  type AdditionalScheduleRow,
  type OverviewCursor,
  type OverviewRow,
  type OverviewSource,
} from './schedule-overview-repository.ts';
import { planText } from './schedule-plans.ts';

export interface ScheduleOverviewQuery {
  Name?: string;
  After?: string;
}

export interface ScheduleOverviewService {
  list(person: Person, query: ScheduleOverviewQuery): Promise<ScheduleList>;
}

type Calendars = Map<number, Calendar | null>;
type Found = (OverviewRow | AdditionalScheduleRow) & { Source: OverviewSource };

export function createScheduleOverviewService(
  { knex, dialect }: Database,
  access: ChecklistAccess,
): ScheduleOverviewService {
  return {
    list: async (person, { Name, After }) => {
      const scopes = await access.scopes(person);
      const page = {
        scopes,
        userId: person.UserId,
        name: Name ?? null,
        after: After === undefined ? null : readCursor(After),
        limit: SCHEDULE_PAGE_SIZE + 1,
      };
      const [activities, additionalActivities, checklists, additionalChecklists, now] = await Promise.all([
        listActivitySchedules(knex, dialect, page, false),
        listActivitySchedules(knex, dialect, page, true),
        listChecklistSchedules(knex, dialect, page, false),
        listChecklistSchedules(knex, dialect, page, true),
        databaseTime(knex, { dialect }),
      ]);
      const found = [
        ...withSource('Activity', activities),
        ...withSource('ActivityTimetable', additionalActivities),
        ...withSource('Checklist', checklists),
        ...withSource('ChecklistTimetable', additionalChecklists),
      ].toSorted(bySoonest);
      const shown = found.slice(0, SCHEDULE_PAGE_SIZE);
      const calendars = await calendarsOf(knex, shown);
      return {
        Items: shown.map((row) => itemOf(row, { person, scopes, now, calendars })),
        Next: found.length > shown.length ? cursorText(shown.at(-1)!) : null,
      };
    },
  };
}

const withSource = (Source: OverviewSource, rows: readonly OverviewRow[]): Found[] =>
  rows.map((row) => ({ ...row, Source }));

async function calendarsOf(db: Db, rows: readonly Found[]): Promise<Calendars> {
  const calendars: Calendars = new Map();
  const ids = rows.flatMap((row) => ('PlanText' in row && row.CalendarId !== null ? [row.CalendarId] : []));
  for (const id of new Set(ids)) calendars.set(id, await readCalendar(db, id));
  return calendars;
}

/** Must match the order of the queries. */
function bySoonest(a: Found, b: Found): number {
  const soonest = a.NextTime.getTime() - b.NextTime.getTime();
  if (soonest !== 0) return soonest;
  return a.Source === b.Source ? a.RowId - b.RowId : a.Source < b.Source ? -1 : 1;
}

const cursorText = ({ NextTime, Source, RowId }: Found): string => `${NextTime.toISOString()}_${Source}_${RowId}`;

function readCursor(text: string): OverviewCursor {
  const [time, Kind, id] = text.split('_') as [string, OverviewSource, string];
  const NextTime = new Date(time);
  // An invalid cursor leads to the first page.
  return { NextTime: Number.isNaN(NextTime.getTime()) ? new Date(0) : NextTime, Kind, Id: Number(id) };
}

interface Onlooker {
  person: Person;
  scopes: ChecklistScopes;
  now: Date;
  calendars: Calendars;
}

function additionalScheduleOf(row: AdditionalScheduleRow): ScheduledItem['Timetable'] {
  const rule = ruleOf(row, null);
  return {
    Id: row.RowId,
    Name: row.TimetableName,
    Text: describeSchedule({ ...rule, calendarName: row.CalendarName }),
    Cron: rule.plan.Kind === 'Cron' ? rule.plan.Cron : null,
  };
}

function itemOf(row: Found, { person, scopes, now, calendars }: Onlooker): ScheduledItem {
  const Kind: ScheduledKind = row.Source.startsWith('Activity') ? 'Activity' : 'Checklist';
  const { Id, Name, Schema, TimeZone, PausedTime, IsActive, RunId, RunStatus, RunQueueTime } = row;
  const keys: ObjectKeys = Kind === 'Activity' ? { Id, Schema } : { Schema };
  const seesRun = row.RunUserId === person.UserId || isInScope(scopes.viewRuns, keys);
  return {
    Kind,
    Id,
    Name,
    Schema,
    IsWorkflow: row.WorkflowVersion !== null,
    Schedule: 'PlanText' in row ? null : planText(row),
    Timetable: 'PlanText' in row ? additionalScheduleOf(row) : null,
    TimeZone,
    UserFullName: fullName(row),
    NextTimes: PausedTime === null && IsActive ? nextTimes(row, now, calendars) : [],
    PausedTime: PausedTime?.toISOString() ?? null,
    PausedReason: 'PlanText' in row ? row.PausedReason : null,
    IsWaiting: 'PlanText' in row && row.IsWaiting,
    NotStarted: 'PlanText' in row ? notStarted(row) : null,
    IsActive,
    LastRun:
      RunId !== null && RunStatus !== null && RunQueueTime !== null && seesRun
        ? { Id: RunId, Status: RunStatus, QueueTime: RunQueueTime.toISOString() }
        : null,
    CanEdit: isInScope(Kind === 'Activity' ? scopes.edit : scopes.editChecklist, keys),
  };
}

function notStarted({ SlotTime, SlotOutcome, SlotMessage }: AdditionalScheduleRow): ScheduledItem['NotStarted'] {
  if (SlotTime === null || SlotOutcome === null || SlotOutcome === 'Started') return null;
  return { SlotTime: SlotTime.toISOString(), Outcome: SlotOutcome, Message: SlotMessage ?? '' };
}

/** Returns the stored next time and the times after it. A stored time in the past is started at the next poll. */
function nextTimes(row: Found, now: Date, calendars: Calendars): string[] {
  const times = row.NextTime.getTime() < NEVER.getTime() ? [row.NextTime] : [];
  const next = followerOf(row, calendars);
  while (times.length > 0 && times.length < NEXT_TIMES) {
    const last = times.at(-1)!;
    const following = next(last > now ? last : now);
    if (!following) break;
    times.push(following);
  }
  return times.map((time) => time.toISOString());
}

function followerOf(row: Found, calendars: Calendars): (after: Date) => Date | null {
  if (!('PlanText' in row)) return (after) => nextOccurrence(after, row.TimeOfDay, row.TimeZone);
  const calendar = row.CalendarId === null ? null : (calendars.get(row.CalendarId) ?? null);
  const occurrences = occurrencesOf(ruleOf(row, calendar));
  return (after) => occurrences.next(after);
}
