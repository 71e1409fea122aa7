/** Numbers as texts in decimal, of which no digit is lost. */

/** A number as written: (-1)^isNegative · digits · 10^exponent, the digits without zeros before and behind them. */
export interface Decimal {
  isNegative: boolean;
  digits: string;
  exponent: number;
}

/** Digits that a double keeps of every number, and Excel of any. Source: IEEE 754, DBL_DIG; Excel's specifications and limits. */
export const KEPT_DIGITS = 15;

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** '-1.50e3' as its digits 15 and what they stand for; null where the text is no number. */
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

/** Longer numbers would be zeros for the most part. */
const LARGEST_EXPONENT = 20_000;

/** '1.50e3' as '1500'; null where the text is no number, or one with an exponent of tens of thousands. */
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

/** A number times ten to the power, in decimal: 12.3 % is 0.123, which 12.3 / 100 is not of every number. */
export function shiftDecimal(decimal: string, places: number): string {
  const [mantissa, exponent = '0'] = decimal.toLowerCase().split('e');
  return `${mantissa}e${Number(exponent) + places}`;
}

/** Digits before and behind the point that a number needs; null where the text is none. */
export function digitsNeeded(text: string): { whole: number; fraction: number } | null {
  const read = readDecimal(text);
  if (read === null) return null;
  return { whole: Math.max(0, read.digits.length + read.exponent), fraction: Math.max(0, -read.exponent) };
}

/** Less than, equal to or more than 0 as the first is to the second; null where one of them is no number. */
export function compareDecimals(first: string, second: string): number | null {
  const [a, b] = [readDecimal(first), readDecimal(second)];
  if (a === null || b === null) return null;
  const [signA, signB] = [signOf(a), signOf(b)];
  return signA === signB ? signA * compareSizes(a, b) : signA - signB;
}

const signOf = ({ digits, isNegative }: Decimal): number => (digits === '' ? 0 : isNegative ? -1 : 1);

/** Whatever their signs. */
function compareSizes(a: Decimal, b: Decimal): number {
  const places = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (places !== 0) return places;
  const length = Math.max(a.digits.length, b.digits.length);
  const [left, right] = [a.digits.padEnd(length, '0'), b.digits.padEnd(length, '0')];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Whether a number, as JavaScript or JSON writes it, has digits that a double may have lost. */
export const hasMoreDigits = (text: string): boolean => (readDecimal(text)?.digits.length ?? 0) > KEPT_DIGITS;

/**
 * A number, as JavaScript or JSON writes it, as a cell that loses nothing of it: a double up to 15 digits, else its plain text
 * ('12345678901234567.5'). Null where the text is no number.
 */
export function exactCell(text: string): number | string | null {
  const read = readDecimal(text);
  if (read === null) return null;
  const number = read.digits === '' ? 0 : Number(text);
  // Beyond the range of doubles even few digits are lost: 1e400, 1.25e-322.
  const isKept = read.digits.length <= KEPT_DIGITS && isSame(readDecimal(String(number)), read);
  return isKept ? number : plainNumber(text);
}

const isSame = (one: Decimal | null, other: Decimal): boolean =>
  one !== null && one.digits === other.digits && one.exponent === other.exponent && one.isNegative === other.isNegative;

/** A number of JSON as it is written there. */
export class WrittenNumber {
  readonly value: number;
  readonly text: string;

  constructor(value: number, text: string) {
    this.value = value;
    this.text = text;
  }
}

// Such a number has a run of digits at least as long, with one point in it at most.
const MAY_HAVE_MORE = /[\d.]{16}/;

/**
 * JSON.parse, but numbers of more than 15 digits are WrittenNumbers, as parsing has rounded them; where a browser does not tell what was
 * written (before 2025) the text is that of the rounded number. Throws SyntaxError as JSON.parse does.
 */
export function parseExactJson(json: string): unknown {
  if (!MAY_HAVE_MORE.test(json)) return JSON.parse(json) as unknown;
  return JSON.parse(json, keepWritten as (key: string, value: unknown) => unknown) as unknown;
}

/** Source: ECMAScript proposal "JSON.parse source text access". */
function keepWritten(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const text = context?.source ?? String(value);
  return hasMoreDigits(text) ? new WrittenNumber(value, text) : value;
}
