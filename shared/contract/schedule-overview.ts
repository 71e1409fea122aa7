/** What runs by itself and when: the schedules of all activities, checklists and workflows that a person may see. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { RunStatus } from './run-status.ts';
import { SlotOutcome } from './timetables.ts';

export const SCHEDULE_PAGE_SIZE = 50;
/** How many times to come are told of each. */
export const NEXT_TIMES = 5;
export const SCHEDULE_SEARCH_MAX = 100;

export const ScheduledKind = Type.Enum(['Activity', 'Checklist'] as const);
export type ScheduledKind = Static<typeof ScheduledKind>;

export const ScheduledItem = closed({
  Kind: ScheduledKind,
  /** Of the activity or checklist. */
  Id,
  Name: Type.String(),
  Schema: Type.String(),
  IsWorkflow: Type.Boolean(),
  /** JSON of a SchedulePlan; null of a further schedule. */
  Schedule: nullable(Type.String()),
  /** Of a further schedule: its number, its name, and in words when it starts; its Cron, which other languages have words of their own for. */
  Timetable: nullable(closed({ Id, Name: Type.String(), Text: Type.String(), Cron: nullable(Type.String()) })),
  TimeZone: Type.String(),
  /** As whom it runs. */
  UserFullName: Type.String(),
  /** Empty where it rests. */
  NextTimes: Type.Array(Timestamp),
  /** Null where it is not paused. */
  PausedTime: nullable(Timestamp),
  /** Why the portal paused it; null where it is not paused, or somebody did. */
  PausedReason: nullable(Type.String()),
  /** Whether a time is due, and waits until the run before has ended. */
  IsWaiting: Type.Boolean(),
  /** What became of the newest time of a further schedule, where it started nothing. */
  NotStarted: nullable(closed({ SlotTime: Timestamp, Outcome: SlotOutcome, Message: Type.String() })),
  /** The schedule of an activity that is not active rests with it. */
  IsActive: Type.Boolean(),
  /** The newest one that the schedule started. Null where there is none, and for those who may not see it. */
  LastRun: nullable(closed({ Id: RunId, Status: RunStatus, QueueTime: Timestamp })),
  CanEdit: Type.Boolean(),
});
export type ScheduledItem = Static<typeof ScheduledItem>;

export const ScheduleList = closed({
  Items: Type.Array(ScheduledItem),
  /** Asks for the next page; null where this is the last one. */
  Next: nullable(Type.String()),
});
export type ScheduleList = Static<typeof ScheduleList>;

export const listSchedules = get('/api/schedules', {
  access: signedIn,
  summary: 'What runs by itself, soonest first, a page at a time',
  offline: 'answer',
  parts: {
    query: closed({
      /** A part of the name. */
      Name: Type.Optional(Type.String({ minLength: 1, maxLength: SCHEDULE_SEARCH_MAX })),
      /** Next of the page before. */
      After: Type.Optional(
        Type.String({
          maxLength: 70,
          pattern: '^[0-9T:.Z-]{20,30}_(Activity|ActivityTimetable|Checklist|ChecklistTimetable)_[0-9]{1,10}$',
        }),
      ),
    }),
    result: ScheduleList,
  },
});

const change = (summary: string) => ({ summary, parts: { params: IdParams, result: Type.Null() } });
const ofActivity = needsOn('sk.EditActivity');
const ofChecklist = needsOn('sk.EditChecklist');

export const pauseSchedule = post('/api/activities/schedule/pause/:id', {
  access: ofActivity,
  ...change('Let the schedule of an activity rest'),
});
export const resumeSchedule = post('/api/activities/schedule/resume/:id', {
  access: ofActivity,
  ...change('Go on with the schedule of an activity from its next time'),
});
export const pauseChecklistSchedule = post('/api/checklists/schedule/pause/:id', {
  access: ofChecklist,
  ...change('Let the schedule of a checklist or workflow rest'),
});
export const resumeChecklistSchedule = post('/api/checklists/schedule/resume/:id', {
  access: ofChecklist,
  ...change('Go on with the schedule of a checklist or workflow from its next time'),
});
