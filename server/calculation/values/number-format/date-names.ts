/** Names of months and days in the languages that codes such as '[$-407]' request, or that a region uses. */
import type { RegionalSettings } from '../region/region.ts';

export interface DateNames {
  months: readonly string[];
  shortMonths: readonly string[];
  /** Starting with Sunday. */
  days: readonly string[];
  shortDays: readonly string[];
  /** Results of 'aaaa' and 'aaa' if they differ from 'dddd' and 'ddd'. */
  weekdays?: readonly string[];
  shortWeekdays?: readonly string[];
}

const ENGLISH: DateNames = {
  months: 'January February March April May June July August September October November December'.split(' '),
  shortMonths: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  days: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '),
  shortDays: 'Sun Mon Tue Wed Thu Fri Sat'.split(' '),
};

/** Languages by the low ten bits of their Windows identifier. Source: [MS-LCID] 2.2. */
const LANGUAGES: Readonly<Record<number, string>> = {
  0x01: 'ar',
  0x02: 'bg',
  0x03: 'ca',
  0x04: 'zh',
  0x05: 'cs',
  0x06: 'da',
  0x07: 'de',
  0x08: 'el',
  0x0a: 'es',
  0x0b: 'fi',
  0x0c: 'fr',
  0x0d: 'he',
  0x0e: 'hu',
  0x0f: 'is',
  0x10: 'it',
  0x11: 'ja',
  0x12: 'ko',
  0x13: 'nl',
  0x14: 'nb',
  0x15: 'pl',
  0x16: 'pt',
  0x18: 'ro',
  0x19: 'ru',
  0x1a: 'hr',
  0x1b: 'sk',
  0x1c: 'sq',
  0x1d: 'sv',
  0x1e: 'th',
  0x1f: 'tr',
  0x21: 'id',
  0x22: 'uk',
  0x23: 'be',
  0x24: 'sl',
  0x25: 'et',
  0x26: 'lv',
  0x27: 'lt',
  0x29: 'fa',
  0x2a: 'vi',
  0x2d: 'eu',
  0x2f: 'mk',
  0x36: 'af',
  0x38: 'fo',
  0x39: 'hi',
  0x3c: 'ga',
  0x3e: 'ms',
  0x56: 'gl',
};

const known = new Map<string, DateNames>();

/** `locale` is written as in formats: '407', 'x-sysdate', 'de-DE', or null. Unknown ones are English. */
export function dateNames(locale: string | null): DateNames {
  const language = locale === null ? 'en' : languageOf(locale);
  return language === 'en' ? ENGLISH : cachedNames(language, () => namesIn(language));
}

/**
 * Returns the names for formats of TEXT without a language. In most of East Asia they are English, except those of
 * 'aaa'.
 */
export function regionDateNames({ id, hasOwnNames }: RegionalSettings): DateNames {
  if (hasOwnNames) return id === 'de-AT' ? cachedNames(id, () => namesIn(id)) : dateNames(id);
  return cachedNames(id, () => {
    const { days, shortDays } = namesIn(id);
    return { ...ENGLISH, weekdays: days, shortWeekdays: shortDays };
  });
}

function cachedNames(key: string, make: () => DateNames): DateNames {
  let names = known.get(key);
  if (!names) known.set(key, (names = make()));
  return names;
}

function languageOf(locale: string): string {
  if (/^[0-9a-f]+$/i.test(locale)) return LANGUAGES[Number.parseInt(locale, 16) & 0x3ff] ?? 'en';
  const tag = /^([a-z]{2,3})(?:-[a-z0-9]+)*(?:,.*)?$/i.exec(locale);
  return tag ? tag[1]!.toLowerCase() : 'en';
}

const capitalised = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/**
 * Languages whose names in Windows differ from CLDR. Source: Microsoft, 'National Language Support (NLS) API
 * Reference'.
 */
const AS_IN_WINDOWS: Readonly<Record<string, (names: DateNames) => DateNames>> = {
  de: (names) => ({ ...names, shortMonths: 'Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez'.split(' ') }),
  ru: (names) => ({ ...names, months: names.months.map(capitalised), shortDays: names.shortDays.map(capitalised) }),
};

function namesIn(language: string): DateNames {
  try {
    const list = (count: number, options: Intl.DateTimeFormatOptions, date: (index: number) => number): string[] => {
      const format = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { timeZone: 'UTC', ...options });
      return Array.from({ length: count }, (_, index) => format.format(date(index)));
    };
    const month = (index: number): number => Date.UTC(2023, index, 1);
    // 2023-01-01 was a Sunday.
    const day = (index: number): number => Date.UTC(2023, 0, 1 + index);
    const names = {
      months: list(12, { month: 'long' }, month),
      // CLDR ends some short names with a point, which Windows omits.
      shortMonths: list(12, { month: 'short' }, month).map((name) => name.replace(/\.$/, '')),
      days: list(7, { weekday: 'long' }, day),
      shortDays: list(7, { weekday: 'short' }, day).map((name) => name.replace(/\.$/, '')),
    };
    return AS_IN_WINDOWS[language]?.(names) ?? names;
  } catch {
    return ENGLISH;
  }
}
