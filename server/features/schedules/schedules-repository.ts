import type { Db, Dialect } from '#server/db/dialect/types.ts';
import type { NameColumns } from '#server/base/full-name.ts';

export interface ScheduleRow {
  ActivityId: number;
  UserId: number;
  ScheduleType: 'Daily';
  TimeOfDay: number;
  RetryCount: number;
  RetryInterval: number;
  TimeZone: string;
  NextTime: Date;
  /** When the schedule was paused; null if it is active. */
  PausedTime: Date | null;
}

export async function findSchedule(db: Db, activityId: number): Promise<(ScheduleRow & NameColumns) | undefined> {
  return db('ActivitySchedules as S')
    .join('Users as U', 'U.UserId', 'S.UserId')
    .where('S.ActivityId', activityId)
    .first<(ScheduleRow & NameColumns) | undefined>('S.*', 'U.FirstName', 'U.MiddleName', 'U.LastName');
}

export async function saveSchedule(db: Db, dialect: Dialect, row: ScheduleRow): Promise<void> {
  const { ActivityId: _, ...changing } = row;
  const update = Object.keys(changing);
  await dialect.upsert(db, { table: 'ActivitySchedules', rows: [{ ...row }], key: ['ActivityId'], update });
}

export async function removeSchedule(db: Db, activityId: number): Promise<boolean> {
  return (await db('ActivitySchedules').where('ActivityId', activityId).delete()) > 0;
}
