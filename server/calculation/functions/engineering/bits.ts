/**
 * Bitwise operations on integers below 2^48, step functions and the error function. Source: Microsoft, 'BITAND
 * function' and related functions, 'ERF function'.
 */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { numeric } from '../numeric.ts';
import { erf, erfc } from '../statistics/erf.ts';
import { strict } from './strict-number.ts';

const LIMIT = 2 ** 48;
const HALF = 2 ** 24;
const MAX_SHIFT = 53;

const isBits = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < LIMIT;

/** Works on two halves, because JavaScript's bitwise operators use 32 bits. */
function bitwise(combine: (a: number, b: number) => number) {
  return ([a, b]: number[]): number | CellError => {
    if (!isBits(a!) || !isBits(b!)) return NUM_ERROR;
    const high = combine(Math.floor(a! / HALF), Math.floor(b! / HALF));
    return high * HALF + combine(a! % HALF, b! % HALF);
  };
}

function shift(direction: 1 | -1) {
  return ([value, amount]: number[]): number | CellError => {
    const places = Math.trunc(amount!) * direction;
    if (!isBits(value!) || Math.abs(places) > MAX_SHIFT) return NUM_ERROR;
    const result = Math.floor(value! * 2 ** places);
    return result < LIMIT ? result : NUM_ERROR;
  };
}

export const bitFunctions: FunctionDefinition[] = [
  numeric(
    'BITAND',
    2,
    bitwise((a, b) => a & b),
  ),
  numeric(
    'BITOR',
    2,
    bitwise((a, b) => a | b),
  ),
  numeric(
    'BITXOR',
    2,
    bitwise((a, b) => a ^ b),
  ),
  numeric('BITLSHIFT', 2, shift(1)),
  numeric('BITRSHIFT', 2, shift(-1)),
  strict('DELTA', 2, ([a, b]) => (a === b ? 1 : 0), 1),
  strict('GESTEP', 2, ([value, step]) => (value! >= step! ? 1 : 0), 1),
  strict('ERF', 2, ([low, high], count) => (count < 2 ? erf(low!) : erf(high!) - erf(low!)), 1),
  strict('ERF.PRECISE', 1, ([x]) => erf(x!)),
  strict('ERFC', 1, ([x]) => erfc(x!)),
  strict('ERFC.PRECISE', 1, ([x]) => erfc(x!)),
];
