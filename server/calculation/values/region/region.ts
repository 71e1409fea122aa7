/**
 * Regional settings of the Excel that saved a workbook: what numbers, days and truth values look like as texts, and which texts
 * are read as such. They are pure data; `detect-locale.ts` says which ones a workbook has.
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
  /** 'de-DE': what names of months and days are looked up by. */
  readonly id: string;
  readonly decimal: string;
  /** Between thousands. */
  readonly group: string;
  /** Beyond the thousands marks stand at every second digit, as in India: 12,34,567. */
  readonly groupsInTwos: boolean;
  readonly dayOrder: DayOrder;
  readonly dateSeparator: string;
  /** Between the arguments of a function, as FORMULATEXT shows them. */
  readonly list: string;
  /** An amount of money and a negative one, the digits as 'n': '£n', '-£n'. */
  readonly money: readonly [string, string];
  /** Words for TRUE and FALSE. */
  readonly truth: readonly [string, string];
  readonly letters: FormatLetters;
  /** Has dates as 2015年10月25日, and English names of months and days beside its own. */
  readonly isEastAsian: boolean;
  /** TEXT's 'mmm' and 'ddd' give names in the region's language: in East Asia some editions have English ones there. */
  readonly hasOwnNames: boolean;
  /** LEFTB and its like count two for a wide character: a matter of the language Excel is used in, not of the region. */
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

/** What is calculated with where nothing in a workbook says otherwise. */
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
 * Says by which settings texts are read and made: those of the book whose calculation begins. One calculation runs to its end
 * before another begins, so one setting serves them all, and coercions need not carry it along.
 */
export function calculateIn(region: RegionalSettings): void {
  current = region;
  hasEnglishWords = /^en-(?!ZA|MY)/.test(region.id);
}

export const currentRegion = (): RegionalSettings => current;

/** Texts that begin with a letter are read as nothing but days with English names of months. */
export const readsEnglishWords = (): boolean => hasEnglishWords;

/** '(3)', '₹ 12': the amount's digits in the place the region has for them. */
export function inMoney({ money }: RegionalSettings, digits: string, isNegative: boolean): string {
  return money[isNegative ? 1 : 0].replace('n', () => digits);
}

/** Between the columns of an array, as formulas have it. */
export const columnSeparator = ({ list }: RegionalSettings): string => (list === ',' ? ',' : '\\');

/** '€' of 'n €'. */
export const currencySymbol = (money: string): string => money.replace(/[n()\s\u00a0-]/g, '');
