/** Numbers as texts, of which no digit is lost. */

/** A number as written: (-1)^isNegative · digits · 10^exponent, the digits without zeros before and behind them. */
interface ReadNumber {
  isNegative: boolean;
  digits: string;
  exponent: number;
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

function readNumber(text: string): ReadNumber | null {
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

function plain({ isNegative, digits, exponent }: ReadNumber): string {
  if (digits === '') return '0';
  const sign = isNegative ? '-' : '';
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** '1.50e3' as '1500'; null where the text is no number, or one with an exponent of hundreds. */
export function plainNumber(text: string): string | null {
  const read = readNumber(text);
  return read === null || Math.abs(read.exponent) > 20_000 ? null : plain(read);
}

/** Digits before and behind the point that a number needs; null where the text is none. */
export function digitsNeeded(text: string): { whole: number; fraction: number } | null {
  const read = readNumber(text);
  if (read === null) return null;
  return { whole: Math.max(0, read.digits.length + read.exponent), fraction: Math.max(0, -read.exponent) };
}

/** Whether a float of so many bits gives back the digits that are written, rounded to as many. */
export function isExactFloat(text: string, bits: 32 | 64): boolean {
  const read = readNumber(text);
  if (read === null) return false;
  const { digits } = read;
  if (digits === '') return true;
  const value = bits === 32 ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(value) || value === 0 || digits.length > 100) return false;
  // A float of 32 bits is one of 64 with all its digits; those of a 17-digit text may be more than the shortest.
  const again = readNumber(value.toPrecision(Math.min(digits.length, 100)));
  return again !== null && again.digits === digits && again.exponent === read.exponent;
}

/** The shortest text that gives the same float of 32 bits. */
export function shortestFloat32(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
