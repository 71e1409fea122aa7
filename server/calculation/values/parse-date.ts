/**
 * Parses texts that Excel reads as a date, a time of day, or both. In English (United States), the month comes first
 * unless a four-digit year leads; elsewhere the region's order and names apply. Two-digit years 00 to 29 are 2000 to
 * 2029. Source: Microsoft, DATEVALUE, TIMEVALUE, 'Change the date system, format, or two-digit year interpretation',
 * and Excel's behavior.
 */
import { englishMonthOf, toSerial } from '#shared/codecs/serial-date.ts';
import { englishDate } from './region/local-text.ts';
import { currentRegion, UNITED_STATES } from './region/region.ts';

/**
 * Serial number of the day in the 1900 date system, and fraction of a day; null for the part that the text does not
 * have.
 */
export interface DateText {
  day: number | null;
  time: number | null;
}

/** Maximum number of hours, minutes or seconds. */
const MAX_TIME_PART = 9999;
const DAY_SECONDS = 86_400;
/** Longer texts are not dates. */
const MAX_TEXT_LENGTH = 60;

/** Returns the date and time of a text, or null if it is neither. `year` is used if the text has no year. */
export function readDateText(text: string, year = currentYear()): DateText | null {
  if (text.length > MAX_TEXT_LENGTH || !/\d/.test(text)) return null;
  const region = currentRegion();
  return readEnglishDate(region === UNITED_STATES ? text : englishDate(text, region), year);
}

/** Reads English names and marks, in the order of the region. */
function readEnglishDate(text: string, year: number): DateText | null {
  const trimmed = text.trim();
  // Unlike numbers, dates and times must not be surrounded by spaces.
  if (text !== trimmed) return null;
  if (!trimmed.includes(':') && !/ ?[ap]m?$/i.test(trimmed)) return dayOnly(trimmed, year);
  const time = parseTime(trimmed);
  if (time !== null) return { day: null, time };
  return dayAndTime(trimmed, year);
}

function dayOnly(text: string, year: number): DateText | null {
  const day = parseDay(text, year);
  return day === null ? null : { day, time: null };
}

const TIME_BEHIND = /^(.+?) +(\d{1,4}(?::\d{1,2}){0,2}(?:\.\d*)?(?: +[ap]m?)?)$/i;
const TIME_AHEAD = /^(\d{1,4}(?::\d{1,2}){1,2}(?:\.\d*)?(?: +[ap]m?)?) +(.+)$/i;

function dayAndTime(text: string, year: number): DateText | null {
  const behind = TIME_BEHIND.exec(text);
  const ahead = behind ? null : TIME_AHEAD.exec(text);
  if (!behind && !ahead) return null;
  const time = parseTime((behind?.[2] ?? ahead?.[1])!);
  const day = parseDay((behind?.[1] ?? ahead?.[2])!, year);
  return day === null || time === null ? null : { day, time };
}

/** A blank must precede 'am' and 'pm': '8:00am' is a text. Source: results saved by Excel. */
const CLOCK = /^(\d{1,4})(?::(\d{1,4}))?(?::(\d{1,4}))?(?:(\.\d*))?(?: +([ap])m?)?$/i;

function parseTime(text: string): number | null {
  const match = CLOCK.exec(text);
  if (!match) return null;
  const [, first, second, third, fraction, half] = match;
  if (second === undefined && (half === undefined || fraction !== undefined)) return null;
  // '12:30.5' is minutes and seconds, '12:30.' is not.
  const shifted = fraction !== undefined && fraction !== '.' && third === undefined;
  const [hours, minutes, seconds] = shifted ? ['0', first, second] : [first, second, third];
  const clock = { hours: Number(hours), minutes: Number(minutes ?? 0), seconds: Number(seconds ?? 0) };
  if (!(shifted ? fits([clock.minutes, clock.seconds], [60, 60]) : fits(Object.values(clock), [24, 60, 60])))
    return null;
  if (half !== undefined) {
    if (clock.hours > 12) return null;
    clock.hours = (clock.hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  const part = fraction === undefined || fraction === '.' ? 0 : Number(fraction);
  return (clock.hours * 3600 + clock.minutes * 60 + clock.seconds + part) / DAY_SECONDS;
}

/** One part may exceed its limit, as in '25:00' and '23:99'. Source: texts and numbers saved by Excel. */
function fits(parts: readonly number[], limits: readonly number[]): boolean {
  const over = parts.filter((part, index) => part >= limits[index]!);
  return over.length === 0 || (over.length === 1 && over[0]! <= MAX_TIME_PART);
}

const NUMBERS = /^(\d{1,4}) ?[-/] ?(\d{1,4})(?: ?[-/] ?(\d{1,4}))?$/;
const DAY_MONTH = /^(\d{1,2})[-/ ]*([a-z]{3,9})\.?(?:[-/ ]*,?[-/ ]*(\d{1,4}))?$/i;
const MONTH_DAY = /^([a-z]{3,9})\.?[-/ ]*(\d{1,4})(?:(?: *, *|[-/ ]+)(\d{1,4}))?$/i;
const YEAR_MONTH_DAY = /^(\d{4})[-/ ]+([a-z]{3,9})[-/ ]+(\d{1,2})$/i;

function parseDay(text: string, year: number): number | null {
  const numbers = NUMBERS.exec(text);
  if (numbers) return numericDay(numbers[1]!, numbers[2]!, numbers[3], year);
  const dayFirst = DAY_MONTH.exec(text);
  if (dayFirst) {
    const month = englishMonthOf(dayFirst[2]!);
    const full = dayFirst[3] === undefined ? year : fullYear(dayFirst[3]);
    return serial(full, month, Number(dayFirst[1]));
  }
  const monthFirst = MONTH_DAY.exec(text);
  if (monthFirst) return namedMonth(englishMonthOf(monthFirst[1]!), monthFirst[2]!, monthFirst[3], year);
  const yearFirst = YEAR_MONTH_DAY.exec(text);
  return yearFirst ? serial(Number(yearFirst[1]), englishMonthOf(yearFirst[2]!), Number(yearFirst[3])) : null;
}

function numericDay(first: string, second: string, third: string | undefined, year: number): number | null {
  if (first.length > 2) {
    if (first.length === 3 || second.length > 2) return null;
    return serial(Number(first), Number(second), Number(third ?? 1));
  }
  const { dayOrder, isEastAsian } = currentRegion();
  if (dayOrder === 'dmy') return dayMonth(first, second, third, year);
  if (dayOrder === 'ymd' && third !== undefined) {
    if (third.length <= 2) return serial(fullYear(first), Number(second), Number(third));
    // '1/4/2003' is a date in China but not in Canada, where '1/4/03' is in 2001. Source: values saved by Excel.
    if (!isEastAsian) return null;
  }
  return monthDay(Number(first), second, third, year);
}

/** '28/2' is a day of the current year, '2/30' and '2/2030' are months. */
function dayMonth(first: string, second: string, third: string | undefined, year: number): number | null {
  if (third !== undefined) return second.length > 2 ? null : serial(fullYear(third), Number(second), Number(first));
  if (second.length > 2) return serial(fullYear(second), Number(first), 1);
  return serial(year, Number(second), Number(first)) ?? serial(fullYear(second), Number(first), 1);
}

/** 'May-25' is a day where months come first, and May 2025 where days come first. */
function namedMonth(month: number, second: string, third: string | undefined, year: number): number | null {
  const isYear = third === undefined && second.length === 2 && currentRegion().dayOrder === 'dmy';
  return isYear ? serial(fullYear(second), month, 1) : monthDay(month, second, third, year);
}

/** 'Feb 28' is a day of the current year, 'Feb 30' and 'Feb 2030' are months. */
function monthDay(month: number, second: string, third: string | undefined, year: number): number | null {
  if (third !== undefined) return second.length > 2 ? null : serial(fullYear(third), month, Number(second));
  if (second.length > 2) return serial(fullYear(second), month, 1);
  return serial(year, month, Number(second)) ?? serial(fullYear(second), month, 1);
}

/** Excel uses the current year of the computer's clock if a date has none. */
const currentYear = (): number => new Date().getFullYear();

/** Three-digit years are invalid: NaN yields no date. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return text.length === 4 ? year : Number.NaN;
  return year < 30 ? 2000 + year : 1900 + year;
}

function serial(year: number, month: number, day: number): number | null {
  if (!(year >= 1900) || month < 1 || month > 12 || day < 1 || day > 31) return null;
  return toSerial({ year, month, day });
}
