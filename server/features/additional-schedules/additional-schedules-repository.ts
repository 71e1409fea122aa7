import type { NameColumns } from '#server/base/full-name.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { TimetableSlotsRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { TimetableRow } from '#server/automation/schedules/additional/schedule-row.ts';

/** The column with the id of what a schedule starts. */
export type OwnerColumn = 'ActivityId' | 'ChecklistId';

export type StoredSchedule = TimetableRow & NameColumns & { UserName: string; CalendarName: string | null };

export type OccurrenceRow = TimetableSlotsRow;

const NAMES = ['U.UserName', 'U.FirstName', 'U.MiddleName', 'U.LastName', 'H.Name as CalendarName'];

const stored = (db: Db) =>
  db('Timetables as T')
    .join('Users as U', 'U.UserId', 'T.UserId')
    .leftJoin('HolidayCalendars as H', 'H.Id', 'T.CalendarId')
    .select<StoredSchedule[]>('T.*', ...NAMES);

export async function listAdditionalSchedules(db: Db, column: OwnerColumn, ownerId: number): Promise<StoredSchedule[]> {
  return stored(db).where(`T.${column}`, ownerId).orderBy('T.Id');
}

export async function findAdditionalSchedule(
  db: Db,
  column: OwnerColumn,
  id: number,
): Promise<StoredSchedule | undefined> {
  return stored(db).where('T.Id', id).whereNotNull(`T.${column}`).first();
}

export async function countAdditionalSchedules(db: Db, column: OwnerColumn, ownerId: number): Promise<number> {
  const row = await db('Timetables').where(column, ownerId).count({ Count: '*' }).first<{
    Count: number;
  }>();
  return row.Count;
}

/**
 * Returns the earliest next time of the active schedules.
 * @param never the next time stored for schedules that have no further occurrence
 */
export async function findNextTime(db: Db, column: OwnerColumn, ownerId: number, never: Date): Promise<Date | null> {
  const row = await db('Timetables')
    .where(column, ownerId)
    .whereNull('PausedTime')
    .where('NextTime', '<', never)
    .min({ NextTime: 'NextTime' })
    .first<{ NextTime: Date | null }>();
  return row.NextTime;
}

/** Returns the newest occurrences of each schedule. */
export async function listOccurrences(db: Db, ids: readonly number[], limit: number): Promise<OccurrenceRow[]> {
  if (ids.length === 0) return [];
  const ranked = db('TimetableSlots')
    .whereIn('TimetableId', ids)
    .select('*')
    .rowNumber('Place', (over) => void over.partitionBy('TimetableId').orderBy('SlotTime', 'desc'))
    .as('Ranked');
  return db
    .from(ranked)
    .where('Place', '<=', limit)
    .orderBy([{ column: 'TimetableId' }, { column: 'SlotTime', order: 'desc' }])
    .select<OccurrenceRow[]>('TimetableId', 'SlotTime', 'Outcome', 'Message', 'RunId');
}

export type AdditionalScheduleColumns = Omit<TimetableRow, 'Id'>;

export async function insertAdditionalSchedule(db: Db, row: AdditionalScheduleColumns): Promise<number> {
  return insertedId(db('Timetables').insert(row).returning('Id'));
}

export async function updateAdditionalSchedule(
  db: Db,
  Id: number,
  row: Partial<AdditionalScheduleColumns>,
): Promise<void> {
  await db('Timetables').where({ Id }).update(row);
}

export async function deleteAdditionalSchedule(db: Db, Id: number): Promise<void> {
  await db('Timetables').where({ Id }).delete();
}

/** Marks failed runs as settled, so that they are not retried. */
export async function settleRuns(db: Db, column: OwnerColumn, row: TimetableRow, SettledTime: Date): Promise<void> {
  await db(column === 'ActivityId' ? 'ScheduledRuns' : 'ScheduledChecklistRuns')
    .where(column, row[column])
    .where('TimetableId', row.Id)
    .whereNull('SettledTime')
    .update({ SettledTime });
}
