/** How texts are written where a workbook comes from. */

/** Which part of a date in digits comes first. */
export const DAY_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

export interface TextRegion {
  /** 'de-DE': what names of months and days are looked up by. */
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
