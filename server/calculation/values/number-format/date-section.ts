/** Format sections that show dates and times. */
import { fromSerial, shiftFrom1904 } from '#shared/codecs/serial-date.ts';
import { currentRegion } from '../region/region.ts';
import { dateNames, regionDateNames, type DateNames } from './date-names.ts';
import type { DatePart, FormatToken } from './tokens.ts';

const DAY_SECONDS = 86_400;
const MAX_FRACTION_DIGITS = 3;
/** Years that the Buddhist calendar (letter b) is ahead. */
const BUDDHIST = 543;

/** Formats a serial number of the book's own date system; null if it is not a valid date. */
export type DateFormat = (serial: number, date1904: boolean) => string | null;

/** The values that the pieces of one text are made of. */
interface DateParts {
  year: number;
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Whole seconds since midnight, and since day 0. */
  seconds: number;
  elapsed: number;
  fraction: string;
}

type DateFormatter = string | ((dateParts: DateParts) => string);

/** Returns null if the section is not a valid date format in Excel. */
export function compileDate(tokens: readonly FormatToken[], locale: string | null): DateFormat | null {
  const fractionDigits = longestFraction(tokens);
  if (fractionDigits > MAX_FRACTION_DIGITS) return null;
  const formatters = layOut(tokens, locale === null ? regionDateNames(currentRegion()) : dateNames(locale));
  if (!formatters) return null;
  // A format with only elapsed time shows any duration, even a negative one. In the 1900 date system, parts of a
  // negative duration cannot be shown.
  const isSpan =
    fractionDigits === 0 &&
    tokens.some(({ type }) => type === 'elapsed') &&
    !tokens.some(({ type }) => type === 'date' || type === 'half');
  const hasTime = tokens.some((token) => isTime(token));
  return (serial, date1904) => {
    // Days before 1904 are shown as negative days.
    const magnitude = serial < 0 && (isSpan || date1904) ? -serial : serial;
    const dateParts = isSpan ? spanOf(magnitude) : datePartsOf(magnitude, hasTime, fractionDigits, date1904);
    if (!dateParts) return null;
    let text = magnitude === serial ? '' : '-';
    for (const formatter of formatters) text += typeof formatter === 'string' ? formatter : formatter(dateParts);
    return text;
  };
}

const isTime = (token: FormatToken): boolean =>
  token.type === 'half' ||
  token.type === 'elapsed' ||
  (token.type === 'date' && (token.part === 'h' || token.part === 's'));

function spanOf(serial: number): DateParts {
  const elapsed = Math.floor(serial * DAY_SECONDS + 0.5 + 1e-6);
  return { year: 0, month: 0, day: 0, weekday: 0, seconds: elapsed % DAY_SECONDS, elapsed, fraction: '' };
}

/**
 * Times are rounded to the displayed precision of the seconds, and carry over into the day. Dates without times are
 * truncated.
 */
function datePartsOf(serial: number, hasTime: boolean, fractionDigits: number, date1904: boolean): DateParts | null {
  if (!(serial >= 0)) return null;
  const scale = 10 ** fractionDigits;
  const units = hasTime
    ? Math.floor(serial * DAY_SECONDS * scale + 0.5 + 1e-6)
    : Math.floor(serial) * DAY_SECONDS * scale;
  const elapsed = Math.floor(units / scale);
  const day = Math.floor(elapsed / DAY_SECONDS);
  const parts = fromSerial(date1904 ? shiftFrom1904(day) : day);
  if (!parts) return null;
  return {
    year: parts.year,
    month: parts.month,
    day: parts.day,
    weekday: (date1904 ? shiftFrom1904(day) + 6 : day + 6) % 7,
    seconds: elapsed - day * DAY_SECONDS,
    elapsed,
    fraction: fractionDigits === 0 ? '' : String(units % scale).padStart(fractionDigits, '0'),
  };
}

/** Zeros after a point are fractions of seconds. */
function longestFraction(tokens: readonly FormatToken[]): number {
  let longest = 0;
  tokens.forEach((token, at) => {
    if (token.type === 'point') longest = Math.max(longest, zerosFrom(tokens, at + 1));
  });
  return longest;
}

function zerosFrom(tokens: readonly FormatToken[], start: number): number {
  let end = start;
  for (; end < tokens.length; end += 1) {
    const token = tokens[end]!;
    if (token.type !== 'digit' || token.placeholder !== '0') break;
  }
  return end - start;
}

function layOut(tokens: readonly FormatToken[], names: DateNames): DateFormatter[] | null {
  const { decimal } = currentRegion();
  const formatters: DateFormatter[] = [];
  const has12Hours = tokens.some(({ type }) => type === 'half');
  const spans = new Set(tokens.map((token) => (token.type === 'elapsed' ? token.part : '')));
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    switch (token.type) {
      case 'literal':
      case 'whole':
        formatters.push(token.text);
        break;
      case 'slash':
        formatters.push('/');
        break;
      case 'comma':
        formatters.push(',');
        break;
      case 'point': {
        const digits = zerosFrom(tokens, at + 1);
        formatters.push(digits === 0 ? '.' : ({ fraction }) => `${decimal}${fraction.slice(0, digits)}`);
        at += digits;
        break;
      }
      case 'half':
        formatters.push(half(token.text));
        break;
      case 'elapsed':
        formatters.push(elapsed(token.part, token.length));
        break;
      case 'date': {
        const part = token.part === 'm' && token.length < 3 && isMinute(tokens, at) ? 'minute' : token.part;
        // After '[h]', an 'h' also shows the whole elapsed time.
        const span = part === 'minute' ? 'm' : part;
        if (part !== 'm' && (span === 'h' || span === 'm' || span === 's') && spans.has(span)) {
          formatters.push(elapsed(span, token.length));
        } else formatters.push(dateFormatter(part, token.length, names, has12Hours));
        break;
      }
      default:
        return null;
    }
  }
  return formatters;
}

/** 'm' means minutes after hours or seconds, and before seconds. */
function isMinute(tokens: readonly FormatToken[], at: number): boolean {
  const partOf = (token: FormatToken | undefined): string =>
    token && (token.type === 'date' || token.type === 'elapsed') ? token.part : '';
  const isPart = (token: FormatToken): boolean => partOf(token) !== '';
  const before = partOf(tokens.slice(0, at).findLast(isPart));
  const after = partOf(tokens.slice(at + 1).find(isPart));
  return before === 'h' || before === 's' || after === 's';
}

const pad = (value: number, length: number): string => (length > 1 && value < 10 ? `0${value}` : String(value));

function half(text: string): DateFormatter {
  if (text.length > 3) return ({ seconds }) => (seconds < DAY_SECONDS / 2 ? 'AM' : 'PM');
  const [morning, afternoon] = text.split('/') as [string, string];
  return ({ seconds }) => (seconds < DAY_SECONDS / 2 ? morning : afternoon);
}

const UNIT = { h: 3600, m: 60, s: 1 };

function elapsed(part: 'h' | 'm' | 's', length: number): DateFormatter {
  return (dateParts) => String(Math.floor(dateParts.elapsed / UNIT[part])).padStart(length, '0');
}

function dateFormatter(
  part: DatePart | 'minute',
  length: number,
  names: DateNames,
  has12Hours: boolean,
): DateFormatter {
  switch (part) {
    case 'y':
      return length < 3 ? ({ year }) => pad(year % 100, 2) : ({ year }) => String(year).padStart(4, '0');
    case 'b':
      return length < 3 ? ({ year }) => pad((year + BUDDHIST) % 100, 2) : ({ year }) => String(year + BUDDHIST);
    case 'm':
      return monthFormatter(length, names);
    case 'd':
      if (length < 3) return ({ day }) => pad(day, length);
      return length === 3 ? ({ weekday }) => names.shortDays[weekday]! : ({ weekday }) => names.days[weekday]!;
    case 'a': {
      const { weekdays = names.days, shortWeekdays = names.shortDays } = names;
      return length === 3 ? ({ weekday }) => shortWeekdays[weekday]! : ({ weekday }) => weekdays[weekday]!;
    }
    case 'h':
      return ({ seconds }) => {
        const hour = Math.floor(seconds / 3600);
        return pad(has12Hours ? ((hour + 11) % 12) + 1 : hour, length);
      };
    case 'minute':
      return ({ seconds }) => pad(Math.floor(seconds / 60) % 60, length);
    case 's':
      return ({ seconds }) => pad(seconds % 60, length);
    case 'g':
      return '';
  }
}

function monthFormatter(length: number, names: DateNames): DateFormatter {
  if (length < 3) return ({ month }) => pad(month, length);
  if (length === 3) return ({ month }) => names.shortMonths[month - 1]!;
  return length === 5 ? ({ month }) => names.months[month - 1]!.slice(0, 1) : ({ month }) => names.months[month - 1]!;
}
