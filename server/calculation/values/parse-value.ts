/**
 * Texts that Excel reads as numbers where it needs one, in English (United States): '12', ' 1,234.50 ', '12%', '$5', '(3)',
 * '1 1/2', dates and times; in other regions the same with their marks. Source: Microsoft, VALUE; Excel's own behaviour.
 */
import { shiftTo1904 } from '#shared/codecs/serial-date.ts';
import { readDateText } from './parse-date.ts';
import { englishNumber } from './region/local-text.ts';
import { currentRegion, readsEnglishWords, UNITED_STATES } from './region/region.ts';

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const AMOUNT = /^(\d+(?:,\d{3})+(?:\.\d*)?|\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const FRACTION = /^([+-]?)(\d+) +(\d{1,5})\/(\d{1,5})$/;
/** Excel keeps this many digits of what it reads, and cuts the others off. */
const DIGITS = 15;
/** Longer texts are no numbers, whatever they hold. */
const MOST_CHARACTERS = 400;

let is1904 = false;

/**
 * Says in which date system texts are read as days: that of the book whose calculation begins. One calculation runs to its
 * end before another begins, so one setting serves them all, and coercions need not carry it along.
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

/** Begins with no letter, or with those of a month. */
const MAY_BE_ENGLISH = /^[ \t\r\n]*[^a-z]|^[ \t\r\n]*[jfmasond][aepuco][a-z]/i;

/** The number or serial day (of the book's date system) a text stands for, or null where Excel would answer #VALUE!. */
export function parseValueText(text: string): number | null {
  // Most texts of sheets are words: nothing without a digit is a number, and little of what begins with a letter.
  if (!/\d/.test(text) || (readsEnglishWords() && !MAY_BE_ENGLISH.test(text))) return null;
  return parseNumberText(text) ?? serialOfDateText(text);
}

/** The number a text stands for, days and times left out; null where it is none. */
export function parseNumberText(text: string): number | null {
  const region = currentRegion();
  return parseEnglishNumber(region === UNITED_STATES ? text : englishNumber(text, region));
}

/** The same of a text with the marks of English, whatever the region's. */
export function parseEnglishNumber(text: string): number | null {
  const trimmed = trimSpaces(text);
  if (trimmed.length > MOST_CHARACTERS) return null;
  if (PLAIN.test(trimmed)) return numberFrom(trimmed);
  return decorated(trimmed) ?? fraction(trimmed);
}

/** Spaces and line ends do not count, but a non-breaking space does. By hand: a pattern would go through long texts often. */
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

/** The text with its digits after the fifteenth that counts as zeros. */
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

/** Sign, currency, parentheses and percent, each at most once and in an order people write them. */
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
  // As a power of ten: 23.123% is 0.23123, which dividing by a hundred misses.
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
