/** Present values and returns of payments, at equal periods and at dates. Source: Microsoft's function reference. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { numberOf } from '../numeric.ts';
import { eachNumber } from '../sums/tally.ts';
import { datedReturn } from './dated-return.ts';

function numbersOf(args: readonly FormulaValue[], context: CallContext): number[] | CellError {
  const numbers: number[] = [];
  const failure = eachNumber(args, (value) => void numbers.push(value));
  context.spend(numbers.length);
  return failure ?? numbers;
}

/**
 * Discounted to one period before the first payment: first to the first payment itself, then once more, which is how Excel
 * comes to its last digits.
 */
function presentValue(rate: number, payments: readonly number[]): number {
  let result = 0;
  let growth = 1;
  for (const payment of payments) {
    result += payment / growth;
    growth *= 1 + rate;
  }
  return result / (1 + rate);
}

function netPresentValue([rate, ...payments]: FormulaValue[], context: CallContext): FormulaValue {
  const discount = numberOf(rate);
  if (typeof discount !== 'number') return discount;
  const numbers = numbersOf(payments, context);
  if (numbers instanceof CellError) return numbers;
  if (numbers.length === 0) return VALUE_ERROR;
  return discount === -1 ? DIV0_ERROR : checkNumber(presentValue(discount, numbers));
}

const IRR_ITERATIONS = 60;
const IRR_ACCURACY = 1e-7;

/** The value of payments at a rate over its slope, which is Newton's step. */
type NewtonStep = (payments: readonly number[], rate: number) => number;

/** On the present value. */
const presentStep: NewtonStep = (payments, rate) => {
  const factor = 1 / (1 + rate);
  let value = 0;
  let slope = 0;
  for (let index = payments.length - 1; index >= 0; index -= 1) {
    slope = slope * factor + value;
    value = value * factor + payments[index]!;
  }
  return value === 0 ? 0 : -value / (slope * factor * factor);
};

/**
 * On the value at the time of the last payment: a polynomial, which leads to rates near -1 as well, as results saved by Excel
 * do. Above 0 it is got from the present value, so that powers of long rows of payments stay small.
 */
const finalStep: NewtonStep = (payments, rate) => {
  const last = payments.length - 1;
  if (rate > 0) {
    const step = presentStep(payments, rate);
    return step === 0 ? 0 : 1 / (1 / step + last / (1 + rate));
  }
  let value = 0;
  let slope = 0;
  for (const payment of payments) {
    slope = slope * (1 + rate) + value;
    value = value * (1 + rate) + payment;
  }
  return value === 0 ? 0 : value / slope;
};

/** From the guess to within 0.00001 %; null where the steps do not arrive. */
function newtonReturn(payments: readonly number[], guess: number, stepAt: NewtonStep): number | null {
  let rate = guess;
  for (let iteration = 0; iteration < IRR_ITERATIONS; iteration += 1) {
    const step = stepAt(payments, rate);
    rate -= step;
    if (!Number.isFinite(rate)) return null;
    if (Math.abs(step) < IRR_ACCURACY) return rate > -1 ? rate : null;
  }
  return null;
}

function internalReturn([payments, guess]: FormulaValue[], context: CallContext): FormulaValue {
  const start = numberOf(guess, 0.1);
  if (typeof start !== 'number') return start;
  const numbers = numbersOf([payments], context);
  // whichever error stands among the payments. Source: values Excel saved
  if (numbers instanceof CellError) return VALUE_ERROR;
  if (start <= -1) return VALUE_ERROR;
  if (!numbers.some((value) => value > 0) || !numbers.some((value) => value < 0)) return NUM_ERROR;
  context.spend(numbers.length * IRR_ITERATIONS);
  return newtonReturn(numbers, start, finalStep) ?? newtonReturn(numbers, start, presentStep) ?? NUM_ERROR;
}

function modifiedReturn([payments, finance, reinvest]: FormulaValue[], context: CallContext): FormulaValue {
  const financeRate = numberOf(finance);
  if (typeof financeRate !== 'number') return financeRate;
  const reinvestRate = numberOf(reinvest);
  if (typeof reinvestRate !== 'number') return reinvestRate;
  const numbers = numbersOf([payments], context);
  if (numbers instanceof CellError) return numbers;
  const last = numbers.length - 1;
  let gains = 0;
  let losses = 0;
  numbers.forEach((value, index) => {
    if (value > 0) gains += value * (1 + reinvestRate) ** (last - index);
    if (value < 0) losses -= value / (1 + financeRate) ** index;
  });
  if (losses === 0 || last < 1) return DIV0_ERROR;
  return checkNumber((gains / losses) ** (1 / last) - 1);
}

/** The values of an argument of XIRR: blanks count as 0, texts and truth values are #VALUE!. */
function everyNumber(arg: FormulaValue, context: CallContext): number[] | CellError {
  if (arg instanceof CellError) return arg;
  const matrix = asMatrix(arg);
  if (!matrix) return VALUE_ERROR;
  const { rows, cols } = matrix instanceof Range ? matrix.used() : matrix;
  context.spend(rows * cols);
  const numbers: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const value = matrix.at(row, col);
      if (value instanceof CellError) return value;
      if (value !== null && typeof value !== 'number') return VALUE_ERROR;
      numbers.push(value ?? 0);
    }
  }
  return numbers;
}

/** Whole days beside payments, none before the first; or the error. */
function wholeDays(payments: number[] | CellError, dates: number[] | CellError): number[] | CellError {
  if (payments instanceof CellError) return payments;
  if (dates instanceof CellError) return dates;
  if (payments.length !== dates.length) return NUM_ERROR;
  if (payments.length === 0) return NA_ERROR;
  const days = dates.map(Math.floor);
  return days.some((day) => day < days[0]! || day < 0) ? NUM_ERROR : days;
}

/** Unlike XIRR it leaves out what is no number, so that a blank makes the counts differ. */
function datedPresentValue([rate, values, days]: FormulaValue[], context: CallContext): FormulaValue {
  const discount = numberOf(rate);
  if (typeof discount !== 'number') return discount;
  const payments = numbersOf([values], context);
  const dates = wholeDays(payments, numbersOf([days], context));
  if (payments instanceof CellError) return payments;
  if (dates instanceof CellError) return dates;
  if (discount <= 0) return NUM_ERROR;
  let result = 0;
  payments.forEach((payment, index) => {
    result += payment / (1 + discount) ** ((dates[index]! - dates[0]!) / 365);
  });
  return checkNumber(result);
}

function datedInternalReturn([values, days, guess]: FormulaValue[], context: CallContext): FormulaValue {
  const start = numberOf(guess, 0.1);
  if (typeof start !== 'number') return start;
  const payments = everyNumber(values, context);
  const dates = wholeDays(payments, everyNumber(days, context));
  if (payments instanceof CellError) return payments;
  if (dates instanceof CellError) return dates;
  if (start <= -1) return NUM_ERROR;
  if (!payments.some((value) => value > 0) || !payments.some((value) => value < 0)) return NUM_ERROR;
  return datedReturn(payments, dates, start, context) ?? NUM_ERROR;
}

export const cashFlowFunctions: FunctionDefinition[] = [
  defineFunction('NPV', 'vr', netPresentValue, { repeat: 1 }),
  defineFunction('IRR', 'rv', internalReturn, { required: 1 }),
  defineFunction('MIRR', 'rvv', modifiedReturn),
  defineFunction('XNPV', 'vrr', datedPresentValue),
  defineFunction('XIRR', 'rrv', datedInternalReturn, { required: 2 }),
];
