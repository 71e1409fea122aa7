/**
 * Number formats as Excel shows them to a person of another region: the short date, which Excel stores as that of the United States, is the
 * region's own, and the language of a currency decides its sign and not the marks. A day in digits whose order is not the region's has the
 * name of its month, so that nobody reads another day.
 */
import { isDateFormat } from 'numfmt';
import type { DayOrder, TextRegion } from './text-region.ts';

const known = new Map<string, string>();
/** Formats come from workbooks: as many as people have, not without end. */
const MOST_KNOWN = 2000;

export function regionalFormat(code: string, region: TextRegion): string {
  const key = `${region.Id} ${code}`;
  let found = known.get(key);
  if (found === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, (found = adapted(code, region)));
  }
  return found;
}

/** Built-in formats 14 and 22, as files and libraries write them. */
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

/** As the region writes days in digits, with all four digits of the year. */
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

/** What of a format is no code: texts, escapes, brackets. */
const WORDS = /"[^"]*"|\\.|_.|\*.|\[[^\]]*\]|am\/pm|a\/p/gi;
/** A month in digits: neither a name nor the minutes of a time. */
const MONTH = /(?<![mh:]|h[^a-z]{1,3})m{1,2}(?!m)(?![^a-z]{0,3}s)/i;

function isOtherOrder(section: string, order: DayOrder): boolean {
  const codes = section.replace(WORDS, (word) => ' '.repeat(word.length)).toLowerCase();
  const month = MONTH.exec(codes)?.index ?? -1;
  const day = codes.search(/(?<!d)d{1,2}(?!d)/);
  if (month < 0 || day < 0) return false;
  const year = codes.search(/y/);
  // A year of four digits in front cannot be mistaken.
  if (year >= 0 && year < Math.min(day, month)) return !/y{3,}/.test(codes) && order !== 'ymd';
  return order !== (day < month ? 'dmy' : 'mdy');
}

/** Beside the name of a month it might be the day. */
const SHORT_YEAR = /(?<!y)y{1,2}(?!y)/gi;

function withMonthNames(section: string): string {
  const codes = section.replace(WORDS, (word) => ' '.repeat(word.length));
  const found = MONTH.exec(codes)!;
  const named = `${section.slice(0, found.index)}mmm${section.slice(found.index + found[0].length)}`;
  return named.replace(SHORT_YEAR, 'yyyy');
}
