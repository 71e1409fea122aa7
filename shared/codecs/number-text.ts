/** Parses numbers that users type. Source: specification of activities, section 5. */
import { exactCell, shiftDecimal } from './exact-number.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Numbers with grouping commas. '0,125' does not match: it means an eighth, never 125. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

/**
 * Returns the number that a text represents: surrounding blanks are ignored, a trailing % divides by 100, commas may
 * group thousands. Null for anything else, including numbers that are too large.
 */
export function parseNumber(text: string): number | null {
  const decimal = decimalText(text);
  const value = decimal === null ? NaN : Number(decimal);
  return Number.isFinite(value) ? value : null;
}

/**
 * Works like parseNumber, but returns a number with more than 15 digits as its plain text, so that no digit is lost.
 */
export function parseExactNumber(text: string): number | string | null {
  const decimal = decimalText(text);
  return decimal === null ? null : exactCell(decimal);
}

/** Returns the number in JavaScript notation. */
function decimalText(text: string): string | null {
  const trimmed = text.trim();
  const percent = trimmed.endsWith('%');
  const digits = percent ? trimmed.slice(0, -1).trimEnd() : trimmed;
  const plain = GROUPED.test(digits) ? digits.replaceAll(',', '') : digits;
  if (!NUMBER.test(plain)) return null;
  // Divides in decimal: 12.3 % becomes exactly 0.123, whereas binary division by 100 is inexact for some numbers.
  return percent ? shiftDecimal(plain, -2) : plain;
}

/** Returns the number in a field of a call, sent as a number or as text; null for anything else. */
export function numberOf(sent: unknown): number | null {
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent : null;
  return typeof sent === 'string' ? parseNumber(sent) : null;
}

/** Returns whether a field of a call is empty: null, absent, or a blank text. */
export const isNothing = (sent: unknown): boolean =>
  sent === null || sent === undefined || (typeof sent === 'string' && sent.trim() === '');
