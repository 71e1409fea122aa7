/** Determines what an Excel number format shows of a serial number: the day, the time of day, or an elapsed time. */
import { getLocale, isDateFormat, isValidFormat } from 'numfmt';

/**
 * - date: days without a time; dateTime: both; time: only a time of day ('h:mm'); duration: elapsed time ('[h]:mm').
 * - any: a format without date codes, such as General.
 */
export type DateKind = 'date' | 'dateTime' | 'time' | 'duration' | 'any';

export interface DateFormat {
  kind: DateKind;
  seconds: boolean;
  /** False for 'mm:ss': the first of two numbers is then minutes. */
  hours: boolean;
  /** True for a 12-hour clock: 9:30 PM. */
  halves: boolean;
  /** False for 'mmm yyyy'. */
  daysOfMonth: boolean;
  /** The names per month that the format shows, if it names a language: '[$-407]mmmm'. */
  months?: readonly (readonly string[])[];
}

const known = new Map<string, DateFormat>();
/** Limits memory: formats come from workbooks, so users control how many there are. */
const MAX_CACHED_FORMATS = 1000;

export function dateFormatOf(format: string): DateFormat {
  let found = known.get(format);
  if (!found) {
    if (known.size >= MAX_CACHED_FORMATS) known.clear();
    known.set(format, (found = analyse(format)));
  }
  return found;
}

/**
 * Returns whether a serial number in this format contains a day. Only then does its value differ in the 1904 date
 * system.
 */
export function hasDay(format: string): boolean {
  const { kind } = dateFormatOf(format);
  return kind !== 'time' && kind !== 'duration';
}

const NONE: DateFormat = { kind: 'any', seconds: false, hours: false, halves: false, daysOfMonth: true };

function analyse(format: string): DateFormat {
  if (!isValidFormat(format) || !isDateFormat(format)) return NONE;
  const codes = codesOf(format);
  const halves = /am\/pm|a\/p/.test(codes);
  const bare = codes.replace(/am\/pm|a\/p/g, '');
  const elapsed = /\[(?:h+|m+|s+)\]/.test(bare);
  // 'm' after hours or before seconds means minutes.
  const days = bare
    .replace(/\[[hms]+\]/g, '')
    .replace(/(h[^ymdhs]*)m+/g, '$1')
    .replace(/m+([^ymdhs]*s)/g, '$1');
  const named = /[ymdeg]|b{2,}|a{3,}/.test(days) && !elapsed;
  const clock = /[hs]/.test(bare) || elapsed;
  const kind = elapsed ? 'duration' : named ? (clock ? 'dateTime' : 'date') : clock ? 'time' : 'any';
  const shown = { seconds: bare.includes('s'), hours: bare.includes('h'), daysOfMonth: /d/.test(days) };
  return { kind, halves, ...shown, ...monthsOf(format) };
}

/** The language code in the format is a Windows language id. */
function monthsOf(format: string): Pick<DateFormat, 'months'> {
  const [, language] = /\[\$[^\]-]*-([0-9a-f]{3,8})\]/i.exec(format) ?? [];
  const locale = language === undefined ? undefined : getLocale(Number.parseInt(language, 16) & 0xffff);
  return locale ? { months: locale.mmmm.map((name, month) => [name, locale.mmm[month] ?? name]) } : {};
}

/** Returns the codes of the first section in lower case, without texts, colors and locales. */
function codesOf(format: string): string {
  const bare = format.replace(/"[^"]*"|\\.|_.|\*./g, ' ').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return (bare.split(';')[0] ?? '').toLowerCase();
}
