/** Notation of numbers and dates in a region: of a workbook, or of a user. */

/** Order of the parts of a numeric date. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

export interface TextRegion {
  /** BCP 47 tag such as 'de-DE'; used to look up month and weekday names. */
  Id: string;
  Decimal: string;
  /** Thousands separator. */
  Group: string;
  DayOrder: DayOrder;
}

/**
 * The interpretation of a text. `note` explains it if users of other regions would read a different value; otherwise
 * null.
 */
export interface Reading {
  value: number;
  note: string | null;
}

/** Regions that a user can choose, as BCP 47 tags: those that use Latin digits and the Gregorian calendar. */
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

/** Returns the separators and the date order of a BCP 47 tag, from CLDR. Throws RangeError if the tag is invalid. */
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

// Writing-direction marks and zero-width spaces.
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\u061c\ufeff]/g;

/** Normalizes a text for parsing: one kind each of spaces, minus signs and apostrophes, and no invisible characters. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2013\u2212\ufe63\uff0d]/g, '-')
    .replace(/[\u2019\u02bc]/g, "'")
    .trim();
}

/** Maximum length in characters: longer texts are neither numbers nor dates. */
export const MAX_VALUE_LENGTH = 100;
