/** Schedules for those who may edit an activity. What is due is started by server/jobs/schedules/scheduler.ts. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/features/activities/activity-access.ts';
import { fullName } from '#server/base/full-name.ts';
import { readFurther } from '#server/features/timetables/further-schedules.ts';
import { nextSlot } from '#server/jobs/schedules/daily-slots.ts';
import { databaseTime } from '#server/jobs/schedules/scheduler.ts';
import type { Person } from '#server/base/person.ts';
import type { FurtherSchedules, Schedule, ScheduleDetails } from '#shared/contract/schedules.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';
import { NOT_SCHEDULED, planText, readPlan, timesOf } from './schedule-plans.ts';
import { findSchedule, removeSchedule, saveSchedule } from './schedules-repository.ts';

export interface SchedulesService {
  get(person: Person, activityId: number): Promise<ScheduleDetails>;
  update(person: Person, schedule: Schedule): Promise<ScheduleDetails>;
  delete(person: Person, activityId: number): Promise<void>;
}

/** Of one activity: the daily schedule, null where there is none, and those beside it. */
export interface SchedulesOf {
  Schedule: Pick<ScheduleDetails, 'Schedule' | 'NextTime' | 'PausedTime' | 'TimeZone' | 'UserFullName'> | null;
  Further: FurtherSchedules;
}

export interface SchedulesDeps {
  database: Database;
  access: ActivityAccess;
  activities: ActivitiesService;
  timeZone: string;
}

export function createSchedulesService({ database, access, activities, timeZone }: SchedulesDeps): SchedulesService {
  const { knex, dialect } = database;

  async function get(person: Person, activityId: number): Promise<ScheduleDetails> {
    const { activity } = await access.requireEdit(knex, person, activityId);
    const [row, { Inputs }, Further] = await Promise.all([
      findSchedule(knex, activityId),
      activities.details(person, activityId),
      readFurther(knex, 'ActivityId', activityId),
    ]);
    return {
      ActivityId: activityId,
      ActivityName: activity.Name,
      UserId: row?.UserId ?? null,
      UserFullName: row ? fullName(row) : null,
      Schedule: row ? planText(row) : null,
      ...(row ? timesOf(row) : NOT_SCHEDULED),
      TimeZone: timeZone,
      CanSchedule: canBeScheduled(Inputs),
      Further,
    };
  }

  return {
    get,
    update: async (person, { ActivityId, UserId, Schedule }) => {
      const { CanSchedule } = await get(person, ActivityId);
      // Whoever saves it is whom it runs as: nobody lends themselves the rights of another.
      if (UserId !== person.UserId) throw new AppError('forbidden', 403, 'A schedule runs as the person who saves it');
      if (!CanSchedule)
        throw new AppError('needsInputs', 409, 'The activity has inputs, so that it cannot be scheduled');
      const saved = readPlan(Schedule);
      const NextTime = nextSlot(await databaseTime(knex, database), saved.TimeOfDay, timeZone);
      // Saving it is saying that it shall run.
      const times = { TimeZone: timeZone, NextTime, PausedTime: null };
      await saveSchedule(knex, dialect, { ActivityId, UserId, ...saved, ...times });
      return get(person, ActivityId);
    },
    delete: async (person, activityId) => {
      await access.requireEdit(knex, person, activityId);
      if (!(await removeSchedule(knex, activityId)))
        throw new AppError('scheduleNotFound', 404, 'There is no schedule');
    },
  };
}

/** The schedule of an activity, for a caller who has made sure that it may be told. */
export async function readSchedule({ knex }: Pick<Database, 'knex'>, activityId: number): Promise<Schedule | null> {
  const row = await findSchedule(knex, activityId);
  return row ? { ActivityId: activityId, UserId: row.UserId, Schedule: planText(row) } : null;
}

/** The same with its next time and the person it runs as, and the further schedules. */
export async function readSchedules({ knex }: Pick<Database, 'knex'>, activityId: number): Promise<SchedulesOf> {
  const [row, Further] = await Promise.all([
    findSchedule(knex, activityId),
    readFurther(knex, 'ActivityId', activityId),
  ]);
  if (!row) return { Schedule: null, Further };
  const Schedule = { Schedule: planText(row), ...timesOf(row), TimeZone: row.TimeZone, UserFullName: fullName(row) };
  return { Schedule, Further };
}
