/**
 * Spreadsheet serial days: 1 is 1900-01-01, and the fraction is the time of day, without a time zone. As in Excel, 60
 * is the nonexistent day 1900-02-29. Source: ECMA-376 part 1, 18.17.4.1. Workbooks of the 1904 system are converted
 * when they are read and written (see shiftTo1904); all other code uses the 1900 system.
 */

export interface DateParts {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

const DAY_MS = 86_400_000;
/** Serial day of 1970-01-01. */
const UNIX_EPOCH_SERIAL = 25_569;
/** 9999-12-31, the last day in Excel. */
export const MAX_SERIAL = 2_958_465;
/** Days between the two date systems. */
const DAYS_1904 = 1462;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Month names for displaying dates, from January. */
export const MONTH_NAMES: readonly string[] = MONTHS;

/** Returns whether Excel could show the number as a date: from 0 to the end of 9999-12-31. */
export function isSerialDate(serial: number): boolean {
  return Number.isFinite(serial) && serial >= 0 && serial < MAX_SERIAL + 1;
}

/** Returns the parts of a serial day, rounded to the millisecond; null if Excel could not show it as a date. */
export function fromSerial(serial: number): DateParts | null {
  if (!isSerialDate(serial)) return null;
  const ms = Math.round(serial * DAY_MS);
  const days = Math.floor(ms / DAY_MS);
  const time = ms - days * DAY_MS;
  const clock = {
    hour: Math.floor(time / 3_600_000),
    minute: Math.floor(time / 60_000) % 60,
    second: Math.floor(time / 1000) % 60,
    millisecond: time % 1000,
  };
  if (days === 60) return { year: 1900, month: 2, day: 29, ...clock };
  if (days === 0) return { year: 1900, month: 1, day: 0, ...clock };
  const date = new Date((days + (days < 60 ? 1 : 0) - UNIX_EPOCH_SERIAL) * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), ...clock };
}

/** Returns the serial day of a calendar day and time; null if the day does not exist or lies outside 1900 to 9999. */
export function toSerial(parts: Pick<DateParts, 'year' | 'month' | 'day'> & Partial<DateParts>): number | null {
  const { year, month, day, hour = 0, minute = 0, second = 0, millisecond = 0 } = parts;
  const time = (((hour * 60 + minute) * 60 + second) * 1000 + millisecond) / DAY_MS;
  if (!isClock(hour, minute, second, millisecond)) return null;
  if (year === 1900 && month === 2 && day === 29) return 60 + time;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const days = date.getTime() / DAY_MS + UNIX_EPOCH_SERIAL;
  const serial = (days <= 60 ? days - 1 : days) + time;
  return serial >= 1 && isSerialDate(serial) ? serial : null;
}

function isClock(hour: number, minute: number, second: number, millisecond: number): boolean {
  const within = (value: number, end: number): boolean => Number.isInteger(value) && value >= 0 && value < end;
  return within(hour, 24) && within(minute, 60) && within(second, 60) && within(millisecond, 1000);
}

/** Converts a 1900 serial day to the value stored in a 1904 workbook. */
export const shiftTo1904 = (serial: number): number => serial - DAYS_1904;

/** Converts a serial day of a 1904 workbook to the 1900 system. */
export const shiftFrom1904 = (serial: number): number => serial + DAYS_1904;

/**
 * Formats '5/Jan/2026', with the time of day if there is one; '08:15' for values below the first day; '' if the number
 * is not a date.
 */
export function formatSerialDate(serial: number): string {
  const parts = fromSerial(serial);
  if (!parts) return '';
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(parts.hour)}:${two(parts.minute)}${parts.second ? `:${two(parts.second)}` : ''}`;
  if (parts.day === 0) return time;
  const day = `${parts.day}/${MONTHS[parts.month - 1]}/${parts.year}`;
  return time === '00:00' ? day : `${day} ${time}`;
}

const MONTH_FIRST_ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_FIRST = /^(\d{1,2})[-/. ](\d{1,2}|[A-Za-z]{3,9})[-/. ](\d{4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * Returns the serial day of a date that a user types: '5/Jan/2026', '5 January 2026', '05/01/2026' and '5.1.2026' (day
 * first), or '2026-01-05', each with an optional time; null if the text is not a date.
 */
export function parseSerialDate(text: string): number | null {
  const trimmed = text.trim().replace(/\s+/g, ' ');
  const iso = MONTH_FIRST_ISO.exec(trimmed);
  const dayFirst = iso ? null : DAY_FIRST.exec(trimmed);
  const found = iso ?? dayFirst;
  if (!found) return null;
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]] : [dayFirst![3], dayFirst![2], dayFirst![1]];
  const monthNumber = /^\d/.test(month!) ? Number(month) : englishMonthOf(month!);
  return toSerial({
    year: Number(year),
    month: monthNumber,
    day: Number(day),
    hour: Number(found[4] ?? 0),
    minute: Number(found[5] ?? 0),
    second: Number(found[6] ?? 0),
  });
}

const FULL_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Returns 1 to 12 for 'Jan', 'january', 'Sept'; 0 if the name is not a month. */
export function englishMonthOf(name: string): number {
  const lower = name.toLowerCase();
  return FULL_MONTHS.findIndex((month) => month.startsWith(lower)) + 1;
}
