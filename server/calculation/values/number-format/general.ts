/** General format within the eleven characters that TEXT allows. */
import { exponentOf, scaledDigits } from './digits.ts';

const WIDTH = 11;
const SCIENTIFIC_DIGITS = 5;

/** Formats a number in General format: as many digits as fit into eleven characters, otherwise with an exponent. */
export function generalText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e11) return String(value === 0 ? 0 : value);
  return (value < 0 ? '-' : '') + generalMagnitude(Math.abs(value));
}

function generalMagnitude(magnitude: number): string {
  const exponent = exponentOf(magnitude);
  if (exponent >= WIDTH) return scientific(magnitude);
  if (exponent >= -4) return plain(magnitude, exponent >= 0 ? Math.max(0, 9 - exponent) : 9);
  // Small numbers are written without an exponent if they fit into the width with all their digits: 0.00001.
  const [mantissa] = Number(magnitude.toPrecision(15)).toExponential().split('e');
  const places = mantissa!.slice('1.'.length).length - exponent;
  return '0.'.length + places <= WIDTH ? plain(magnitude, places) : scientific(magnitude);
}

function plain(magnitude: number, decimals: number): string {
  const digits = scaledDigits(magnitude, decimals).padStart(decimals + 1, '0');
  if (decimals === 0) return digits;
  const split = digits.length - decimals;
  const fraction = digits.slice(split).replace(/0+$/, '');
  return fraction === '' ? digits.slice(0, split) : `${digits.slice(0, split)}.${fraction}`;
}

function scientific(magnitude: number): string {
  const first = exponentOf(magnitude);
  const digits = scaledDigits(magnitude, SCIENTIFIC_DIGITS, -first);
  // Rounding up to the next power of ten adds a digit.
  const exponent = first + digits.length - 1 - SCIENTIFIC_DIGITS;
  const fraction = digits.slice(1).replace(/0+$/, '');
  const mantissa = fraction === '' ? digits[0]! : `${digits[0]!}.${fraction}`;
  return `${mantissa}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
