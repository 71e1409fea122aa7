/**
 * Present values and internal rates of return of payments, at equal periods and at dates. Source: Microsoft's function
 * reference.
 */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { numberOf } from '../numeric.ts';
import { eachNumber } from '../sums/tally.ts';
import { datedReturn } from './dated-return.ts';
import { returnOf } from './internal-return.ts';

function numbersOf(args: readonly FormulaValue[], context: CallContext): number[] | CellError {
  const numbers: number[] = [];
  const failure = eachNumber(args, (value) => void numbers.push(value));
  context.spend(numbers.length);
  return failure ?? numbers;
}

/**
 * Discounts to one period before the first payment. It discounts to the first payment, then by one more period: this
 * reproduces Excel's last digits.
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
  return discount === -1 ? DIV0_ERROR : checkNumber(presentValue(discount, numbers));
}

function internalReturn([payments, guess]: FormulaValue[], context: CallContext): FormulaValue {
  const start = numberOf(guess, 0.1);
  if (typeof start !== 'number') return start;
  const numbers = numbersOf([payments], context);
  // Any error among the payments gives #VALUE!. Source: values saved by Excel.
  if (numbers instanceof CellError) return VALUE_ERROR;
  if (start <= -1) return VALUE_ERROR;
  if (!numbers.some((value) => value > 0) || !numbers.some((value) => value < 0)) return NUM_ERROR;
  return returnOf(numbers, start, context) ?? NUM_ERROR;
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

/** Returns the values of an argument of XIRR: blanks are null, texts are parsed as numbers, Booleans are #VALUE!. */
function everyNumber(arg: FormulaValue, context: CallContext): (number | null)[] | CellError {
  if (arg instanceof CellError) return arg;
  const matrix = asMatrix(arg);
  if (!matrix) return VALUE_ERROR;
  const { rows, cols } = matrix instanceof Range ? matrix.used() : matrix;
  context.spend(rows * cols);
  const numbers: (number | null)[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const value = matrix.at(row, col);
      const number = typeof value === 'string' ? numberOf(value) : value;
      if (number instanceof CellError) return number;
      if (typeof number === 'boolean') return VALUE_ERROR;
      numbers.push(number);
    }
  }
  return numbers;
}

/** Returns the whole days of the payments, or an error. No day may be before the first one. */
function wholeDays(payments: number[] | CellError, dates: number[] | CellError): number[] | CellError {
  if (payments instanceof CellError) return payments;
  if (dates instanceof CellError) return dates;
  if (payments.length !== dates.length) return NUM_ERROR;
  if (payments.length === 0) return NA_ERROR;
  const days = dates.map(Math.floor);
  return days.some((day) => day < days[0]! || day < 0) ? NUM_ERROR : days;
}

/** XNPV. Unlike XIRR it ignores values that are not numbers; a blank therefore makes the counts differ. */
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
  if (typeof guess === 'boolean') return VALUE_ERROR;
  const given = everyNumber(days, context);
  if (given instanceof CellError) return given;
  const paid = everyNumber(values, context);
  if (paid instanceof CellError) return paid;
  // Pairs of blanks are ignored: ranges may be longer than the list in them. Source: values saved by Excel.
  const isGiven = (index: number): boolean => (paid[index] ?? null) !== null || (given[index] ?? null) !== null;
  const payments = paid.filter((_, index) => isGiven(index)).map(Number);
  const dates = wholeDays(payments, given.filter((_, index) => isGiven(index)).map(Number));
  if (dates instanceof CellError) return dates;
  if (payments.length === 1) return NA_ERROR;
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
