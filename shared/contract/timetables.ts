/**
 * Schedules beside the daily one that the specification has: any number for each activity, checklist and workflow, by weeks, months or
 * cron, in time zones of their own, around holidays, with inputs.
 */
import { Type, type Static, type TSchema } from 'typebox';
import { closed, get, Id, IdParams, needsOn, nullable, post, RunId, Timestamp } from './endpoint.ts';

/** Most of one activity or checklist. */
export const TIMETABLES_MAX = 50;
export const TIMETABLE_NAME_MAX = 100;
export const TIMETABLE_INPUTS_MAX = 200;
/** How many moments to come a preview tells. */
export const PREVIEW_MOMENTS = 10;
/** Most missed moments that are made up for. */
export const MISSED_MAX = 20;
export const RETRIES_MAX = 100;
/** A day. */
export const RETRY_MINUTES_MAX = 1440;
export const BUSINESS_DAY_MAX = 15;

/** A fraction of the day, by the clocks of the schedule's time zone. */
const TimeOfDay = Type.Number({ minimum: 0, exclusiveMaximum: 1 });
/** 1 is Monday, 7 Sunday. */
export const Weekday = Type.Integer({ minimum: 1, maximum: 7 });

export const TimetablePlan = Type.Union([
  closed({ Kind: Type.Literal('Daily'), TimeOfDay }),
  closed({ Kind: Type.Literal('Weekly'), TimeOfDay, Weekdays: Type.Array(Weekday, { minItems: 1, maxItems: 7 }) }),
  /** In a month that is shorter, its last day. */
  closed({ Kind: Type.Literal('MonthlyDay'), TimeOfDay, Day: Type.Integer({ minimum: 1, maximum: 31 }) }),
  closed({ Kind: Type.Literal('MonthlyLastDay'), TimeOfDay }),
  /** Week 5 is the last one of the month. */
  closed({ Kind: Type.Literal('MonthlyWeekday'), TimeOfDay, Week: Type.Integer({ minimum: 1, maximum: 5 }), Weekday }),
  closed({
    Kind: Type.Literal('MonthlyBusinessDay'),
    TimeOfDay,
    BusinessDay: Type.Integer({ minimum: 1, maximum: BUSINESS_DAY_MAX }),
    /** Counted back from the end of the month. */
    FromEnd: Type.Boolean(),
  }),
  /** Minute, hour, day of the month, month, day of the week. */
  closed({ Kind: Type.Literal('Cron'), Cron: Type.String({ minLength: 1, maxLength: 120 }) }),
]);
export type TimetablePlan = Static<typeof TimetablePlan>;

/** What becomes of a moment on a day on which the calendar does not work. */
export const HolidayRule = Type.Enum(['Keep', 'Skip', 'Before', 'After'] as const);
export type HolidayRule = Static<typeof HolidayRule>;

/** What becomes of a moment while a run that the schedule started before goes on. */
export const OverlapRule = Type.Enum(['Start', 'Skip', 'Wait'] as const);
export type OverlapRule = Static<typeof OverlapRule>;

/** Which of the moments start that passed while no server was there. */
export const MissedRule = Type.Enum(['None', 'Last', 'All'] as const);
export type MissedRule = Static<typeof MissedRule>;

/** Of an input of the activity, or of the checklist. What is not named has its preset or default. */
export const TimetableInput = closed({
  Name: Type.String({ minLength: 1, maxLength: 255 }),
  /** JSON text, as with a start; null with RelativeDate. */
  Value: nullable(Type.String({ maxLength: 100_000 })),
  /** Such as 'today - 1 business day': found anew for each moment. */
  RelativeDate: nullable(Type.String({ minLength: 1, maxLength: 100 })),
});
export type TimetableInput = Static<typeof TimetableInput>;

const settings = {
  Name: Type.String({ minLength: 1, maxLength: TIMETABLE_NAME_MAX, pattern: '\\S' }),
  Plan: TimetablePlan,
  /** As Europe/Berlin. */
  TimeZone: Type.String({ minLength: 1, maxLength: 64 }),
  /** Of a holiday calendar. Where null, business days are Monday to Friday. */
  CalendarId: nullable(Id),
  HolidayRule,
  Inputs: Type.Array(TimetableInput, { maxItems: TIMETABLE_INPUTS_MAX }),
  RetryCount: Type.Integer({ minimum: 0, maximum: RETRIES_MAX }),
  /** Minutes. */
  RetryInterval: Type.Integer({ minimum: 0, maximum: RETRY_MINUTES_MAX }),
  Overlap: OverlapRule,
  Missed: MissedRule,
  /** Most that start with All. */
  MissedMax: Type.Integer({ minimum: 1, maximum: MISSED_MAX }),
};

/** @param Id 0 for a new one @param OwnerId of the activity or checklist */
export const TimetableUpdate = closed({
  Id: Type.Integer({ minimum: 0 }),
  OwnerId: Id,
  ...settings,
});
export type TimetableUpdate = Static<typeof TimetableUpdate>;

/** What became of a moment. */
export const SlotOutcome = Type.Enum(['Started', 'LeftOut', 'Missed', 'Refused'] as const);
export type SlotOutcome = Static<typeof SlotOutcome>;

export const TimetableSlot = closed({
  SlotTime: Timestamp,
  Outcome: SlotOutcome,
  /** Why it did not start, or started late. */
  Message: Type.String(),
  /** Of the activity or checklist; null where nothing began. */
  RunId: nullable(RunId),
});
export type TimetableSlot = Static<typeof TimetableSlot>;

export const Timetable = closed({
  ...TimetableUpdate.properties,
  /** When it runs, in words. */
  Text: Type.String(),
  CalendarName: nullable(Type.String()),
  /** As whom it runs. */
  UserId: Type.Integer(),
  UserFullName: Type.String(),
  /** Null where it is paused, or no moment is to come. */
  NextTime: nullable(Timestamp),
  PausedTime: nullable(Timestamp),
  /** Where the portal paused it: why. */
  PausedReason: nullable(Type.String()),
  /** A time is due, and waits until this run, which it started before, has ended; null where none does. */
  WaitsFor: nullable(RunId),
  /** The newest ones. */
  Slots: Type.Array(TimetableSlot),
});
export type Timetable = Static<typeof Timetable>;

export const TimetableList = closed({
  OwnerName: Type.String(),
  /** Of the server: for new ones. */
  TimeZone: Type.String(),
  /** Whose values a schedule may give. */
  Inputs: Type.Array(
    closed({
      Name: Type.String(),
      Kind: Type.Enum(['Date', 'Number', 'Boolean', 'Text'] as const),
      IsNeeded: Type.Boolean(),
    }),
  ),
  /** Inputs that only a person can fill in, as they take tables or files: then nothing can be scheduled. */
  Unfillable: Type.Array(Type.String()),
  Items: Type.Array(Timetable),
});
export type TimetableList = Static<typeof TimetableList>;

export const TimetablePreview = closed({
  Text: Type.String(),
  Moments: Type.Array(
    closed({
      Time: Timestamp,
      /** By the clocks of the schedule's time zone: 'Mon 2/Mar/2026 06:30'. */
      Local: Type.String(),
      /** What relative dates are then: 2/Mar/2026. */
      Dates: Type.Array(closed({ Name: Type.String(), Text: Type.String() })),
    }),
  ),
});
export type TimetablePreview = Static<typeof TimetablePreview>;

const PreviewBody = closed({
  OwnerId: Id,
  Plan: settings.Plan,
  TimeZone: settings.TimeZone,
  CalendarId: settings.CalendarId,
  HolidayRule,
  Inputs: settings.Inputs,
});
export type TimetablePreviewBody = Static<typeof PreviewBody>;

function callsOf(root: string, right: 'sk.EditActivity' | 'sk.EditChecklist', owner: string) {
  const access = needsOn(right);
  const path = `/api/${root}/timetables`;
  const one = <R extends TSchema>(result: R) => ({ params: IdParams, result });
  return {
    list: get(`${path}/:id`, {
      access,
      summary: `The further schedules of ${owner}`,
      parts: one(TimetableList),
    }),
    preview: post(`${path}/preview`, {
      access,
      summary: `When a schedule of ${owner} would start next, and with which dates`,
      parts: { body: PreviewBody, result: TimetablePreview },
    }),
    save: post(path, {
      access,
      summary: `Make or change a further schedule of ${owner}; it runs as the person who saves it`,
      parts: { body: TimetableUpdate, result: Timetable },
    }),
    delete: post(`${path}/delete/:id`, {
      access,
      summary: `Delete a further schedule of ${owner}`,
      parts: one(Type.Null()),
    }),
    pause: post(`${path}/pause/:id`, {
      access,
      summary: `Let a further schedule of ${owner} rest`,
      parts: one(Type.Null()),
    }),
    resume: post(`${path}/resume/:id`, {
      access,
      summary: `Go on with a further schedule of ${owner} from its next moment, as the person it ran as`,
      parts: one(Type.Null()),
    }),
  };
}

export const activityTimetables = callsOf('activities', 'sk.EditActivity', 'an activity');
export const checklistTimetables = callsOf('checklists', 'sk.EditChecklist', 'a checklist or workflow');
