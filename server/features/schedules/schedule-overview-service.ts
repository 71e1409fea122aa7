/** What runs by itself, of all that a person may see. */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess, ChecklistScopes } from '#server/features/checklists/checklist-access.ts';
import type { ObjectKeys } from '#server/features/rights/grants.ts';
import { isInScope } from '#server/features/rights/right-scope.ts';
import { nextSlot } from '#server/jobs/schedules/daily-slots.ts';
import { databaseTime } from '#server/jobs/schedules/scheduler.ts';
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
  type OverviewCursor,
  type OverviewRow,
} from './schedule-overview-repository.ts';
import { planText } from './schedule-plans.ts';

export interface ScheduleOverviewQuery {
  Name?: string;
  After?: string;
}

export interface ScheduleOverviewService {
  list(person: Person, query: ScheduleOverviewQuery): Promise<ScheduleList>;
}

type Found = OverviewRow & { Kind: ScheduledKind };

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
      const [activities, checklists, now] = await Promise.all([
        listActivitySchedules(knex, dialect, page),
        listChecklistSchedules(knex, dialect, page),
        databaseTime(knex, { dialect }),
      ]);
      const found = [...withKind('Activity', activities), ...withKind('Checklist', checklists)].toSorted(bySoonest);
      const shown = found.slice(0, SCHEDULE_PAGE_SIZE);
      return {
        Items: shown.map((row) => itemOf(row, { person, scopes, now })),
        Next: found.length > shown.length ? cursorText(shown.at(-1)!) : null,
      };
    },
  };
}

const withKind = (Kind: ScheduledKind, rows: readonly OverviewRow[]): Found[] => rows.map((row) => ({ ...row, Kind }));

/** As the queries order each kind. */
function bySoonest(a: Found, b: Found): number {
  const soonest = a.NextTime.getTime() - b.NextTime.getTime();
  if (soonest !== 0) return soonest;
  return a.Kind === b.Kind ? a.Id - b.Id : a.Kind < b.Kind ? -1 : 1;
}

const cursorText = ({ NextTime, Kind, Id }: OverviewCursor): string => `${NextTime.toISOString()}_${Kind}_${Id}`;

function readCursor(text: string): OverviewCursor {
  const [time, Kind, id] = text.split('_') as [string, ScheduledKind, string];
  const NextTime = new Date(time);
  // What nobody was given leads to the beginning.
  return { NextTime: Number.isNaN(NextTime.getTime()) ? new Date(0) : NextTime, Kind, Id: Number(id) };
}

interface Onlooker {
  person: Person;
  scopes: ChecklistScopes;
  now: Date;
}

function itemOf(row: Found, { person, scopes, now }: Onlooker): ScheduledItem {
  const { Kind, Id, Name, Schema, TimeZone, PausedTime, IsActive, RunId, RunStatus, RunQueueTime } = row;
  const keys: ObjectKeys = Kind === 'Activity' ? { Id, Schema } : { Schema };
  const seesRun = row.RunUserId === person.UserId || isInScope(scopes.viewRuns, keys);
  return {
    Kind,
    Id,
    Name,
    Schema,
    IsWorkflow: row.WorkflowVersion !== null,
    Schedule: planText(row),
    TimeZone,
    UserFullName: fullName(row),
    NextTimes: PausedTime === null && IsActive ? nextTimes(row, now) : [],
    PausedTime: PausedTime?.toISOString() ?? null,
    IsActive,
    LastRun:
      RunId !== null && RunStatus !== null && RunQueueTime !== null && seesRun
        ? { Id: RunId, Status: RunStatus, QueueTime: RunQueueTime.toISOString() }
        : null,
    CanEdit: isInScope(Kind === 'Activity' ? scopes.edit : scopes.editChecklist, keys),
  };
}

/** The time that is stored, then those that follow; one that has passed is started at the next look. */
function nextTimes({ NextTime, TimeOfDay, TimeZone }: OverviewRow, now: Date): string[] {
  const times = [NextTime];
  while (times.length < NEXT_TIMES) {
    const last = times.at(-1)!;
    times.push(nextSlot(last > now ? last : now, TimeOfDay, TimeZone));
  }
  return times.map((time) => time.toISOString());
}
