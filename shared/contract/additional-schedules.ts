/**
 * Additional schedules beyond the daily one of the specification: any number per activity, checklist and workflow. They
 * can be weekly, monthly or cron-based, have their own time zone, observe holidays and supply inputs.
 */
import { Type, type Static, type TSchema } from 'typebox';
import {
  closed,
  EditedRevision,
  get,
  Id,
  IdParams,
  needsOn,
  nullable,
  post,
  Revision,
  RunId,
  Timestamp,
} from './endpoint.ts';

/** Maximum number per activity or checklist. */
export const MAX_ADDITIONAL_SCHEDULES = 50;
export const MAX_SCHEDULE_NAME_LENGTH = 100;
export const MAX_SCHEDULE_INPUTS = 200;
/** Number of upcoming occurrences in a preview. */
export const PREVIEW_OCCURRENCES = 10;
/** Maximum number of missed occurrences that are caught up. */
export const MISSED_MAX = 20;
export const RETRIES_MAX = 100;
/** One day. */
export const RETRY_MINUTES_MAX = 1440;
export const BUSINESS_DAY_MAX = 15;

/** Fraction of the day, in the schedule's time zone. */
const TimeOfDay = Type.Number({ minimum: 0, exclusiveMaximum: 1 });
/** 1 is Monday, 7 is Sunday. */
export const Weekday = Type.Integer({ minimum: 1, maximum: 7 });

export const RecurrencePlan = Type.Union([
  closed({ Kind: Type.Literal('Daily'), TimeOfDay }),
  closed({ Kind: Type.Literal('Weekly'), TimeOfDay, Weekdays: Type.Array(Weekday, { minItems: 1, maxItems: 7 }) }),
  /** In shorter months, the last day of the month. */
  closed({ Kind: Type.Literal('MonthlyDay'), TimeOfDay, Day: Type.Integer({ minimum: 1, maximum: 31 }) }),
  closed({ Kind: Type.Literal('MonthlyLastDay'), TimeOfDay }),
  /** Week 5 is the last one of the month. */
  closed({ Kind: Type.Literal('MonthlyWeekday'), TimeOfDay, Week: Type.Integer({ minimum: 1, maximum: 5 }), Weekday }),
  closed({
    Kind: Type.Literal('MonthlyBusinessDay'),
    TimeOfDay,
    BusinessDay: Type.Integer({ minimum: 1, maximum: BUSINESS_DAY_MAX }),
    /** True to count backwards from the end of the month. */
    FromEnd: Type.Boolean(),
  }),
  /** Fields: minute, hour, day of the month, month, day of the week. */
  closed({ Kind: Type.Literal('Cron'), Cron: Type.String({ minLength: 1, maxLength: 120 }) }),
]);
export type RecurrencePlan = Static<typeof RecurrencePlan>;

/** What happens to an occurrence on a non-working day of the calendar. */
export const HolidayRule = Type.Enum(['Keep', 'Skip', 'Before', 'After'] as const);
export type HolidayRule = Static<typeof HolidayRule>;

/** What happens to an occurrence while an earlier run of the schedule is still pending. */
export const OverlapRule = Type.Enum(['Start', 'Skip', 'Wait'] as const);
export type OverlapRule = Static<typeof OverlapRule>;

/** Which occurrences are caught up that were due while no server was running. */
export const MissedRule = Type.Enum(['None', 'Last', 'All'] as const);
export type MissedRule = Static<typeof MissedRule>;

/** A value for an input of the activity or checklist. Inputs that are not listed use their preset value or default. */
export const ScheduleInput = closed({
  Name: Type.String({ minLength: 1, maxLength: 255 }),
  /** JSON text, as in a start; null with RelativeDate. */
  Value: nullable(Type.String({ maxLength: 100_000 })),
  /** Such as 'today - 1 business day'; evaluated for each occurrence. */
  RelativeDate: nullable(Type.String({ minLength: 1, maxLength: 100 })),
});
export type ScheduleInput = Static<typeof ScheduleInput>;

const settings = {
  Name: Type.String({ minLength: 1, maxLength: MAX_SCHEDULE_NAME_LENGTH, pattern: '\\S' }),
  Plan: RecurrencePlan,
  /** For example Europe/Berlin. */
  TimeZone: Type.String({ minLength: 1, maxLength: 64 }),
  /** Id of a holiday calendar. If null, business days are Monday to Friday. */
  CalendarId: nullable(Id),
  HolidayRule,
  Inputs: Type.Array(ScheduleInput, { maxItems: MAX_SCHEDULE_INPUTS }),
  RetryCount: Type.Integer({ minimum: 0, maximum: RETRIES_MAX }),
  /** In minutes. */
  RetryInterval: Type.Integer({ minimum: 0, maximum: RETRY_MINUTES_MAX }),
  Overlap: OverlapRule,
  Missed: MissedRule,
  /** Maximum number of occurrences caught up with the rule All. */
  MissedMax: Type.Integer({ minimum: 1, maximum: MISSED_MAX }),
};

/** An Id of 0 creates a new schedule. OwnerId is the activity or checklist. */
export const AdditionalScheduleUpdate = closed({
  Id: Type.Integer({ minimum: 0 }),
  OwnerId: Id,
  ...settings,
  Revision: EditedRevision,
});
export type AdditionalScheduleUpdate = Static<typeof AdditionalScheduleUpdate>;

/** Outcome of an occurrence. LeftOut means skipped. */
export const OccurrenceOutcome = Type.Enum(['Started', 'LeftOut', 'Missed', 'Refused'] as const);
export type OccurrenceOutcome = Static<typeof OccurrenceOutcome>;

export const ScheduleOccurrence = closed({
  SlotTime: Timestamp,
  Outcome: OccurrenceOutcome,
  /** Why it did not start, or why it started late. */
  Message: Type.String(),
  /** Run of the activity or checklist; null if nothing was started. */
  RunId: nullable(RunId),
});
export type ScheduleOccurrence = Static<typeof ScheduleOccurrence>;

export const AdditionalSchedule = closed({
  ...AdditionalScheduleUpdate.properties,
  Revision,
  /** Text that says when it runs. */
  Text: Type.String(),
  CalendarName: nullable(Type.String()),
  /** The user in whose name it runs. */
  UserId: Type.Integer(),
  UserFullName: Type.String(),
  /** Null if it is paused or has no upcoming occurrence. */
  NextTime: nullable(Timestamp),
  PausedTime: nullable(Timestamp),
  /** Why the portal paused it; null if the portal did not. */
  PausedReason: nullable(Type.String()),
  /** The run of this schedule that a due occurrence waits for; null if none waits. */
  WaitsFor: nullable(RunId),
  /** The newest occurrences. */
  Slots: Type.Array(ScheduleOccurrence),
});
export type AdditionalSchedule = Static<typeof AdditionalSchedule>;

export const AdditionalScheduleList = closed({
  OwnerName: Type.String(),
  /** Time zone of the server, the default for new schedules. */
  TimeZone: Type.String(),
  /** Inputs that a schedule can supply. */
  Inputs: Type.Array(
    closed({
      Name: Type.String(),
      Kind: Type.Enum(['Date', 'Number', 'Boolean', 'Text'] as const),
      IsNeeded: Type.Boolean(),
    }),
  ),
  /**
   * Inputs that only a person can fill in, because they take tables or files. If there are any, nothing can be
   * scheduled.
   */
  Unfillable: Type.Array(Type.String()),
  Items: Type.Array(AdditionalSchedule),
});
export type AdditionalScheduleList = Static<typeof AdditionalScheduleList>;

export const SchedulePreview = closed({
  Text: Type.String(),
  Moments: Type.Array(
    closed({
      Time: Timestamp,
      /** In the schedule's time zone: 'Mon 2/Mar/2026 06:30'. */
      Local: Type.String(),
      /** Values of relative dates for this occurrence: 2/Mar/2026. */
      Dates: Type.Array(closed({ Name: Type.String(), Text: Type.String() })),
    }),
  ),
});
export type SchedulePreview = Static<typeof SchedulePreview>;

const PreviewBody = closed({
  OwnerId: Id,
  Plan: settings.Plan,
  TimeZone: settings.TimeZone,
  CalendarId: settings.CalendarId,
  HolidayRule,
  Inputs: settings.Inputs,
});
export type SchedulePreviewBody = Static<typeof PreviewBody>;

function callsOf(root: string, right: 'sk.EditActivity' | 'sk.EditChecklist', owner: string) {
  const access = needsOn(right);
  const path = `/api/${root}/timetables`;
  const one = <R extends TSchema>(result: R) => ({ params: IdParams, result });
  return {
    list: get(`${path}/:id`, {
      access,
      summary: `List the additional schedules of ${owner}`,
      parts: one(AdditionalScheduleList),
    }),
    preview: post(`${path}/preview`, {
      access,
      summary: `Preview the next occurrences of a schedule of ${owner}, with its dates`,
      parts: { body: PreviewBody, result: SchedulePreview },
    }),
    save: post(path, {
      access,
      summary: `Create or update an additional schedule of ${owner}; it runs as the user who saves it`,
      parts: { body: AdditionalScheduleUpdate, result: AdditionalSchedule },
    }),
    delete: post(`${path}/delete/:id`, {
      access,
      summary: `Delete an additional schedule of ${owner}`,
      parts: one(Type.Null()),
    }),
    pause: post(`${path}/pause/:id`, {
      access,
      summary: `Pause an additional schedule of ${owner}`,
      parts: one(Type.Null()),
    }),
    resume: post(`${path}/resume/:id`, {
      access,
      summary: `Resume an additional schedule of ${owner} with its next occurrence, under the same user as before`,
      parts: one(Type.Null()),
    }),
  };
}

export const additionalActivitySchedules = callsOf('activities', 'sk.EditActivity', 'an activity');
export const additionalChecklistSchedules = callsOf('checklists', 'sk.EditChecklist', 'a checklist or workflow');
