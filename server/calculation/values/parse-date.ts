/** Texts that Excel (in English, month first) reads as a date, a time, or both. Years of two digits: 00–29 are 2000–2029. */
import { toSerial } from '#shared/codecs/serial-date.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME = /^(\d{1,5})(?::(\d{1,2}))(?::(\d{1,2})(\.\d+)?)?(?: ?([AaPp])[Mm]?)?$|^(\d{1,2}) ?([AaPp])[Mm]?$/;

/** Serial day and fraction, or null where the text is none. */
export function parseDateText(text: string): number | null {
  const time = parseTime(text);
  if (time !== null) return time;
  const day = parseDay(text);
  if (day !== null) return day;
  const split = /^(.+?)[ T](\d{1,2}(?::\d{1,2}){0,2}(?:\.\d+)?(?: ?[AaPp][Mm]?)?)$/.exec(text);
  if (!split) return null;
  const date = parseDay(split[1]!);
  const clock = parseTime(split[2]!);
  return date === null || clock === null ? null : date + clock;
}

function parseTime(text: string): number | null {
  const match = TIME.exec(text);
  if (!match) return null;
  const half = (match[5] ?? match[7])?.toLowerCase();
  let hours = Number(match[1] ?? match[6]);
  const minutes = Number(match[2] ?? 0);
  const seconds = Number(match[3] ?? 0) + Number(match[4] ?? 0);
  if (minutes > 59 || seconds >= 60 || hours > 9999) return null;
  if (half) {
    if (hours < 1 || hours > 12) return null;
    hours = (hours % 12) + (half === 'p' ? 12 : 0);
  }
  return (hours * 3600 + minutes * 60 + seconds) / 86_400;
}

function parseDay(text: string): number | null {
  const numeric = /^(\d{1,4})([-/.])(\d{1,2})(?:\2(\d{1,4}))?$/.exec(text);
  if (numeric) return numericDay(numeric[1]!, numeric[3]!, numeric[4]);
  const named = /^(\d{1,2})[- /]([A-Za-z]{3,9})\.?(?:[- /,]+(\d{4}|\d{2}))?$/.exec(text);
  if (named) return namedDay(named[2]!, named[1]!, named[3]);
  const american = /^([A-Za-z]{3,9})\.?[- /](\d{1,2})(?:,? ?[- /]?(\d{4}))?$/.exec(text);
  if (american) return namedDay(american[1]!, american[2]!, american[3]);
  const monthYear = /^([A-Za-z]{3,9})[- /](\d{4}|\d{2})$/.exec(text);
  return monthYear ? namedDay(monthYear[1]!, '1', monthYear[2]) : null;
}

function numericDay(first: string, second: string, third: string | undefined): number | null {
  if (first.length === 4) return serial(Number(first), Number(second), Number(third ?? 1));
  if (first.length > 2) return null;
  if (third !== undefined) return serial(fullYear(third), Number(first), Number(second));
  return serial(currentYear(), Number(first), Number(second));
}

function namedDay(monthName: string, day: string, year: string | undefined): number | null {
  const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? null : serial(year === undefined ? currentYear() : fullYear(year), month, Number(day));
}

/** Excel fills in the year of the computer's clock where a date has none. */
const currentYear = (): number => new Date().getFullYear();

function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 30 ? 2000 + year : 1900 + year;
}

const serial = (year: number, month: number, day: number): number | null => toSerial({ year, month, day });
