/** Schedules of activities, for people who may edit them. server/automation/schedules/scheduler.ts starts what is due. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { fullName } from '#server/base/full-name.ts';
import { readAdditionalSchedules } from '#server/features/additional-schedules/schedule-summary-service.ts';
import { nextOccurrence } from '#server/automation/schedules/daily-occurrences.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import type { Person } from '#server/base/person.ts';
import type { AdditionalSchedules, Schedule, ScheduleDetails, ScheduleUpdate } from '#shared/contract/schedules.ts';
import { canBeScheduled } from '#shared/rules/schedule-rules.ts';
import { NOT_SCHEDULED, planText, readPlan, timesOf } from './schedule-plans.ts';
import { findSchedule, removeSchedule, saveSchedule } from './schedules-repository.ts';

export interface SchedulesService {
  get(person: Person, activityId: number): Promise<ScheduleDetails>;
  update(person: Person, schedule: ScheduleUpdate): Promise<ScheduleDetails>;
  delete(person: Person, activityId: number): Promise<void>;
}

/** The schedules of one activity: the daily schedule, null if there is none, and the others. */
export interface SchedulesOf {
  Schedule: Pick<ScheduleDetails, 'Schedule' | 'NextTime' | 'PausedTime' | 'TimeZone' | 'UserFullName'> | null;
  Further: AdditionalSchedules;
}

export interface SchedulesDeps {
  database: Database;
  access: ActivityAccess;
  activities: ActivitiesService;
  timeZone: string;
}

const scheduleOf = (activityId: number): EditedRecord => ({ table: 'ActivitySchedules', key: activityId });

export function createSchedulesService({ database, access, activities, timeZone }: SchedulesDeps): SchedulesService {
  const { knex, dialect } = database;

  async function get(person: Person, activityId: number): Promise<ScheduleDetails> {
    const { activity } = await access.requireEdit(knex, person, activityId);
    const Revision = await revisionOf(knex, scheduleOf(activityId));
    const [row, { Inputs }, Further] = await Promise.all([
      findSchedule(knex, activityId),
      activities.details(person, activityId),
      readAdditionalSchedules(knex, 'ActivityId', activityId),
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
      Revision,
    };
  }

  return {
    get,
    update: async (person, { ActivityId, UserId, Schedule, Revision }) => {
      const { CanSchedule } = await get(person, ActivityId);
      // A schedule runs as the person who saves it, so that nobody can use somebody else's rights.
      if (UserId !== person.UserId) throw new AppError('forbidden', 403, 'A schedule runs as the person who saves it');
      if (!CanSchedule) throw new AppError('needsInputs', 409, 'The activity has inputs, so it cannot be scheduled');
      const saved = readPlan(Schedule);
      const NextTime = nextOccurrence(await databaseTime(knex, database), saved.TimeOfDay, timeZone);
      // Saving a paused schedule resumes it.
      const times = { TimeZone: timeZone, NextTime, PausedTime: null };
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, scheduleOf(ActivityId), { person, Revision });
        await saveSchedule(trx, dialect, { ActivityId, UserId, ...saved, ...times });
      });
      return get(person, ActivityId);
    },
    delete: async (person, activityId) => {
      await access.requireEdit(knex, person, activityId);
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, scheduleOf(activityId), { person, Revision: null });
        if (!(await removeSchedule(trx, activityId)))
          throw new AppError('scheduleNotFound', 404, 'There is no schedule');
      });
    },
  };
}

/** Returns the schedule of an activity. The caller must have checked the rights. */
export async function readSchedule({ knex }: Pick<Database, 'knex'>, activityId: number): Promise<Schedule | null> {
  const row = await findSchedule(knex, activityId);
  return row ? { ActivityId: activityId, UserId: row.UserId, Schedule: planText(row) } : null;
}

/**
 * Returns the schedule with its next time and the person it runs as, and the activity's other schedules. The caller
 * must have checked the rights.
 */
export async function readSchedules({ knex }: Pick<Database, 'knex'>, activityId: number): Promise<SchedulesOf> {
  const [row, Further] = await Promise.all([
    findSchedule(knex, activityId),
    readAdditionalSchedules(knex, 'ActivityId', activityId),
  ]);
  if (!row) return { Schedule: null, Further };
  const Schedule = { Schedule: planText(row), ...timesOf(row), TimeZone: row.TimeZone, UserFullName: fullName(row) };
  return { Schedule, Further };
}
