/** Overview of schedules: all schedules of activities, checklists and workflows that a user may see. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { RunStatus } from './run-status.ts';
import { OccurrenceOutcome } from './additional-schedules.ts';

export const SCHEDULE_PAGE_SIZE = 50;
/** Number of upcoming times returned per schedule. */
export const NEXT_TIMES = 5;
export const SCHEDULE_SEARCH_MAX = 100;

export const ScheduledKind = Type.Enum(['Activity', 'Checklist'] as const);
export type ScheduledKind = Static<typeof ScheduledKind>;

export const ScheduledItem = closed({
  Kind: ScheduledKind,
  /** Id of the activity or checklist. */
  Id,
  Name: Type.String(),
  Schema: Type.String(),
  IsWorkflow: Type.Boolean(),
  /** JSON of a SchedulePlan; null for an additional schedule. */
  Schedule: nullable(Type.String()),
  /**
   * For an additional schedule: its id, its name, and a text that says when it starts. Cron is included because other
   * languages use their own text.
   */
  Timetable: nullable(closed({ Id, Name: Type.String(), Text: Type.String(), Cron: nullable(Type.String()) })),
  TimeZone: Type.String(),
  /** Full name of the user in whose name it runs. */
  UserFullName: Type.String(),
  /** Empty while the schedule is paused or its activity inactive. */
  NextTimes: Type.Array(Timestamp),
  /** Null if it is not paused. */
  PausedTime: nullable(Timestamp),
  /** Why the portal paused it; null if it is not paused or if a user paused it. */
  PausedReason: nullable(Type.String()),
  /** True if an occurrence is due and waits until the previous run has ended. */
  IsWaiting: Type.Boolean(),
  /** Outcome of the latest occurrence of an additional schedule, if it started nothing. */
  NotStarted: nullable(closed({ SlotTime: Timestamp, Outcome: OccurrenceOutcome, Message: Type.String() })),
  /** While an activity is inactive, its schedules do not start it. */
  IsActive: Type.Boolean(),
  /** The newest run that the schedule started. Null if there is none, or if the user may not see it. */
  LastRun: nullable(closed({ Id: RunId, Status: RunStatus, QueueTime: Timestamp })),
  CanEdit: Type.Boolean(),
});
export type ScheduledItem = Static<typeof ScheduledItem>;

export const ScheduleList = closed({
  Items: Type.Array(ScheduledItem),
  /** Cursor for the next page; null if this is the last one. */
  Next: nullable(Type.String()),
});
export type ScheduleList = Static<typeof ScheduleList>;

export const listSchedules = get('/api/schedules', {
  access: signedIn,
  summary: 'List upcoming starts of schedules, soonest first, paged',
  offline: 'answer',
  parts: {
    query: closed({
      /** Part of the name. */
      Name: Type.Optional(Type.String({ minLength: 1, maxLength: SCHEDULE_SEARCH_MAX })),
      /** Next of the previous page. */
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
  ...change('Pause the schedule of an activity'),
});
export const resumeSchedule = post('/api/activities/schedule/resume/:id', {
  access: ofActivity,
  ...change('Resume the schedule of an activity from its next occurrence'),
});
export const pauseChecklistSchedule = post('/api/checklists/schedule/pause/:id', {
  access: ofChecklist,
  ...change('Pause the schedule of a checklist or workflow'),
});
export const resumeChecklistSchedule = post('/api/checklists/schedule/resume/:id', {
  access: ofChecklist,
  ...change('Resume the schedule of a checklist or workflow from its next occurrence'),
});
