/** What a number format of Excel shows of a serial number: the day, the time of day, or an elapsed time. */
import { getLocale, isDateFormat, isValidFormat } from 'numfmt';

/**
 * - date: days without a time; dateTime: both; time: a time of day alone ('h:mm'); duration: elapsed time ('[h]:mm').
 * - any: a format that says nothing of dates, such as General.
 */
export type DateKind = 'date' | 'dateTime' | 'time' | 'duration' | 'any';

export interface DateFormat {
  kind: DateKind;
  seconds: boolean;
  /** False for 'mm:ss': of two numbers the first are minutes then. */
  hours: boolean;
  /** 9:30 PM */
  halves: boolean;
  /** False for 'mmm yyyy'. */
  daysOfMonth: boolean;
  /** By month the names that the format shows, where it names their language: '[$-407]mmmm'. */
  months?: readonly (readonly string[])[];
}

const known = new Map<string, DateFormat>();
/** Formats come from workbooks: as many as people have, not without end. */
const MOST_KNOWN = 1000;

export function dateFormatOf(format: string): DateFormat {
  let found = known.get(format);
  if (!found) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(format, (found = analyse(format)));
  }
  return found;
}

/** Whether a serial number in this format names a day, and so means another one in the 1904 date system. */
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
  // 'm' behind hours or before seconds is minutes.
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

/** The language is a number of Windows. */
function monthsOf(format: string): Pick<DateFormat, 'months'> {
  const [, language] = /\[\$[^\]-]*-([0-9a-f]{3,8})\]/i.exec(format) ?? [];
  const locale = language === undefined ? undefined : getLocale(Number.parseInt(language, 16) & 0xffff);
  return locale ? { months: locale.mmmm.map((name, month) => [name, locale.mmm[month] ?? name]) } : {};
}

/** The codes of the first section, in lower case: without texts, colours and locales. */
function codesOf(format: string): string {
  const bare = format.replace(/"[^"]*"|\\.|_.|\*./g, ' ').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return (bare.split(';')[0] ?? '').toLowerCase();
}
