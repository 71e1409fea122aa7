/** Parses numbers directly from the bytes of a part. */
import { decodeUtf8 } from './xml-text.ts';

const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const SPACE = 0x20;

/** Parses a whole number of at most 15 digits, optionally surrounded by blanks; -1 for anything else. */
export function parseInteger(bytes: Uint8Array, start: number, end: number): number {
  let from = start;
  let to = end;
  while (from < to && bytes[from]! <= SPACE) from++;
  while (to > from && bytes[to - 1]! <= SPACE) to--;
  if (from === to || to - from > 15) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/**
 * Parses a decimal number; NaN if it is not one. Up to 15 digits and 22 decimals, dividing two exact doubles rounds
 * only once, so the result is exactly that of Number(). All other cases are passed to Number().
 */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const negative = bytes[at] === 0x2d;
  if (negative) at++;
  let mantissa = 0;
  let digits = 0;
  let decimals = -1;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === 0x2e) {
      if (decimals >= 0) return Number.NaN;
      decimals = 0;
      continue;
    }
    const digit = byte - 0x30;
    if (digit < 0 || digit > 9) return parseSlowly(bytes, start, end);
    mantissa = mantissa * 10 + digit;
    if (decimals >= 0) decimals++;
    digits++;
  }
  if (digits === 0 || digits > 15) return parseSlowly(bytes, start, end);
  const value = decimals > 0 ? mantissa / POWERS[decimals]! : mantissa;
  return negative ? 0 - value : value;
}

function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  const text = decodeUtf8(bytes, start, end).trim();
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}
