/** Converts a stored schedule to its rule. */
import type { Db } from '#server/db/dialect/types.ts';
import type { TimetableRow } from './schedule-row.ts';
import type { ScheduleInput, RecurrencePlan } from '#shared/contract/additional-schedules.ts';
import { dayOf, type WorkingDays } from '#shared/rules/schedules/days.ts';
import type { OccurrenceRule } from './occurrences.ts';

export interface Calendar extends WorkingDays {
  name: string;
}

export async function readCalendar(db: Db, id: number | null): Promise<Calendar | null> {
  if (id === null) return null;
  const row = await db('HolidayCalendars').where('Id', id).first('Name', 'Weekend');
  if (!row) return null;
  const days = await db('Holidays').where('CalendarId', id).pluck('Day');
  return { name: row.Name, weekend: new Set(row.Weekend.split('').map(Number)), holidays: new Set(days.map(dayOf)) };
}

export function ruleOf(
  { PlanText, TimeZone, HolidayRule }: Pick<TimetableRow, 'PlanText' | 'TimeZone' | 'HolidayRule'>,
  calendar: WorkingDays | null,
): OccurrenceRule {
  return { plan: JSON.parse(PlanText) as RecurrencePlan, timeZone: TimeZone, calendar, holidayRule: HolidayRule };
}

export const inputsOf = ({ InputsText }: Pick<TimetableRow, 'InputsText'>): ScheduleInput[] =>
  JSON.parse(InputsText) as ScheduleInput[];
