/**
 * Adapts number formats to a user's region, as Excel does. Excel stores the short date in United States notation and
 * shows it in the region's own. The language of a currency determines its sign but not the separators. If a numeric
 * date format has a different order from the region, the month is shown as a name to prevent misreading.
 */
import { isDateFormat } from 'numfmt';
import type { DayOrder, TextRegion } from './text-region.ts';

const known = new Map<string, string>();
/** Limits memory: formats come from workbooks, so users control how many there are. */
const MAX_CACHED_FORMATS = 2000;

export function regionalFormat(code: string, region: TextRegion): string {
  const key = `${region.Id} ${code}`;
  let found = known.get(key);
  if (found === undefined) {
    if (known.size >= MAX_CACHED_FORMATS) known.clear();
    known.set(key, (found = adapted(code, region)));
  }
  return found;
}

/** Built-in formats 14 and 22, in the notations used by files and libraries. */
const SHORT_DATE = /^(?:m\/d\/yyyy|mm-dd-yy|m\/d\/yy)( h:mm)?$/i;
const CURRENCY_LANGUAGE = /\[\$([^\]-]+)-[^\]]*\]/g;

function adapted(code: string, region: TextRegion): string {
  const short = SHORT_DATE.exec(code);
  if (short) return shortDate(region) + (short[1] === undefined ? '' : ' hh:mm');
  if (!isDateFormat(code)) return code.replace(CURRENCY_LANGUAGE, '[$$$1]');
  return code
    .split(';')
    .map((section) => (isOtherOrder(section, region.DayOrder) ? withMonthNames(section) : section))
    .join(';');
}

/** Returns the region's numeric date format, with a four-digit year. */
function shortDate({ Id }: TextRegion): string {
  const form = new Intl.DateTimeFormat(Id, { dateStyle: 'short', calendar: 'gregory' });
  return form
    .formatToParts(Date.UTC(2023, 2, 4, 12))
    .map(({ type, value }) => {
      if (type === 'day') return 'd'.repeat(value.length);
      if (type === 'month') return 'm'.repeat(value.length);
      return type === 'year' ? 'yyyy' : value.replace(/./gu, '\\$&');
    })
    .join('');
}

/** Parts of a format that are not codes: texts, escapes, brackets. */
const WORDS = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|am\/pm|a\/p/gi;
/** A numeric month: neither a month name nor the minutes of a time. */
const MONTH = /(?<![mh:]|h[^a-z]{1,3})m{1,2}(?!m)(?![^a-z]{0,3}s)/i;

function isOtherOrder(section: string, order: DayOrder): boolean {
  const codes = section.replace(WORDS, (word) => ' '.repeat(word.length)).toLowerCase();
  const month = MONTH.exec(codes)?.index ?? -1;
  const day = codes.search(/(?<!d)d{1,2}(?!d)/);
  if (month < 0 || day < 0) return false;
  const year = codes.search(/y/);
  // A leading four-digit year is unambiguous.
  if (year >= 0 && year < Math.min(day, month)) return !/y{3,}/.test(codes) && order !== 'ymd';
  return order !== (day < month ? 'dmy' : 'mdy');
}

/** A two-digit year is expanded, because next to a month name it could be mistaken for the day. */
const SHORT_YEAR = /(?<!y)y{1,2}(?!y)/gi;

function withMonthNames(section: string): string {
  const codes = section.replace(WORDS, (word) => ' '.repeat(word.length));
  const found = MONTH.exec(codes)!;
  const named = `${section.slice(0, found.index)}mmm${section.slice(found.index + found[0].length)}`;
  return named.replace(SHORT_YEAR, 'yyyy');
}
