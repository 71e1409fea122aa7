/** Holiday calendars: non-working days for schedules, created by administrators or imported from calendar files. */
import { Type, type Static } from 'typebox';
import { closed, EditedRevision, get, Id, IdParams, post, Revision, signedIn, userAdmin } from './endpoint.ts';
import { Weekday } from './additional-schedules.ts';

export const CALENDAR_NAME_MAX = 100;
export const HOLIDAY_NAME_MAX = 100;
export const HOLIDAYS_MAX = 3000;
/** Maximum number of characters in a calendar file. */
export const CALENDAR_FILE_MAX = 1_000_000;

export const Holiday = closed({
  /** Such as '2026-12-25'. */
  Day: Type.String({ format: 'date', pattern: '^(19|20|21)\\d\\d-' }),
  Name: Type.String({ maxLength: HOLIDAY_NAME_MAX }),
});
export type Holiday = Static<typeof Holiday>;

const Weekend = Type.Array(Weekday, { maxItems: 6, uniqueItems: true });

export const HolidayCalendar = closed({
  /** 0 creates a new calendar. */
  Id: Type.Integer({ minimum: 0 }),
  Name: Type.String({ minLength: 1, maxLength: CALENDAR_NAME_MAX, pattern: '\\S' }),
  /** Weekdays that are non-working. */
  Weekend,
  Days: Type.Array(Holiday, { maxItems: HOLIDAYS_MAX }),
  Revision,
});
export type HolidayCalendar = Static<typeof HolidayCalendar>;

export const HolidayCalendarUpdate = closed({ ...HolidayCalendar.properties, Revision: EditedRevision });
export type HolidayCalendarUpdate = Static<typeof HolidayCalendarUpdate>;

export const HolidayCalendarEntry = closed({
  Id,
  Name: Type.String(),
  Weekend,
  /** Number of its days, and number of schedules that use it. */
  DayCount: Type.Integer(),
  ScheduleCount: Type.Integer(),
});
export type HolidayCalendarEntry = Static<typeof HolidayCalendarEntry>;

export const CalendarFileDays = closed({
  Days: Type.Array(Holiday),
  /** Number of entries skipped because they are not whole days or lie outside the supported years. */
  LeftOut: Type.Integer(),
});
export type CalendarFileDays = Static<typeof CalendarFileDays>;

export const holidayCalendars = get('/api/holidayCalendars', {
  access: signedIn,
  summary: 'List the holiday calendars that schedules can use',
  parts: { result: Type.Array(HolidayCalendarEntry) },
});

export const holidayCalendar = get('/api/holidayCalendars/:id', {
  access: signedIn,
  summary: 'Get a holiday calendar with its days',
  parts: { params: IdParams, result: HolidayCalendar },
});

export const saveHolidayCalendar = post('/api/holidayCalendars', {
  access: userAdmin,
  summary: 'Create or update a holiday calendar; recalculates the next occurrences of schedules that use it',
  parts: { body: HolidayCalendarUpdate, result: HolidayCalendar },
});

export const deleteHolidayCalendar = post('/api/holidayCalendars/delete/:id', {
  access: userAdmin,
  summary: 'Delete a holiday calendar that no schedule uses',
  parts: { params: IdParams, result: Type.Null() },
});

export const readCalendarFile = post('/api/holidayCalendars/read', {
  access: userAdmin,
  summary: 'List the all-day events of a calendar file, from last year on, without storing anything',
  parts: { body: closed({ Text: Type.String({ maxLength: CALENDAR_FILE_MAX }) }), result: CalendarFileDays },
});
