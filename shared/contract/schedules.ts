/**
 * Daily schedules of activities, and how long runs are retained. Source: specification of activities, sections 2, 3 and
 * 7.
 */
import { Type, type Static } from 'typebox';
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
  Timestamp,
  TypedNumber,
} from './endpoint.ts';

export const ScheduleType = Type.Enum(['Daily']);
export type ScheduleType = Static<typeof ScheduleType>;

/** Content of the JSON text in the field Schedule. */
export const SchedulePlan = closed({
  ScheduleType,
  /**
   * Fraction of the day, from 0 to below 1, in the server's time zone. Of larger numbers, only the fraction is used.
   */
  TimeOfDay: Type.Number({ minimum: 0, maximum: 1_000_000 }),
  /** Minutes between the end of a run that failed and the next attempt. */
  RetryInterval: Type.Number(),
  RetryCount: Type.Number(),
});
export type SchedulePlan = Static<typeof SchedulePlan>;

export const Schedule = closed({
  ActivityId: Id,
  /** Id of the user in whose name it runs. */
  UserId: Type.Integer({ minimum: 1 }),
  /** JSON of a SchedulePlan. */
  Schedule: Type.String({ maxLength: 1000 }),
});
export type Schedule = Static<typeof Schedule>;

export const ScheduleUpdate = closed({ ...Schedule.properties, Revision: EditedRevision });
export type ScheduleUpdate = Static<typeof ScheduleUpdate>;

/** Schedules in addition to the daily one: see shared/contract/additional-schedules.ts. */
export const AdditionalSchedules = closed({
  Count: Type.Integer({ minimum: 0 }),
  /** The earliest upcoming time of all of them. Null if all are paused or none has upcoming times. */
  NextTime: nullable(Timestamp),
});
export type AdditionalSchedules = Static<typeof AdditionalSchedules>;

/** State of the schedule of an activity or a checklist. */
export const SCHEDULE_STATE = {
  /** The user in whose name it runs; null if no schedule is set. */
  UserId: nullable(Type.Integer()),
  UserFullName: nullable(Type.String()),
  /** JSON of a SchedulePlan. */
  Schedule: nullable(Type.String()),
  /** Also null while it is paused. */
  NextTime: nullable(Timestamp),
  PausedTime: nullable(Timestamp),
  /** The time zone of TimeOfDay, such as Europe/Berlin. */
  TimeZone: Type.String(),
  Revision,
  /** True if a run needs no input from a person, which is the precondition for scheduling. */
  CanSchedule: Type.Boolean(),
  Further: AdditionalSchedules,
};

export const ScheduleDetails = closed({ ActivityId: Id, ActivityName: Type.String(), ...SCHEDULE_STATE });
export type ScheduleDetails = Static<typeof ScheduleDetails>;

const Days = nullable(Type.Integer({ minimum: 0, maximum: 100_000 }));

export const RunRetention = closed({
  ActivityId: Id,
  /** Days for which runs, their outputs, and their inputs are retained; null for forever. */
  RunRetention: Days,
  RunDataRetention: Days,
  RunInputsRetention: Days,
});
export type RunRetention = Static<typeof RunRetention>;

export const RunRetentionUpdate = closed({
  ActivityId: Id,
  RunRetention: TypedNumber,
  RunDataRetention: TypedNumber,
  RunInputsRetention: TypedNumber,
  Revision: EditedRevision,
});
export type RunRetentionUpdate = Static<typeof RunRetentionUpdate>;

export const RetentionDetails = closed({ ...RunRetention.properties, ActivityName: Type.String(), Revision });
export type RetentionDetails = Static<typeof RetentionDetails>;

export const schedule = get('/api/activities/schedule/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Get the schedule of an activity',
  parts: { params: IdParams, result: ScheduleDetails },
});

export const updateSchedule = post('/api/activities/schedule', {
  access: needsOn('sk.EditActivity'),
  summary: 'Set the schedule of an activity',
  parts: { body: ScheduleUpdate, result: ScheduleDetails },
});

export const deleteSchedule = post('/api/activities/schedule/delete/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete the schedule of an activity',
  parts: { params: IdParams, result: Type.Null() },
});

export const runRetention = get('/api/activities/runRetention/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Get how long the runs of an activity are retained',
  parts: { params: IdParams, result: RetentionDetails },
});

export const updateRunRetention = post('/api/activities/runRetention', {
  access: needsOn('sk.EditActivity'),
  summary: 'Set how long the runs of an activity are retained',
  parts: { body: RunRetentionUpdate, result: RetentionDetails },
});

export const deleteRunRetention = post('/api/activities/runRetention/delete/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Delete the retention of an activity; its runs are then retained forever',
  parts: { params: IdParams, result: Type.Null() },
});
