/** Numbers in fields of the portal itself, in the marks of the person's language. Cells of workbooks follow the region of the workbook. */
import { readNumber } from '#shared/codecs/read-number.ts';
import { DAY_ORDERS, type DayOrder, type TextRegion } from '#shared/codecs/text-region.ts';
import { numberText } from './numbers.ts';
import { currentLocale } from './translate.ts';

/** A number as a field shows it to be edited: without marks between thousands, and every digit. */
export const editedNumber = (number: number): string =>
  numberText(number, { useGrouping: false, maximumSignificantDigits: 17 });

/**
 * What was typed into a field of the portal itself, as programs write it: in German '1.000' is '1000' and '1,5' is '1.5', so that nobody who
 * asks for a thousand days is given one. What is no number of the language is read as an English one.
 */
export function neutralNumber(typed: string): string {
  const text = typed.trim();
  const region = spokenRegion();
  if (text === '' || region === null) return text;
  const read = readNumber(text, { format: 'General', region });
  return read === null ? text : String(read.value);
}

let own: { locale: string; region: TextRegion | null } | null = null;

/** How the person writes numbers; null in English, whose marks every field reads anyway. */
export function spokenRegion(): TextRegion | null {
  const locale = currentLocale();
  if (own?.locale !== locale) own = { locale, region: locale === 'en' ? null : regionOf(locale) };
  return own.region;
}

/** How texts are written in a language. */
export function regionOf(locale: string): TextRegion {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const markOf = (type: 'decimal' | 'group'): string => parts.find((part) => part.type === type)?.value ?? '';
  return { Id: locale, Decimal: markOf('decimal'), Group: markOf('group'), DayOrder: dayOrderOf(locale) };
}

function dayOrderOf(locale: string): DayOrder {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(0);
  const letters = parts.map(({ type }) => ({ day: 'd', month: 'm', year: 'y' })[type as string] ?? '').join('');
  return DAY_ORDERS.find((order) => order === letters) ?? 'dmy';
}
