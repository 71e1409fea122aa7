/**
 * Parses texts that Excel reads as numbers if it needs one, in English (United States): '12', ' 1,234.50 ', '12%',
 * '$5', '(3)', '1 1/2', dates and times. In other regions, the same with their separators. Source: Microsoft, VALUE;
 * Excel's behavior.
 */
import { shiftTo1904 } from '#shared/codecs/serial-date.ts';
import { readDateText } from './parse-date.ts';
import { englishNumber } from './region/local-text.ts';
import { currentRegion, readsEnglishWords, UNITED_STATES } from './region/region.ts';

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const AMOUNT = /^(\d+(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const FRACTION = /^([+-]?)(\d+) +(\d{1,5})\/(\d{1,5})$/;
/** Number of digits that Excel retains of a parsed number; further digits are truncated. */
const DIGITS = 15;
/** Longer texts are never numbers. */
const MAX_TEXT_LENGTH = 400;

let is1904 = false;

/**
 * Sets the date system in which texts are read as dates: that of the book whose calculation starts. Calculations do not
 * overlap, so one global setting suffices and coercions need no parameter for it.
 */
export function readDaysIn1904(date1904: boolean): void {
  is1904 = date1904;
}

function serialOfDateText(text: string): number | null {
  const found = readDateText(text);
  if (!found) return null;
  const { day, time } = found;
  if (day === null || !is1904) return (day ?? 0) + (time ?? 0);
  const shifted = shiftTo1904(day);
  return shifted < 0 ? null : shifted + (time ?? 0);
}

/** Begins with a character other than a letter, or with the letters of a month. */
const MAY_BE_ENGLISH = /^[ \t\r\n]*[^a-z]|^[ \t\r\n]*[jfmasond][aepuco][a-z]/i;

/** Returns the number or serial number (in the book's date system) of a text, or null if Excel would return #VALUE!. */
export function parseValueText(text: string): number | null {
  // Fast path: most texts of sheets are words. A text without a digit is never a number, and few texts that begin with
  // a letter are.
  if (!/\d/.test(text) || (readsEnglishWords() && !MAY_BE_ENGLISH.test(text))) return null;
  return parseNumberText(text) ?? serialOfDateText(text);
}

/** Returns the number of a text, without dates and times; null if it is not a number. */
export function parseNumberText(text: string): number | null {
  const region = currentRegion();
  return parseEnglishNumber(region === UNITED_STATES ? text : englishNumber(text, region));
}

/** Does the same for a text with English separators, whatever the region. */
export function parseEnglishNumber(text: string): number | null {
  const trimmed = trimSpaces(text);
  if (trimmed.length > MAX_TEXT_LENGTH) return null;
  if (PLAIN.test(trimmed)) return numberFrom(trimmed);
  return decorated(trimmed) ?? fraction(trimmed);
}

/**
 * Trims spaces and line ends, but not non-breaking spaces. Written by hand, because a regular expression would scan
 * long texts repeatedly.
 */
function trimSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

const isSpace = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

function numberFrom(text: string): number | null {
  const value = Number(text.length > DIGITS ? cutOff(text) : text);
  return Number.isFinite(value) ? value : null;
}

/** Replaces digits after the fifteenth significant one with zeros. */
function cutOff(text: string): string {
  const end = text.search(/[eE]/);
  const mantissa = end < 0 ? text : text.slice(0, end);
  let counted = 0;
  const cut = mantissa.replace(/\d/g, (digit) => {
    if (counted > 0 || digit !== '0') counted += 1;
    return counted > DIGITS ? '0' : digit;
  });
  return end < 0 ? cut : cut + text.slice(end);
}

/** Parses sign, currency, parentheses and percent, each at most once and in a usual order. */
function decorated(text: string): number | null {
  let rest = text;
  let negative = false;
  let percent = false;
  if (rest.startsWith('(') && rest.endsWith(')')) {
    rest = rest.slice(1, -1).trim();
    negative = true;
  }
  if (rest.endsWith('%')) {
    rest = rest.slice(0, -1).trimEnd();
    percent = true;
  } else if (rest.startsWith('%')) {
    rest = rest.slice(1).trimStart();
    percent = true;
  }
  const lead = /^(?:([+-]) *[$€£¥]? *|[$€£¥] *([+-]?))/.exec(rest);
  const sign = lead ? (lead[1] ?? lead[2] ?? '') : '';
  if (sign !== '' && negative) return null;
  const bare = lead ? rest.slice(lead[0].length) : rest;
  const amount = AMOUNT.exec(lead ? bare : bare.replace(/ ?[$€]$/, ''));
  if (!amount) return null;
  // Uses a power of ten: 23.123% is 0.23123, but dividing by a hundred yields a slightly different number.
  const power = Number(amount[2]?.slice(1) ?? 0) - (percent ? 2 : 0);
  const value = numberFrom(`${amount[1]!.replaceAll(',', '')}e${power}`);
  if (value === null) return null;
  return negative || sign === '-' ? -value : value;
}

function fraction(text: string): number | null {
  const match = FRACTION.exec(text);
  if (!match || Number(match[4]) === 0) return null;
  const value = Number(match[2]) + Number(match[3]) / Number(match[4]);
  return match[1] === '-' ? -value : value;
}
