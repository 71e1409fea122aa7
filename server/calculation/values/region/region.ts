/**
 * Regional settings of the Excel that saved a workbook: how numbers, dates and Booleans look as texts, and which texts
 * are read as such. They are pure data; `detect-locale.ts` determines the settings of a workbook.
 */

export type DayOrder = 'mdy' | 'dmy' | 'ymd';

/** Codes of TEXT in the region's language. */
export interface FormatLetters {
  year: string;
  month: string;
  day: string;
  hour: string;
  minute: string;
  second: string;
  /** The word for 'General'. */
  general: string;
}

export interface RegionalSettings {
  /** 'de-DE': the locale for names of months and days. */
  readonly id: string;
  readonly decimal: string;
  /** Thousands separator. */
  readonly group: string;
  /** True if digits above the first thousand are grouped in twos, as in India: 12,34,567. */
  readonly groupsInTwos: boolean;
  readonly dayOrder: DayOrder;
  readonly dateSeparator: string;
  /** Separator of function arguments, as FORMULATEXT shows them. */
  readonly list: string;
  /** A positive and a negative amount of money, with 'n' for the digits: '£n', '-£n'. */
  readonly money: readonly [string, string];
  /** Words for TRUE and FALSE. */
  readonly truth: readonly [string, string];
  readonly letters: FormatLetters;
  /**
   * True if the region also writes dates as 2015年10月25日, and knows English names of months and days in addition to its
   * own.
   */
  readonly isEastAsian: boolean;
  /**
   * True if TEXT's 'mmm' and 'ddd' yield names in the region's language: in East Asia, some editions use English names.
   */
  readonly hasOwnNames: boolean;
  /**
   * True if LEFTB and similar functions count two for a wide character. This depends on the language of Excel, not on
   * the region.
   */
  readonly countsBytes: boolean;
}

export const ENGLISH_LETTERS: FormatLetters = {
  year: 'y',
  month: 'm',
  day: 'd',
  hour: 'h',
  minute: 'm',
  second: 's',
  general: 'General',
};

export const ENGLISH_TRUTH: RegionalSettings['truth'] = ['TRUE', 'FALSE'];

/** The settings for workbooks that reveal no others. */
export const UNITED_STATES: RegionalSettings = {
  id: 'en-US',
  decimal: '.',
  group: ',',
  groupsInTwos: false,
  dayOrder: 'mdy',
  dateSeparator: '/',
  list: ',',
  money: ['$n', '($n)'],
  truth: ENGLISH_TRUTH,
  letters: ENGLISH_LETTERS,
  isEastAsian: false,
  hasOwnNames: true,
  countsBytes: false,
};

let current = UNITED_STATES;
let hasEnglishWords = true;

/**
 * Sets the region in which texts are read and written: that of the book whose calculation starts. Calculations do not
 * overlap, so one global setting suffices and coercions need no parameter for it.
 */
export function calculateIn(region: RegionalSettings): void {
  current = region;
  hasEnglishWords = /^en-(?!ZA|MY)/.test(region.id);
}

export const currentRegion = (): RegionalSettings => current;

/** Returns true if texts that begin with a letter can only be dates with English month names. */
export const readsEnglishWords = (): boolean => hasEnglishWords;

/** Returns '(3)' or '₹ 12': the digits of an amount inserted into the region's pattern. */
export function inMoney({ money }: RegionalSettings, digits: string, isNegative: boolean): string {
  return money[isNegative ? 1 : 0].replace('n', () => digits);
}

/** Separator between the columns of an array in formulas. */
export const columnSeparator = ({ list }: RegionalSettings): string => (list === ',' ? ',' : '\\');

/** Returns '€' for 'n €'. */
export const currencySymbol = (money: string): string => money.replace(/[n()\s\u00a0-]/g, '');
