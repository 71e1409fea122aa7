/** Decimal digits of numbers as Excel shows them: at most 15 are significant, and halves are rounded up from there. */

const SIGNIFICANT = 15;
const POWERS = Array.from({ length: 23 }, (_, power) => 10 ** power);
/** Below this limit, a scaled double has enough digits after the point to distinguish a half from adjacent values. */
const FAST_LIMIT = 1e9;

/**
 * Returns `magnitude` (not negative) times ten to the power of `shift`, rounded to `decimals` places, as digits without
 * a point: 1.5 with two decimals is '150'. There are no leading zeros, except for '0' itself.
 */
export function scaledDigits(magnitude: number, decimals: number, shift = 0): string {
  const places = decimals + shift;
  if (places >= 0 && places < 15) {
    const scaled = magnitude * POWERS[places]!;
    if (scaled < FAST_LIMIT) {
      const lower = Math.floor(scaled);
      const rest = scaled - lower;
      if (rest < 0.499999) return String(lower);
      if (rest > 0.500001) return String(lower + 1);
    }
  }
  return exactDigits(magnitude, places);
}

function exactDigits(magnitude: number, places: number): string {
  if (magnitude === 0) return '0';
  const text = magnitude.toExponential(SIGNIFICANT - 1);
  const digits = text[0]! + text.slice(2, SIGNIFICANT + 1);
  const digitCount = Number(text.slice(text.indexOf('e') + 1)) + 1 + places;
  if (digitCount < 0) return '0';
  if (digitCount >= SIGNIFICANT) return digits + '0'.repeat(digitCount - SIGNIFICANT);
  const head = digitCount === 0 ? 0 : Number(digits.slice(0, digitCount));
  return String(digits[digitCount]! >= '5' ? head + 1 : head);
}

/** Returns the power of ten of the first digit of the number, rounded to 15 digits. */
export function exponentOf(magnitude: number): number {
  if (magnitude === 0) return 0;
  const text = magnitude.toExponential(SIGNIFICANT - 1);
  return Number(text.slice(text.indexOf('e') + 1));
}

/**
 * Returns true if a separator precedes the last `places` digits: at each thousand; with `inTwos`, at every second digit
 * above the first thousand.
 */
export const endsGroup = (places: number, inTwos: boolean): boolean =>
  places >= 3 && (inTwos ? places % 2 === 1 : places % 3 === 0);

/** Returns the digits with thousands separators; with `inTwos` as 12,34,567. */
export function grouped(digits: string, separator = ',', inTwos = false): string {
  if (digits.length <= 3) return digits;
  if (inTwos) return digits.slice(0, -3).replace(/(?=(?:\d\d)+$)(?!^)/g, separator) + separator + digits.slice(-3);
  let result = digits.slice(0, digits.length % 3);
  for (let at = digits.length % 3; at < digits.length; at += 3) {
    result += (result === '' ? '' : separator) + digits.slice(at, at + 3);
  }
  return result;
}
