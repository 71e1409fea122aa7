/** Conversions between interest rates, and prices as fractions. Source: Microsoft's function reference. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { raised } from '#server/calculation/values/powers.ts';
import { defineFunction, type FunctionDefinition } from '../function.ts';
import { numberOf, numeric } from '../numeric.ts';
import { eachOf } from '../sums/tally.ts';
import { security } from './security.ts';

function effectiveRate([nominal, periods]: number[]): number | CellError {
  const count = Math.trunc(periods!);
  return nominal! <= 0 || count < 1 ? NUM_ERROR : raised(1 + nominal! / count, count) - 1;
}

function nominalRate([effective, periods]: number[]): number | CellError {
  const count = Math.trunc(periods!);
  return effective! <= 0 || count < 1 ? NUM_ERROR : ((1 + effective!) ** (1 / count) - 1) * count;
}

function equivalentRate([periods, present, future]: number[]): number | CellError {
  if (periods! <= 0 || present === 0) return future === present && periods! > 0 ? 0 : NUM_ERROR;
  return (future! / present!) ** (1 / periods!) - 1;
}

function growthPeriods([rate, present, future]: number[]): number | CellError {
  if (rate! <= 0 || present! <= 0 || future! <= 0) return NUM_ERROR;
  return (Math.log(future!) - Math.log(present!)) / Math.log(1 + rate!);
}

/** Returns the scale of the numerator as a power of ten: 32nds are written .01 to .31. */
const numeratorScale = (fraction: number): number => 10 ** Math.ceil(Math.log10(fraction));

function dollarParts(fraction: number): number | CellError {
  if (fraction < 0) return NUM_ERROR;
  return fraction < 1 ? DIV0_ERROR : Math.trunc(fraction);
}

function toDecimal([price, fraction]: number[]): number | CellError {
  const parts = dollarParts(fraction!);
  if (typeof parts !== 'number') return parts;
  const whole = Math.trunc(price!);
  return whole + ((price! - whole) * numeratorScale(parts)) / parts;
}

function toFraction([price, fraction]: number[]): number | CellError {
  const parts = dollarParts(fraction!);
  if (typeof parts !== 'number') return parts;
  const whole = Math.trunc(price!);
  return whole + ((price! - whole) * parts) / numeratorScale(parts);
}

/** Texts and Booleans in the schedule are #VALUE!; blanks are no interest. */
function scheduledValue([principal, schedule]: FormulaValue[]): FormulaValue {
  const start = numberOf(principal);
  if (typeof start !== 'number') return start;
  let result = start;
  let failure: CellError | null = null;
  eachOf(schedule, (value) => {
    if (typeof value === 'number') result *= 1 + value;
    else if (value !== null) failure = typeof value === 'object' ? value : VALUE_ERROR;
    return failure !== null;
  });
  return failure ?? result;
}

export const rateFunctions: FunctionDefinition[] = [
  security('EFFECT', 'nn', effectiveRate, 2),
  security('NOMINAL', 'nn', nominalRate, 2),
  numeric('RRI', 3, equivalentRate),
  numeric('PDURATION', 3, growthPeriods),
  security('DOLLARDE', 'nn', toDecimal, 2),
  security('DOLLARFR', 'nn', toFraction, 2),
  defineFunction('FVSCHEDULE', 'vr', scheduledValue),
];
