/** Functions that build dates and times from their parts and extract the parts. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { typed } from '../typed.ts';
import { bookDay, calendarDay, dayOf, monthLength, serialOfDay, weekdayOf, type CalendarDay } from './calendar.ts';
import { bookDateText } from './date-text.ts';

const DAY_SECONDS = 86_400;
const MAX_TIME_PART = 32_767;

function date(year: number, month: number, day: number, context: CallContext): number | CellError {
  const whole = Math.floor(year);
  const full = whole < 1900 ? whole + 1900 : whole;
  if (whole < 0 || full > 9999) return NUM_ERROR;
  // The month must be within Excel's range, even if the day argument moves the date back into it.
  const months = full * 12 + Math.floor(month) - 1;
  if (months < 1900 * 12 || months >= 10_000 * 12) return NUM_ERROR;
  return bookDay(serialOfDay(full, Math.floor(month), Math.floor(day)), context);
}

function time(hours: number, minutes: number, seconds: number): number | CellError {
  const parts = [hours, minutes, seconds].map(Math.trunc) as [number, number, number];
  if (parts.some((part) => part > MAX_TIME_PART)) return NUM_ERROR;
  const total = parts[0] * 3600 + parts[1] * 60 + parts[2];
  return total < 0 ? NUM_ERROR : (total % DAY_SECONDS) / DAY_SECONDS;
}

function dayPart(name: string, part: (day: CalendarDay) => number): FunctionDefinition {
  return typed(name, 'd', ([serial], context) => {
    const day = dayOf(serial, context);
    return typeof day === 'number' ? part(calendarDay(day)) : day;
  });
}

/** Times are rounded to the second before a part is extracted. */
function timePart(name: string, part: (seconds: number) => number): FunctionDefinition {
  return typed(name, 'd', ([serial], context) => {
    const day = dayOf(serial, context);
    if (typeof day !== 'number') return day;
    return part(Math.floor((serial - Math.floor(serial)) * DAY_SECONDS + 0.5) % DAY_SECONDS);
  });
}

/** Returns the same day some months later, or the last day of a shorter month. */
function addMonths(serial: number, months: number, toEnd: boolean, context: CallContext): number | CellError {
  const start = dayOf(serial, context);
  if (typeof start !== 'number') return start;
  const { year, month, day } = calendarDay(start);
  const target = year * 12 + month - 1 + Math.trunc(months);
  const [newYear, newMonth] = [Math.floor(target / 12), (target % 12) + 1];
  if (newYear < 1900 || newYear > 9999) return NUM_ERROR;
  const last = monthLength(newYear, newMonth);
  return bookDay(serialOfDay(newYear, newMonth, toEnd ? last : Math.min(day, last)), context);
}

/** First day of the week (0 is Sunday) by return type. */
const WEEK_STARTS: Readonly<Record<number, number>> = {
  1: 0,
  2: 1,
  3: 1,
  11: 1,
  12: 2,
  13: 3,
  14: 4,
  15: 5,
  16: 6,
  17: 0,
};

function weekday(serial: number, type: number, context: CallContext): number | CellError {
  const kind = Math.trunc(type);
  const start = WEEK_STARTS[kind];
  const day = dayOf(serial, context);
  if (start === undefined) return NUM_ERROR;
  if (typeof day !== 'number') return day;
  const index = (weekdayOf(day) - start + 7) % 7;
  return kind === 3 ? index : index + 1;
}

function weekNumber(serial: number, type: number, context: CallContext): number | CellError {
  const kind = Math.trunc(type);
  const day = dayOf(serial, context);
  if (typeof day !== 'number') return day;
  if (kind === 21) return isoWeek(day);
  const start = kind === 3 ? undefined : WEEK_STARTS[kind];
  if (start === undefined) return NUM_ERROR;
  const first = serialOfDay(calendarDay(day).year, 1, 1);
  return Math.floor((day - first + ((weekdayOf(first) - start + 7) % 7)) / 7) + 1;
}

/** The first week of a year contains its first Thursday. Source: ISO 8601. */
function isoWeek(day: number): number {
  const thursday = day + 3 - ((weekdayOf(day) + 6) % 7);
  const year = thursday < 1 ? 1899 : thursday > 2_958_465 ? 10_000 : calendarDay(thursday).year;
  return Math.floor((thursday - serialOfDay(year, 1, 1)) / 7) + 1;
}

export const datePartFunctions: FunctionDefinition[] = [
  typed('DATE', 'nnn', ([year, month, day], context) => date(year, month, day, context)),
  typed('TIME', 'nnn', ([hours, minutes, seconds]) => time(hours, minutes, seconds)),
  dayPart('YEAR', ({ year }) => year),
  dayPart('MONTH', ({ month }) => month),
  dayPart('DAY', ({ day }) => day),
  timePart('HOUR', (seconds) => Math.floor(seconds / 3600)),
  timePart('MINUTE', (seconds) => Math.floor(seconds / 60) % 60),
  timePart('SECOND', (seconds) => seconds % 60),
  typed('WEEKDAY', 'dn', ([serial, type], context) => weekday(serial, type, context), {
    required: 1,
    defaults: [undefined, 1],
  }),
  typed('WEEKNUM', 'dn', ([serial, type], context) => weekNumber(serial, type, context), {
    required: 1,
    defaults: [undefined, 1],
    noBooleans: true,
  }),
  typed('ISOWEEKNUM', 'd', ([serial], context) => weekNumber(serial, 21, context)),
  typed('EDATE', 'dn', ([serial, months], context) => addMonths(serial, months, false, context), {
    noBooleans: true,
  }),
  typed('EOMONTH', 'dn', ([serial, months], context) => addMonths(serial, months, true, context), {
    noBooleans: true,
  }),
  typed('DATEVALUE', 't', ([text], context) => {
    const found = bookDateText(text, context);
    return found ? (found.day ?? 0) : VALUE_ERROR;
  }),
  typed('TIMEVALUE', 't', ([text], context) => {
    const found = bookDateText(text.trim(), context);
    return found ? (found.time ?? 0) % 1 : VALUE_ERROR;
  }),
  defineFunction('NOW', '', (_, context) => bookDay(context.now, context), { volatile: true }),
  defineFunction('TODAY', '', (_, context) => bookDay(Math.floor(context.now), context), { volatile: true }),
];
