/** Rounds as Excel does: half away from zero, on the displayed decimal number instead of its binary approximation. */
import { cellError, type CellError } from '#server/calculation/values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';
import type { FunctionDefinition } from '../function.ts';
import { numeric, unary } from '../numeric.ts';

/**
 * Values this close to a half are treated as a half: 2.675 is stored as 2.67499…. The tolerance also covers the error
 * of a few calculation steps: 2.7-2.7/1.2 is 0.44999999999999973. Source: values saved by Excel.
 */
const HALF_TOLERANCE = 2 ** -50;
/**
 * Upper limit of the tolerance, in units of the last rounded digit. A larger tolerance would change digits of numbers
 * with more than 15 digits.
 */
const MAX_TOLERANCE = 0.1;
const MAX_DIGITS = 308;

type Towards = 'nearest' | 'zero' | 'away';

/** Rounds `value` to `digits` decimals (negative: to tens, hundreds …). */
export function roundTo(value: number, digits: number, towards: Towards = 'nearest'): number {
  const places = Math.trunc(digits);
  if (value === 0 || places > MAX_DIGITS) return value;
  if (places < -MAX_DIGITS) return towards === 'away' ? Infinity : 0;
  const scale = 10 ** Math.abs(places);
  const magnitude = Math.abs(value);
  const scaled = places >= 0 ? magnitude * scale : magnitude / scale;
  if (scaled >= 2 ** 53) return value;
  const whole = roundWhole(scaled, towards);
  const rounded = places >= 0 ? whole / scale : whole * scale;
  return value < 0 ? -rounded : rounded;
}

function roundWhole(scaled: number, towards: Towards): number {
  const nearest = Math.round(scaled);
  const slack = Math.min(scaled * HALF_TOLERANCE, MAX_TOLERANCE);
  if (towards === 'nearest') return Math.floor(scaled + 0.5 + slack);
  if (Math.abs(scaled - nearest) <= slack) return nearest;
  return towards === 'zero' ? Math.floor(scaled) : Math.ceil(scaled);
}

/** Larger numbers have too few decimals to recognize a rounding error. */
const MAX_CORRECTABLE = 1e13;

/**
 * ROUNDDOWN, ROUNDUP and TRUNC. A value that is already rounded when shown in 15 digits stays as shown: 10385.8-9139.5
 * is 1246.3, although it is a few units of the last place lower. Source: results saved by Excel. It rounds
 * 145.88999999999942, which has further digits, down to 145.88.
 */
function roundShown(value: number, digits: number, towards: Towards): number {
  const places = Math.trunc(digits);
  if (Math.abs(places) > 15 || Math.abs(value) * 10 ** places >= MAX_CORRECTABLE)
    return roundTo(value, digits, towards);
  const shown = Number(value.toPrecision(15));
  return shown === roundTo(shown, digits) ? shown : roundTo(value, digits, towards);
}

/** Rounds to a multiple of `step` in the given direction, based on 15 digits of the quotient. */
function multiple(value: number, step: number, round: (quotient: number) => number): number {
  const whole = round(Number((value / step).toPrecision(15)));
  // Rounds in decimal for steps with few digits: 3 × 0.1 is 0.3.
  return Number((whole * step).toPrecision(15));
}

function ceilingOrFloor(round: (quotient: number) => number, zeroStep: number | CellError) {
  return ([value, step]: number[]): number | CellError => {
    if (value === 0) return 0;
    if (step === 0) return zeroStep;
    if (value! > 0 && step! < 0) return NUM_ERROR;
    return multiple(value!, step!, round);
  };
}

/**
 * CEILING.MATH and FLOOR.MATH ignore the sign of the step; a mode other than 0 reverses the direction for negative
 * numbers.
 */
function mathMultiple(up: boolean) {
  return ([value, step, mode]: number[]): number => {
    if (step === 0 || value === 0) return 0;
    const turned = mode !== 0 && value! < 0;
    return multiple(value!, Math.abs(step!), up !== turned ? Math.ceil : Math.floor);
  };
}

const precise =
  (up: boolean) =>
  ([value, step]: number[]): number =>
    step === 0 || value === 0 ? 0 : multiple(value!, Math.abs(step!), up ? Math.ceil : Math.floor);

function toParity(value: number, parity: 0 | 1): number {
  const whole = roundTo(Math.abs(value), 0, 'away');
  const result = whole % 2 === parity ? whole : whole + 1;
  return value < 0 ? -result : result;
}

function mround([value, step]: number[]): number | CellError {
  if (value === 0 || step === 0) return 0;
  if (Math.sign(value!) !== Math.sign(step!)) return NUM_ERROR;
  return multiple(value!, step!, (quotient) => Math.floor(quotient + 0.5));
}

function mod([value, divisor]: number[]): number | CellError {
  if (divisor === 0) return DIV0_ERROR;
  const quotient = value! / divisor!;
  if (Math.abs(quotient) > 2 ** 50) return NUM_ERROR;
  const rest = value! - divisor! * Math.floor(quotient);
  return Math.abs(rest) < Math.abs(value!) * 1e-16 ? 0 : rest;
}

export const roundingFunctions: FunctionDefinition[] = [
  numeric('ROUND', 2, ([value, digits]) => roundTo(value!, digits!)),
  numeric('ROUNDDOWN', 2, ([value, digits]) => roundShown(value!, digits!, 'zero')),
  numeric('ROUNDUP', 2, ([value, digits]) => roundShown(value!, digits!, 'away')),
  numeric('TRUNC', 2, ([value, digits]) => roundShown(value!, digits!, 'zero'), { required: 1 }),
  unary('INT', (value) => (value < 0 ? roundTo(value, 0, 'away') : roundTo(value, 0, 'zero'))),
  unary('EVEN', (value) => toParity(value, 0)),
  unary('ODD', (value) => (value === 0 ? 1 : toParity(value, 1))),
  numeric('MROUND', 2, mround, { refusesBooleans: true }),
  numeric('CEILING', 2, ceilingOrFloor(Math.ceil, 0)),
  numeric('FLOOR', 2, ceilingOrFloor(Math.floor, cellError('#DIV/0!')!)),
  numeric('CEILING.MATH', 3, mathMultiple(true), { required: 1, defaults: [0, 1, 0] }),
  numeric('FLOOR.MATH', 3, mathMultiple(false), { required: 1, defaults: [0, 1, 0] }),
  numeric('CEILING.PRECISE', 2, precise(true), { required: 1, defaults: [0, 1] }),
  numeric('ISO.CEILING', 2, precise(true), { required: 1, defaults: [0, 1] }),
  numeric('ECMA.CEILING', 2, precise(true), { required: 2 }),
  numeric('FLOOR.PRECISE', 2, precise(false), { required: 1, defaults: [0, 1] }),
  numeric('MOD', 2, mod),
  numeric('QUOTIENT', 2, ([value, divisor]) => (divisor === 0 ? DIV0_ERROR : Math.trunc(value! / divisor!)), {
    refusesBooleans: true,
  }),
];
