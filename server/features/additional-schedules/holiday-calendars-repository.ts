import type { Knex } from 'knex';
import { inRows } from '#server/db/in-rows.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { insertedId } from '#server/db/inserted-id.ts';
import type { TimetableRow } from '#server/automation/schedules/additional/schedule-row.ts';
import type { Holiday } from '#shared/contract/holiday-calendars.ts';

export interface CalendarRow {
  Id: number;
  Name: string;
  /** Weekday numbers, for example '67'. */
  Weekend: string;
}

export async function listCalendars(db: Db): Promise<(CalendarRow & { DayCount: number; ScheduleCount: number })[]> {
  const counted = (table: string): Knex.QueryBuilder =>
    db(table)
      .whereRaw('?? = ??', [`${table}.CalendarId`, 'H.Id'])
      .count('*');
  return db('HolidayCalendars as H')
    .orderBy('H.Name')
    .select<(CalendarRow & { DayCount: number; ScheduleCount: number })[]>(
      'H.*',
      counted('Holidays').as('DayCount'),
      counted('Timetables').as('ScheduleCount'),
    );
}

export async function findCalendar(db: Db, Id: number): Promise<CalendarRow | undefined> {
  return db('HolidayCalendars').where({ Id }).first();
}

export async function listDays(db: Db, CalendarId: number): Promise<Holiday[]> {
  return db('Holidays').where({ CalendarId }).orderBy('Day').select('Day', 'Name');
}

export async function insertCalendar(db: Db, row: Omit<CalendarRow, 'Id'>): Promise<number> {
  return insertedId(db('HolidayCalendars').insert(row).returning('Id'));
}

/** Returns false if there is no such calendar. */
export async function updateCalendar(db: Db, Id: number, row: Omit<CalendarRow, 'Id'>): Promise<boolean> {
  return (await db('HolidayCalendars').where({ Id }).update(row)) > 0;
}

export async function replaceDays(db: Db, CalendarId: number, days: readonly Holiday[]): Promise<void> {
  await db('Holidays').where({ CalendarId }).delete();
  await inRows(db, days, (part) => db('Holidays').insert(part.map((day) => ({ CalendarId, ...day }))));
}

export async function removeCalendar(db: Db, Id: number): Promise<boolean> {
  return (await db('HolidayCalendars').where({ Id }).delete()) > 0;
}

/**
 * Returns the schedules that use the calendar and whose next time is in the future. A time that is already due is not
 * changed.
 */
export async function listSchedulesUsingCalendar(db: Db, CalendarId: number, now: Date): Promise<TimetableRow[]> {
  return db('Timetables').where({ CalendarId, IsWaiting: false }).whereNull('PausedTime').where('NextTime', '>', now);
}
