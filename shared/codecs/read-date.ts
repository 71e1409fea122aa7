/**
 * Parses dates, times and durations as Excel shows them and users type them: '31-Jan-26', '1/31/2026', '31. Januar
 * 2026', '2026-01-31', '21:30', '9:30 PM', '37:30'. Each is accepted only if it fits the format of the cell. Source of
 * two-digit years: Microsoft, 'Change the date system, format, or two-digit year interpretation'.
 */
import { dateFormatOf, type DateFormat } from './date-format.ts';
import { monthOf, withoutWeekday } from './month-names.ts';
import { formatSerialDate, isSerialDate, toSerial } from './serial-date.ts';
import { plainText, MAX_VALUE_LENGTH, type DayOrder, type Reading, type TextRegion } from './text-region.ts';

/** Properties of a cell that determine how dates typed into it are interpreted. */
export interface DateCell {
  /** Excel's number format. */
  format: string;
  /** Undefined if nothing in the workbook indicates its region: ambiguous dates are then read as day first. */
  region?: TextRegion;
  /** Order used by the other dates pasted with it; 'mixed' if they contradict each other. */
  pastedOrder?: PastedOrder;
}

export type PastedOrder = DayOrder | 'mixed';

/** Such a text is not a date: every date and time has a separator or a word between its numbers. */
const DIGITS_ALONE = /^\d+$/;

/**
 * Returns the serial number that a text represents in a cell, which may also be a non-date cell; null if the text is
 * not a date or time.
 */
export function readDate(text: string, cell: DateCell): Reading | null {
  if (text.length > MAX_VALUE_LENGTH || DIGITS_ALONE.test(text)) return null;
  const format = dateFormatOf(cell.format);
  const [, positive] = format.kind === 'duration' ? (/^- ?(\d.*)$/.exec(plainText(text)) ?? []) : [];
  if (positive !== undefined) return negative(readDate(positive, cell));
  const { rest, clock } = splitClock(plainText(text).replace(/ uhr$/i, ''));
  const isElapsed = format.kind === 'duration' || (format.kind === 'any' && rest === '');
  const time = clock === null ? 0 : timeOf(clock, format, isElapsed);
  if (time === null || !fits(format, rest !== '', clock !== null)) return null;
  if (rest === '') return clock && isSerialDate(time) ? { value: time, note: clockNote(clock, format, time) } : null;
  const day = readDay(withoutWeekday(rest, cell.region?.Id), cell, format);
  return day && isSerialDate(day.value + time) ? { ...day, value: day.value + time } : null;
}

/** A negative duration, such as the difference of two durations. */
function negative(reading: Reading | null): Reading | null {
  return (
    reading && {
      value: reading.value === 0 ? 0 : -reading.value,
      note: reading.note?.replace(/(?<= as )/, '-') ?? null,
    }
  );
}

/**
 * Returns whether a cell with this format accepts a day, a time, or both. A time without a day in a column of days is a
 * mistake.
 */
function fits({ kind }: DateFormat, hasDay: boolean, hasClock: boolean): boolean {
  if (kind === 'time') return hasClock;
  if (kind === 'duration') return hasClock && !hasDay;
  return hasDay || kind === 'any';
}

interface Clock {
  numbers: [number, number?, number?];
  /** Fraction of a second. */
  part: number;
  half: 'a' | 'p' | null;
}

const CLOCK = /(?:^|[ T,])(\d{1,7})(?::(\d{1,2}))?(?::(\d{1,2}))?(?:[.,](\d{1,9}))?(?: ?([ap])\.?(?:m\.?)?)?$/i;

/** Splits off the time at the end of a text; clock is null if there is none. */
function splitClock(text: string): { rest: string; clock: Clock | null } {
  const match = CLOCK.exec(text);
  const [, first, second, third, part, half] = match ?? [];
  const isClock = second !== undefined || (half !== undefined && part === undefined);
  if (!match || !isClock) return { rest: text, clock: null };
  const later = [second, third].flatMap((number) => (number === undefined ? [] : [Number(number)]));
  return {
    rest: text.slice(0, match.index).replace(/,$/, '').trim(),
    clock: {
      numbers: [Number(first), ...later] as Clock['numbers'],
      part: part === undefined ? 0 : Number(`0.${part}`),
      half: half === undefined ? null : (half.toLowerCase() as 'a' | 'p'),
    },
  };
}

/**
 * Returns whether two numbers mean minutes and seconds. '12:30' means hours and minutes unless the cell shows no hours,
 * or a fraction of a second follows.
 */
const isMinutes = ({ numbers, part, half }: Clock, { kind, hours }: DateFormat): boolean =>
  numbers.length === 2 && half === null && (part !== 0 || (kind !== 'any' && kind !== 'date' && !hours));

/** Returns the time as a fraction of a day, which may exceed 1 for elapsed times; null if the time is invalid. */
function timeOf(clock: Clock, format: DateFormat, isElapsed: boolean): number | null {
  const [first, second = 0, third = 0] = clock.numbers;
  const [hours, minutes, seconds] = isMinutes(clock, format) ? [0, first, second] : [first, second, third];
  const hasHours = !isMinutes(clock, format);
  if (seconds > 59 || (minutes > 59 && (hasHours || !isElapsed))) return null;
  if (clock.half !== null && (hours < 1 || hours > 12)) return null;
  if (hours > 23 && !isElapsed) return null;
  const hour = clock.half === null ? hours : (hours % 12) + (clock.half === 'p' ? 12 : 0);
  return (hour * 3600 + minutes * 60 + seconds + clock.part) / 86_400;
}

function clockNote(clock: Clock, format: DateFormat, time: number): string | null {
  if (!isMinutes(clock, format) || clock.part !== 0) return null;
  const seconds = Math.round(time * 86_400);
  return `read as ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const NUMBERS = /^(\d{1,4}) ?[-/. ] ?(\d{1,2}) ?[-/. ] ?(\d{1,4})\.?$/;
const DAY_MONTH = /^(\d{1,2})[-/., ]*(\p{L}{3,}\.?)[-/., ]*(\d{2}|\d{4})$/u;
const MONTH_DAY = /^(\p{L}{3,}\.?)[-/. ]*(\d{1,2})(?: ?, ?|[-/ ]+)(\d{2}|\d{4})$/u;
const YEAR_MONTH_DAY = /^(\d{4})[-/. ]+(\p{L}{3,}\.?)[-/. ]+(\d{1,2})$/u;
const MONTH_YEAR = /^(\p{L}{3,}\.?)[-/., ]*(\d{2}|\d{4})$/u;
const NUMBER_YEAR = /^(\d{1,2})[-/.](\d{4})$/;
const EAST_ASIAN = /^(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]$/u;

function readDay(text: string, cell: DateCell, format: DateFormat): Reading | null {
  const numbers = NUMBERS.exec(text);
  if (numbers) return inDigits([numbers[1]!, numbers[2]!, numbers[3]!], cell);
  const plain = text.replace(/ de(?:l)? /gi, ' ');
  const month = (word: string | undefined): number => monthOf(word ?? '', cell.region?.Id, format.months);
  const eastAsian = EAST_ASIAN.exec(text);
  if (eastAsian) return sure(serialOf(eastAsian[1]!, Number(eastAsian[2]), Number(eastAsian[3])));
  const dayFirst = DAY_MONTH.exec(plain);
  if (dayFirst) return sure(serialOf(dayFirst[3]!, month(dayFirst[2]), Number(dayFirst[1])));
  const monthFirst = MONTH_DAY.exec(plain);
  if (monthFirst) return sure(serialOf(monthFirst[3]!, month(monthFirst[1]), Number(monthFirst[2])));
  const yearFirst = YEAR_MONTH_DAY.exec(plain);
  if (yearFirst) return sure(serialOf(yearFirst[1]!, month(yearFirst[2]), Number(yearFirst[3])));
  // If the cell shows only months, a month stands for its first day.
  if (format.daysOfMonth) return null;
  const [, word, year] = MONTH_YEAR.exec(plain) ?? [];
  const [, digits, fullYear] = NUMBER_YEAR.exec(plain) ?? [];
  return noted(serialOf(year ?? fullYear ?? '', word === undefined ? Number(digits ?? 0) : month(word), 1));
}

/**
 * Interprets three numbers: with a four-digit number first, it is the year; otherwise the order of the region applies.
 */
function inDigits([first, second, third]: [string, string, string], cell: DateCell): Reading | null {
  if (first.length > 2) return third.length > 2 ? null : sure(serialOf(first, Number(second), Number(third)));
  const dmy = serialOf(third, Number(second), Number(first));
  const mdy = serialOf(third, Number(first), Number(second));
  const ymd = third.length > 2 ? null : serialOf(first, Number(second), Number(third));
  const order = cell.region?.DayOrder ?? cell.pastedOrder;
  if (order === 'mixed') return dmy === null || mdy === null || dmy === mdy ? sure(dmy ?? mdy) : null;
  const inOrder = { dmy, mdy, ymd };
  // A year-first order does not determine the reading of dates that end with the year.
  const isOrderKnown = order !== undefined && !(order === 'ymd' && ymd === null);
  const value = isOrderKnown ? inOrder[order] : (dmy ?? mdy);
  const isOdd = third.length <= 2 || [dmy, mdy].some((other) => other !== null && other !== value);
  return isOdd ? noted(value) : sure(value);
}

/**
 * Determines the order used by the dates of one pasted column: 'mdy' if some can be read only that way, 'mixed' if they
 * contradict each other. Undefined if all are ambiguous. Used for workbooks with an unknown region.
 */
export function orderOfPasted(texts: readonly string[]): PastedOrder | undefined {
  const orders = new Set<DayOrder>();
  for (const text of texts) {
    const isNone = text.length > MAX_VALUE_LENGTH || DIGITS_ALONE.test(text);
    const numbers = isNone ? null : NUMBERS.exec(splitClock(plainText(text)).rest);
    if (!numbers || numbers[1]!.length > 2) continue;
    const dmy = serialOf(numbers[3]!, Number(numbers[2]), Number(numbers[1]));
    const mdy = serialOf(numbers[3]!, Number(numbers[1]), Number(numbers[2]));
    if (dmy !== null && mdy === null) orders.add('dmy');
    if (mdy !== null && dmy === null) orders.add('mdy');
  }
  return orders.size > 1 ? 'mixed' : [...orders][0];
}

function serialOf(year: string, month: number, day: number): number | null {
  if (year.length !== 2 && year.length !== 4) return null;
  const number = Number(year);
  const full = year.length === 4 ? number : number < 30 ? 2000 + number : 1900 + number;
  return month < 1 || month > 12 ? null : toSerial({ year: full, month, day });
}

const sure = (value: number | null): Reading | null => (value === null ? null : { value, note: null });
const noted = (value: number | null): Reading | null =>
  value === null ? null : { value, note: `read as ${formatSerialDate(value)}` };
