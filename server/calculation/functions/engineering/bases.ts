/**
 * Binary, octal and hexadecimal numbers of ten digits in two's complement. Source: Microsoft, 'DEC2BIN function' and
 * related functions.
 */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { strictNumber } from './strict-number.ts';

interface Base {
  radix: number;
  /** Number of values with ten digits; the upper half represents negative numbers. */
  range: number;
  digits: RegExp;
}

const MAX_DIGITS = 10;
const BINARY: Base = { radix: 2, range: 2 ** 10, digits: /^[01]{0,10}$/ };
const OCTAL: Base = { radix: 8, range: 2 ** 30, digits: /^[0-7]{0,10}$/ };
const HEXADECIMAL: Base = { radix: 16, range: 2 ** 40, digits: /^[0-9A-F]{0,10}$/i };

/** A number is read as its decimal digits: binary 101 is five. An empty text is 0. */
function parse(arg: FormulaValue, { radix, range, digits }: Base): number | CellError {
  if (typeof arg === 'boolean') return VALUE_ERROR;
  const text = toText(arg as CellValue);
  if (typeof text !== 'string') return text;
  if (!digits.test(text)) return NUM_ERROR;
  const number = text === '' ? 0 : Number.parseInt(text, radix);
  return number >= range / 2 ? number - range : number;
}

function format(value: number, { radix, range }: Base, places: number | null): string | CellError {
  const whole = Math.trunc(value);
  if (whole < -range / 2 || whole >= range / 2) return NUM_ERROR;
  // Negative numbers have ten digits, whatever number of places is requested.
  if (whole < 0) return (whole + range).toString(radix).toUpperCase();
  const text = whole.toString(radix).toUpperCase();
  if (places === null) return text;
  return places < text.length ? NUM_ERROR : text.padStart(places, '0');
}

function placesOf(arg: FormulaValue): number | null | CellError {
  if (arg === undefined) return null;
  const places = strictNumber(arg);
  if (typeof places !== 'number') return places;
  return places < 1 || places >= MAX_DIGITS + 1 ? NUM_ERROR : Math.trunc(places);
}

function conversion(name: string, from: Base | null, to: Base | null): FunctionDefinition {
  return defineFunction(
    name,
    to ? 'vv' : 'v',
    ([value, digits]) => {
      // An invalid number of places takes precedence over an invalid number, except if the number is an error value.
      const places = value instanceof CellError ? null : placesOf(digits);
      if (places instanceof CellError) return places;
      const number = from ? parse(value, from) : strictNumber(value);
      return typeof number === 'number' && to ? format(number, to, places) : number;
    },
    { required: 1 },
  );
}

export const baseFunctions: FunctionDefinition[] = [
  conversion('DEC2BIN', null, BINARY),
  conversion('DEC2OCT', null, OCTAL),
  conversion('DEC2HEX', null, HEXADECIMAL),
  conversion('BIN2DEC', BINARY, null),
  conversion('OCT2DEC', OCTAL, null),
  conversion('HEX2DEC', HEXADECIMAL, null),
  conversion('BIN2OCT', BINARY, OCTAL),
  conversion('BIN2HEX', BINARY, HEXADECIMAL),
  conversion('OCT2BIN', OCTAL, BINARY),
  conversion('OCT2HEX', OCTAL, HEXADECIMAL),
  conversion('HEX2BIN', HEXADECIMAL, BINARY),
  conversion('HEX2OCT', HEXADECIMAL, OCTAL),
];
