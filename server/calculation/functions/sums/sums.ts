/** SUM, COUNT, AVERAGE, MIN, MAX and similar functions. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { parseValueText } from '#server/calculation/values/parse-value.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { strictNumberOf } from '../numeric.ts';
import { sumOfRange, tallyOf } from './range-tally.ts';
import { eachElement, eachNumber, eachNumberOrText, eachOf } from './tally.ts';

/** Adds from left to right without compensation, which reproduces Excel's rounding. */
function sum(args: FormulaValue[], context: CallContext): FormulaValue {
  let total = 0;
  let failure: CellError | null = null;
  const take = (value: CellValue): boolean | void => {
    if (typeof value === 'number') total += value;
    else if (value instanceof CellError) {
      failure = value;
      return true;
    }
  };
  for (const arg of args) {
    if (typeof arg === 'number') total += arg;
    else if (arg instanceof Range) {
      // A later argument is added to the running total cell by cell; adding its subtotal would round differently.
      const found = total === 0 ? sumOfRange(arg, context) : null;
      if (found instanceof CellError) return found;
      if (found !== null) total = found;
      else arg.source.eachCell(arg.sheet, arg.block, take);
    } else if (arg instanceof ArrayMatrix) sumElements(arg, take);
    else {
      failure = eachNumber([arg], (value) => {
        total += value;
      });
    }
    if (failure) return failure;
  }
  return checkNumber(total);
}

/** Zeros need not be added. */
function sumElements(array: ArrayMatrix, take: (value: CellValue) => boolean | void): void {
  const { sparse } = array;
  if (sparse?.rest === 0) sparse.values.some((value) => take(value) === true);
  else eachElement(array, take);
}

function average(args: FormulaValue[], context: CallContext): FormulaValue {
  const [range] = args;
  if (args.length === 1 && range instanceof Range) {
    const total = sumOfRange(range, context);
    const tally = typeof total === 'number' ? tallyOf(range, context) : null;
    if (total instanceof CellError) return total;
    if (tally) return tally.numbers === 0 ? DIV0_ERROR : checkNumber(total! / tally.numbers);
  }
  return averageOf(args, eachNumber);
}

function averageOf(args: FormulaValue[], each: typeof eachNumber): FormulaValue {
  let total = 0;
  let count = 0;
  const failure = each(args, (value) => {
    total += value;
    count += 1;
  });
  if (failure) return failure;
  return count === 0 ? DIV0_ERROR : checkNumber(total / count);
}

type Each = typeof eachNumber;

function smallest(args: FormulaValue[], each: Each, context: CallContext | null): FormulaValue {
  let result = Infinity;
  const take = (value: number): void => {
    if (value < result) result = value;
  };
  for (const arg of args) {
    const tally = context && arg instanceof Range ? tallyOf(arg, context) : null;
    if (tally?.errors === 0) {
      take(tally.least);
      continue;
    }
    const failure = each([arg], take);
    if (failure) return failure;
  }
  return result === Infinity ? 0 : result;
}

function largest(args: FormulaValue[], each: Each, context: CallContext | null): FormulaValue {
  let result = -Infinity;
  const take = (value: number): void => {
    if (value > result) result = value;
  };
  for (const arg of args) {
    const tally = context && arg instanceof Range ? tallyOf(arg, context) : null;
    if (tally?.errors === 0) {
      take(tally.greatest);
      continue;
    }
    const failure = each([arg], take);
    if (failure) return failure;
  }
  return result === -Infinity ? 0 : result;
}

function product(args: FormulaValue[]): FormulaValue {
  let result = 1;
  let count = 0;
  // Unlike in SUM, where it adds 0, an omitted argument is ignored here.
  const given = args.filter((arg) => arg !== undefined);
  const failure = eachNumber(given, (value) => {
    result *= value;
    count += 1;
  });
  return failure ?? (count === 0 ? 0 : checkNumber(result));
}

function sumOfSquares(args: FormulaValue[]): FormulaValue {
  let total = 0;
  const failure = eachNumber(args, (value) => {
    total += value * value;
  });
  return failure ?? checkNumber(total);
}

/** Errors and texts that are not numbers do not count. In ranges and arrays, only numbers count. */
function count(args: FormulaValue[], context: CallContext): number {
  let found = 0;
  const take = (value: CellValue, isDirect: boolean): void => {
    if (typeof value === 'number') found += 1;
    else if (!isDirect || value instanceof CellError) return;
    else if (typeof value !== 'string' || parseValueText(value) !== null) found += 1;
  };
  for (const arg of args) {
    const tally = arg instanceof Range ? tallyOf(arg, context) : null;
    if (tally) found += tally.numbers;
    else if (arg instanceof ArrayMatrix && arg.sparse && typeof arg.sparse.rest !== 'number') {
      for (const value of arg.sparse.values) take(value, false);
    } else eachOf(arg, take);
  }
  return found;
}

function countAll(args: FormulaValue[], context: CallContext): number {
  let found = 0;
  const take = (value: CellValue, isDirect: boolean): void => {
    if (value !== null || isDirect) found += 1;
  };
  for (const arg of args) {
    const tally = arg instanceof Range ? tallyOf(arg, context) : null;
    if (tally) found += tally.filled;
    // A formula result is a value, even if it comes from a blank cell.
    else if (arg instanceof ArrayMatrix) found += arg.rows * arg.cols;
    else eachOf(arg, take);
  }
  return found;
}

/** Counts blank cells and empty texts, including cells outside the used range. */
function countBlank([range]: FormulaValue[]): FormulaValue {
  if (!(range instanceof Range)) return VALUE_ERROR;
  let filled = 0;
  eachOf(range, (value) => {
    if (value !== null && value !== '') filled += 1;
  });
  return range.rows * range.cols - filled;
}

/** Σ aᵢ·x^(n+i·m); 0 to the power 0 is #NUM!. Source: Microsoft, SERIESSUM. */
function seriesSum([x, n, m, coefficients]: FormulaValue[]): FormulaValue {
  const numbers: number[] = [];
  for (const arg of [x, n, m]) {
    if (arg === undefined) return NA_ERROR;
    const number = strictNumberOf(arg);
    if (typeof number !== 'number') return number;
    numbers.push(number);
  }
  const [base, first, step] = numbers as [number, number, number];
  if (base === 0 && first === 0) return NUM_ERROR;
  let total = 0;
  let index = 0;
  let failure: CellError | null = null;
  eachOf(coefficients, (value) => {
    const number = strictNumberOf(value);
    if (typeof number === 'number') total += number * base ** (first + index++ * step);
    else failure = number;
    return failure !== null;
  });
  return failure ?? checkNumber(total);
}

const repeating = (name: string, call: FunctionDefinition['call']): FunctionDefinition =>
  defineFunction(name, 'r', call, { repeat: 1 });

export const sumFunctions: FunctionDefinition[] = [
  repeating('SUM', sum),
  repeating('PRODUCT', product),
  repeating('SUMSQ', sumOfSquares),
  repeating('COUNT', count),
  repeating('COUNTA', countAll),
  defineFunction('COUNTBLANK', 'R', countBlank),
  repeating('AVERAGE', average),
  repeating('AVERAGEA', (args) => averageOf(args, eachNumberOrText)),
  repeating('MIN', (args, context) => smallest(args, eachNumber, context)),
  repeating('MAX', (args, context) => largest(args, eachNumber, context)),
  repeating('MINA', (args) => smallest(args, eachNumberOrText, null)),
  repeating('MAXA', (args) => largest(args, eachNumberOrText, null)),
  defineFunction('SERIESSUM', 'vvvr', seriesSum),
];
