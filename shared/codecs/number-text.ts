/** Numbers as people type them. Source: specification of activities, section 5. */
import { exactCell, shiftDecimal } from './exact-number.ts';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** '0,125' is none: whoever writes it so means an eighth, and not 125. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

/**
 * The number a text stands for: blanks around it do not count, a trailing % divides by 100, commas may group thousands.
 * Null for anything else, also for what is too large for a number.
 */
export function parseNumber(text: string): number | null {
  const decimal = decimalText(text);
  const value = decimal === null ? NaN : Number(decimal);
  return Number.isFinite(value) ? value : null;
}

/** The same, but a number of more than 15 digits as its plain text, so that none of them is lost. */
export function parseExactNumber(text: string): number | string | null {
  const decimal = decimalText(text);
  return decimal === null ? null : exactCell(decimal);
}

/** As JavaScript writes it. */
function decimalText(text: string): string | null {
  const trimmed = text.trim();
  const percent = trimmed.endsWith('%');
  const digits = percent ? trimmed.slice(0, -1).trimEnd() : trimmed;
  const plain = GROUPED.test(digits) ? digits.replaceAll(',', '') : digits;
  if (!NUMBER.test(plain)) return null;
  // Dividing in decimal: 12.3 % is 0.123, which 12.3 / 100 is not on every number.
  return percent ? shiftDecimal(plain, -2) : plain;
}

/** The number that a field of a call stands for, sent as one or as its text; null for anything else. */
export function numberOf(sent: unknown): number | null {
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent : null;
  return typeof sent === 'string' ? parseNumber(sent) : null;
}

/** Whether a field of a call says nothing: null, left out, or a blank text. */
export const isNothing = (sent: unknown): boolean =>
  sent === null || sent === undefined || (typeof sent === 'string' && sent.trim() === '');
