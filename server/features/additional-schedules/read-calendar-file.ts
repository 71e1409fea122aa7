/**
 * Reads whole days from an iCalendar file. Limits ensure that a hostile file neither takes long nor leaves more than
 * days and names.
 */
import { convertIcsCalendar, extendByRecurrenceRule, type IcsEvent } from 'ts-ics';
import { AppError } from '#server/base/app-error.ts';
import { HOLIDAY_NAME_MAX, HOLIDAYS_MAX, type CalendarFileDays } from '#shared/contract/holiday-calendars.ts';
import { isoOf } from '#shared/rules/schedules/days.ts';

const DAY_MS = 86_400_000;
const MAX_EVENTS = 5000;
const MAX_LINE_LENGTH = 20_000;
/** Maximum number of days of one holiday. */
const MAX_EVENT_DAYS = 60;
const YEARS_AHEAD = 10;
const FREQUENCIES = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);

/** Throws an AppError 400 if the text is not a calendar. @param today days since 1970 */
export function readCalendarFile(text: string, today: number): CalendarFileDays {
  const events = readEvents(text);
  const from = today - 366;
  const to = today + YEARS_AHEAD * 366;
  const days = new Map<number, string>();
  let LeftOut = 0;
  for (const event of events) {
    const found = daysOf(event, from, to);
    if (found.length === 0) LeftOut += 1;
    for (const day of found) days.set(day, nameOf(event));
    if (days.size > HOLIDAYS_MAX) {
      throw new AppError('calendarTooLong', 400, `The file has more than ${HOLIDAYS_MAX} days`);
    }
  }
  const Days = [...days].toSorted(([a], [b]) => a - b).map(([day, Name]) => ({ Day: isoOf(day), Name }));
  return { Days, LeftOut };
}

function readEvents(text: string): IcsEvent[] {
  const lines = text.split(/\r?\n/);
  const isCalendar = /^\uFEFF?BEGIN:VCALENDAR\s*$/i.test(lines[0] ?? '');
  const count = lines.filter((line) => /^BEGIN:VEVENT\s*$/i.test(line)).length;
  const notOne = (cause?: unknown) =>
    new AppError('calendarInvalid', 400, 'The file is not an iCalendar file', { cause });
  if (!isCalendar || lines.some((line) => line.length > MAX_LINE_LENGTH)) throw notOne();
  if (count > MAX_EVENTS) throw new AppError('calendarTooLong', 400, `The file has more than ${MAX_EVENTS} entries`);
  try {
    return convertIcsCalendar(undefined, text.replace(/^\uFEFF/, '')).events ?? [];
  } catch (cause) {
    throw notOne(cause);
  }
}

/** Returns an empty array if the event does not consist of whole days, or has no date. */
function daysOf(event: IcsEvent, from: number, to: number): number[] {
  if (event.start?.type !== 'DATE') return [];
  const first = event.start.date.getTime() / DAY_MS;
  const end = event.end ? event.end.date.getTime() / DAY_MS : first + 1;
  if (!Number.isInteger(first) || !Number.isInteger(end) || end - first > MAX_EVENT_DAYS) return [];
  const length = Math.max(1, end - first);
  return startsOf(event, first, to)
    .flatMap((start) => Array.from({ length }, (_, index) => start + index))
    .filter((day) => day >= from && day <= to);
}

function startsOf(event: IcsEvent, first: number, to: number): number[] {
  const rule = event.recurrenceRule;
  if (!rule) return [first];
  // A rule that repeats every second, or starts in the year 1, would take hours to expand.
  if (!FREQUENCIES.has(rule.frequency ?? '') || first < 0) return [];
  const exceptions = (event.exceptionDates ?? []).map(({ date }) => date);
  const repeated = extendByRecurrenceRule(rule, {
    start: new Date(first * DAY_MS),
    end: new Date(to * DAY_MS),
    exceptions,
  });
  return repeated.map((date) => Math.round(date.getTime() / DAY_MS));
}

function nameOf({ summary }: IcsEvent): string {
  const text = (summary ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ');
  return text.trim().slice(0, HOLIDAY_NAME_MAX);
}
