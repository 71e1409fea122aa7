/** Which numbers floats of a database hold as they are written. */
import { readDecimal } from '#shared/codecs/exact-number.ts';

/** Whether a float of so many bits gives back the digits that are written, rounded to as many. */
export function isExactFloat(text: string, bits: 32 | 64): boolean {
  const read = readDecimal(text);
  if (read === null) return false;
  const { digits } = read;
  if (digits === '') return true;
  const value = bits === 32 ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(value) || value === 0 || digits.length > 100) return false;
  // A float of 32 bits is one of 64 with all its digits; those of a 17-digit text may be more than the shortest.
  const again = readDecimal(value.toPrecision(Math.min(digits.length, 100)));
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
