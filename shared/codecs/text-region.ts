/** How texts are written in a region: where a workbook comes from, or where a person works. */

/** Which part of a date in digits comes first. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

export interface TextRegion {
  /** 'de-DE': what names of months and days are looked up by. BCP 47. */
  Id: string;
  Decimal: string;
  /** Between thousands. */
  Group: string;
  DayOrder: DayOrder;
}

/** What was read from a text; `note` says how where people of other regions would read another value, else null. */
export interface Reading {
  value: number;
  note: string | null;
}

/** The regions that a person can choose, by their BCP 47 tags: those that write the digits of Latin and the days of the Gregorian calendar. */
export const REGION_IDS = [
  'bg-BG',
  'cs-CZ',
  'da-DK',
  'de-AT',
  'de-CH',
  'de-DE',
  'el-GR',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-IE',
  'en-IN',
  'en-NZ',
  'en-SG',
  'en-US',
  'en-ZA',
  'es-AR',
  'es-CL',
  'es-CO',
  'es-ES',
  'es-MX',
  'et-EE',
  'fi-FI',
  'fr-BE',
  'fr-CA',
  'fr-CH',
  'fr-FR',
  'he-IL',
  'hr-HR',
  'hu-HU',
  'id-ID',
  'it-CH',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'lt-LT',
  'lv-LV',
  'nb-NO',
  'nl-BE',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'pt-PT',
  'ro-RO',
  'ru-RU',
  'sk-SK',
  'sl-SI',
  'sv-SE',
  'tr-TR',
  'uk-UA',
  'vi-VN',
  'zh-CN',
  'zh-TW',
] as const;

const known = new Map<string, TextRegion>();

/** The marks and the order of days of a BCP 47 tag, as CLDR has them. Throws RangeError for what is no tag. */
export function regionOf(tag: string): TextRegion {
  let region = known.get(tag);
  if (!region) known.set(tag, (region = { Id: tag, ...marksOf(tag), DayOrder: dayOrderOf(tag) }));
  return region;
}

function marksOf(tag: string): Pick<TextRegion, 'Decimal' | 'Group'> {
  const parts = new Intl.NumberFormat(tag, { numberingSystem: 'latn' }).formatToParts(1_234_567.8);
  const markOf = (type: 'decimal' | 'group'): string => parts.find((part) => part.type === type)?.value ?? '';
  const Decimal = markOf('decimal');
  return { Decimal, Group: markOf('group') || (Decimal === ',' ? '.' : ',') };
}

function dayOrderOf(tag: string): DayOrder {
  const numbers = { day: 'numeric', month: 'numeric', year: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat(tag, { ...numbers, calendar: 'gregory' }).formatToParts(0);
  const letters = parts.map(({ type }) => ({ day: 'd', month: 'm', year: 'y' })[type as string] ?? '').join('');
  return DAY_ORDERS.find((order) => order === letters) ?? 'dmy';
}

// Marks for the direction of writing, and spaces of no width.
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\u061c\ufeff]/g;

/** A text as it is read: with spaces, minus signs and apostrophes of one kind each, and nothing invisible. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2013\u2212\ufe63\uff0d]/g, '-')
    .replace(/[\u2019\u02bc]/g, "'")
    .trim();
}

/** Longer texts are no numbers and no dates. */
export const LONGEST_VALUE = 100;
