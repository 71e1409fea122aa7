/** Decimal numbers as texts, without loss of digits. */

/** A decimal number: (-1)^isNegative · digits · 10^exponent; the digits have no leading or trailing zeros. */
export interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: number;
}

/**
 * Number of digits that doubles, and Excel, preserve for every number. Source: IEEE 754, DBL_DIG; Excel's
 * specifications and limits.
 */
export const EXACT_DIGITS = 15;

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Parses '-1.50e3' into the digits 15, sign and exponent; null if the text is not a number. */
export function readDecimal(text: string): Decimal | null {
  const found = NUMBER.exec(text.trim());
  if (!found) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found;
  if (whole === '' && fraction === '') return null;
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = written.replace(/0+$/, '');
  if (digits === '') return { isNegative: false, digits: '', exponent: 0 };
  return {
    isNegative: sign === '-',
    digits,
    exponent: Number(exponent) - fraction.length + (written.length - digits.length),
  };
}

/** Larger exponents would mostly produce zeros. */
const LARGEST_EXPONENT = 20_000;

/** Returns '1500' for '1.50e3'; null if the text is not a number or its exponent exceeds LARGEST_EXPONENT. */
export function plainNumber(text: string): string | null {
  const read = readDecimal(text);
  if (read === null || Math.abs(read.exponent) > LARGEST_EXPONENT) return null;
  const { isNegative, digits, exponent } = read;
  if (digits === '') return '0';
  const sign = isNegative ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/**
 * Multiplies by a power of ten in decimal: 12.3 % becomes exactly 0.123, whereas binary division by 100 is inexact for
 * some numbers.
 */
export function shiftDecimal(decimal: string, places: number): string {
  const [mantissa, exponent = '0'] = decimal.toLowerCase().split('e');
  return `${mantissa}e${Number(exponent) + places}`;
}

/** Returns how many digits a number needs before and after the decimal point; null if the text is not a number. */
export function digitsNeeded(text: string): { whole: number; fraction: number } | null {
  const read = readDecimal(text);
  if (read === null) return null;
  return { whole: Math.max(0, read.digits.length + read.exponent), fraction: Math.max(0, -read.exponent) };
}

/**
 * Returns a number below, equal to or above 0 if the first is less than, equal to or greater than the second; null if
 * one of them is not a number.
 */
export function compareDecimals(first: string, second: string): number | null {
  const [a, b] = [readDecimal(first), readDecimal(second)];
  if (a === null || b === null) return null;
  const [signA, signB] = [signOf(a), signOf(b)];
  return signA === signB ? signA * compareSizes(a, b) : signA - signB;
}

const signOf = ({ digits, isNegative }: Decimal): number => (digits === '' ? 0 : isNegative ? -1 : 1);

/** Compares magnitudes, ignoring signs. */
function compareSizes(a: Decimal, b: Decimal): number {
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (places !== 0) return places;
  const length = Math.max(a.digits.length, b.digits.length);
  const [left, right] = [a.digits.padEnd(length, '0'), b.digits.padEnd(length, '0')];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Returns whether a number in JavaScript or JSON notation has digits that a double may have lost. */
export const hasMoreDigits = (text: string): boolean => (readDecimal(text)?.digits.length ?? 0) > EXACT_DIGITS;

/**
 * Returns a number in JavaScript or JSON notation as a cell value without loss: a double up to 15 digits, otherwise its
 * plain text ('12345678901234567.5'). Null if the text is not a number.
 */
export function exactCell(text: string): number | string | null {
  const read = readDecimal(text);
  if (read === null) return null;
  const number = read.digits === '' ? 0 : Number(text);
  // Outside the normal range of doubles, even numbers with few digits lose precision: 1e400, 1.25e-322.
  const isExact = read.digits.length <= EXACT_DIGITS && isSame(readDecimal(String(number)), read);
  return isExact ? number : plainNumber(text);
}

const isSame = (one: Decimal | null, other: Decimal): boolean =>
  one !== null && one.digits === other.digits && one.exponent === other.exponent && one.isNegative === other.isNegative;

/** A number in JSON together with its original text. */
export class WrittenNumber {
  readonly value: number;
  readonly text: string;

  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

// A quick test: such a number contains at least 16 characters in a row that are digits or a point.
const MAY_HAVE_MORE = /[\d.]{16}/;

/**
 * Works like JSON.parse, but returns a WrittenNumber for numbers with more than 15 digits, because parsing rounds them.
 * If a browser does not expose the source text (before 2025), the text is that of the rounded number. Throws
 * SyntaxError like JSON.parse.
 */
export function parseExactJson(json: string): unknown {
  if (!MAY_HAVE_MORE.test(json)) return JSON.parse(json) as unknown;
  return JSON.parse(json, withWrittenText as (key: string, value: unknown) => unknown) as unknown;
}

/** Source: ECMAScript proposal "JSON.parse source text access". */
function withWrittenText(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const text = context?.source ?? String(value);
  return hasMoreDigits(text) ? new WrittenNumber(value, text) : value;
}
