/** Checks which numbers a database float stores as they are written. */
import { readDecimal } from '#shared/codecs/exact-number.ts';

/**
 * Returns true if a float with this many bits, rounded to the number of digits in the text, gives back the same digits.
 */
export function isExactFloat(text: string, bits: 32 | 64): boolean {
  const read = readDecimal(text);
  if (read === null) return false;
  const { digits } = read;
  if (digits === '') return true;
  const value = bits === 32 ? Math.fround(Number(text)) : Number(text);
  if (!Number.isFinite(value) || value === 0 || digits.length > 100) return false;
  // Compare with as many digits as the text has: the shortest text of the float may have fewer, for example if the text
  // has 17. This also works for 32-bit floats, which are exact in 64 bits.
  const again = readDecimal(value.toPrecision(Math.min(digits.length, 100)));
  return again !== null && again.digits === digits && again.exponent === read.exponent;
}

/** Returns the shortest text that converts to the same 32-bit float. */
export function shortestFloat32(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}
