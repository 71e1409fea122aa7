/** Reads arguments for statistics: one sample, a sorted sample, or two samples in pairs. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, NULL_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, asMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { arrayOf } from '../array/cells.ts';
import type { CallContext } from '../function.ts';
import { growingSorted } from './growing-sorted.ts';
import { eachNumber, eachNumberOrText } from '../sums/tally.ts';

export function sampleOf(args: readonly FormulaValue[], context: CallContext, withTexts = false): number[] | CellError {
  const numbers: number[] = [];
  const take = (value: number): void => void numbers.push(value);
  const failure = withTexts ? eachNumberOrText(args, take) : eachNumber(args, take);
  context.spend(numbers.length);
  return failure ?? numbers;
}

/** Reads one of two compared samples: other errors take precedence over #NULL!. Source: values saved by Excel. */
export function comparedSampleOf(arg: FormulaValue, context: CallContext): number[] | CellError {
  const sample = sampleOf([arg], context);
  const array = sample === NULL_ERROR ? arrayOf(arg, context) : null;
  if (!(array instanceof ArrayMatrix)) return sample;
  return (array.cells.find((value) => value instanceof CellError && value !== NULL_ERROR) as CellError) ?? NULL_ERROR;
}

interface CachedSample {
  uses: number;
  sorted: Float64Array | CellError | null;
}

/**
 * Returns the numbers of an argument in ascending order. A range is sorted once for all formulas that use it. Do not
 * retain the array: it can change later.
 */
export function sortedOf(arg: FormulaValue, context: CallContext): Float64Array | CellError {
  const sort = (): Float64Array | CellError => {
    const numbers = sampleOf([arg], context);
    if (numbers instanceof CellError) return numbers;
    context.spend(numbers.length * 4);
    return Float64Array.from(numbers).sort();
  };
  if (!(arg instanceof Range)) return sort();
  const grown = growingSorted(arg, context);
  if (grown) return grown;
  // Ranges that move from row to row are each used only once.
  const cached = context.cached<CachedSample>(arg, 'sorted numbers', () => ({ uses: 0, sorted: null }));
  cached.uses += 1;
  return cached.uses === 1 ? sort() : (cached.sorted ??= sort());
}

export interface Pairs {
  first: number[];
  second: number[];
}

/** Returns the pairs at positions where both arguments have numbers; #N/A if the arguments have different sizes. */
export function pairsOf(first: FormulaValue, second: FormulaValue, context: CallContext): Pairs | CellError {
  const matrices: (ArrayMatrix | Range)[] = [];
  for (const arg of [first, second]) {
    if (arg instanceof CellError) return arg;
    const matrix = asMatrix(arg);
    if (!matrix) return VALUE_ERROR;
    matrices.push(matrix);
  }
  const [left, right] = matrices as [ArrayMatrix | Range, ArrayMatrix | Range];
  if (left.rows * left.cols !== right.rows * right.cols) return NA_ERROR;
  if (left.rows === right.rows) return inStep(left, right, context);
  const [a, b] = [arrayOf(left, context), arrayOf(right, context)];
  if (a instanceof CellError) return a;
  return b instanceof CellError
    ? b
    : pairUp(
        a.cells.length,
        (index) => a.cells[index]!,
        (index) => b.cells[index]!,
      );
}

/** Pairs two matrices of the same shape, limited to their used parts. */
function inStep(left: ArrayMatrix | Range, right: ArrayMatrix | Range, context: CallContext): Pairs | CellError {
  const extents = [left, right].map((matrix) => (matrix instanceof Range ? matrix.used() : matrix));
  const rows = Math.max(...extents.map((extent) => extent.rows));
  const cols = Math.max(...extents.map((extent) => extent.cols));
  context.spend(rows * cols);
  const at = (matrix: ArrayMatrix | Range) => (index: number) => matrix.at(Math.floor(index / cols), index % cols);
  return pairUp(rows * cols, at(left), at(right));
}

/**
 * Returns the pairs, or the first error. #NULL! counts only if there is no other error; an error beside it in the
 * second sample is ignored. Source: values saved by Excel.
 */
function pairUp(
  count: number,
  left: (index: number) => CellValue,
  right: (index: number) => CellValue,
): Pairs | CellError {
  const pairs: Pairs = { first: [], second: [] };
  let hasNullError = false;
  for (let index = 0; index < count; index += 1) {
    const a = left(index);
    const b = right(index);
    hasNullError ||= a === NULL_ERROR || b === NULL_ERROR;
    if (a === NULL_ERROR) continue;
    if (a instanceof CellError) return a;
    if (b instanceof CellError && b !== NULL_ERROR) return b;
    if (typeof a !== 'number' || typeof b !== 'number') continue;
    pairs.first.push(a);
    pairs.second.push(b);
  }
  return hasNullError ? NULL_ERROR : pairs;
}

export function meanOf(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum / numbers.length;
}

/** Returns Σ (x - mean)², calculated in a second pass, as Excel does since 2003. */
export function deviationsOf(numbers: readonly number[]): number {
  const mean = meanOf(numbers);
  let sum = 0;
  for (const number of numbers) sum += (number - mean) * (number - mean);
  return sum;
}

/** Returns Σ (x - mean of x)(y - mean of y). */
export function productsOf({ first, second }: Pairs): number {
  const [meanFirst, meanSecond] = [meanOf(first), meanOf(second)];
  let sum = 0;
  for (let index = 0; index < first.length; index += 1)
    sum += (first[index]! - meanFirst) * (second[index]! - meanSecond);
  return sum;
}
