/** Medians, ranks, percentiles, modes and frequencies. Source: Microsoft's function reference. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, isMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { numberOf } from '../numeric.ts';
import { tallyOf } from '../sums/range-tally.ts';
import { sampleOf, sortedOf } from './samples.ts';

type Sorted = Float64Array;
type Result = number | CellError;

/** Interpolates linearly at a fractional position (from 0) between elements. */
function between(sorted: Sorted, position: number): number {
  const index = Math.floor(position);
  const low = sorted[index]!;
  return index === position ? low : low + (position - index) * (sorted[index + 1]! - low);
}

function median(args: FormulaValue[], context: CallContext): FormulaValue {
  const sorted = args.length === 1 ? sortedOf(args[0], context) : sampleOf(args, context);
  if (sorted instanceof CellError) return sorted;
  const numbers = sorted instanceof Float64Array ? sorted : Float64Array.from(sorted).sort();
  if (numbers.length === 0) return NUM_ERROR;
  const middle = numbers.length / 2;
  if (!Number.isInteger(middle)) return numbers[Math.floor(middle)]!;
  return checkNumber((numbers[middle - 1]! + numbers[middle]!) / 2);
}

/** Creates functions of a sorted sample and a number. */
function ordered(names: string[], calculate: (sorted: Sorted, value: number) => Result): FunctionDefinition[] {
  return names.map((name) =>
    defineFunction(name, 'rv', ([array, value], context) => {
      const number = numberOf(value);
      if (typeof number !== 'number') return number;
      const sorted = sortedOf(array, context);
      if (sorted instanceof CellError) return sorted;
      if (sorted.length === 0) return NUM_ERROR;
      const result = calculate(sorted, number);
      return typeof result === 'number' ? checkNumber(result) : result;
    }),
  );
}

function smallest(sorted: Sorted, position: number): Result {
  const k = Math.trunc(position);
  return k < 1 || k > sorted.length ? NUM_ERROR : sorted[k - 1]!;
}

function largest(sorted: Sorted, position: number): Result {
  const k = Math.ceil(position);
  return position < 1 || k > sorted.length ? NUM_ERROR : sorted[sorted.length - k]!;
}

function percentile(sorted: Sorted, part: number): Result {
  return part < 0 || part > 1 ? NUM_ERROR : between(sorted, part * (sorted.length - 1));
}

/** Only fractions from 1 / (n + 1) to n / (n + 1) are within the sample. */
function exclusivePercentile(sorted: Sorted, part: number): Result {
  const position = part * (sorted.length + 1) - 1;
  return part <= 0 || part >= 1 || position < 0 || position > sorted.length - 1 ? NUM_ERROR : between(sorted, position);
}

const quartile = (sorted: Sorted, quarter: number): Result =>
  quarter < 0 ? NUM_ERROR : percentile(sorted, Math.trunc(quarter) / 4);
const exclusiveQuartile = (sorted: Sorted, quarter: number): Result =>
  exclusivePercentile(sorted, Math.trunc(quarter) / 4);

function trimmedMean(sorted: Sorted, part: number): Result {
  if (part < 0 || part >= 1) return NUM_ERROR;
  const cut = Math.floor((sorted.length * part) / 2);
  let sum = 0;
  for (let index = cut; index < sorted.length - cut; index += 1) sum += sorted[index]!;
  return sum / (sorted.length - 2 * cut);
}

/** Returns the number of elements below `value`. */
function countBelow(sorted: Sorted, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the fraction of the sample below a value, truncated to some digits. Values between elements are interpolated.
 */
function percentRank(isExclusive: boolean) {
  return ([array, value, digits]: FormulaValue[], context: CallContext): FormulaValue => {
    const sorted = sortedOf(array, context);
    if (sorted instanceof CellError) return sorted;
    const x = numberOf(value);
    if (typeof x !== 'number') return x;
    const places = numberOf(digits, 3);
    if (typeof places !== 'number') return places;
    const n = sorted.length;
    if (n === 0 || places < 1) return NUM_ERROR;
    if (x < sorted[0]! || x > sorted[n - 1]!) return NA_ERROR;
    const below = countBelow(sorted, x);
    const high = sorted[below]!;
    const low = sorted[below - 1]!;
    const position = high === x ? below : below - 1 + (x - low) / (high - low);
    const rank = isExclusive ? (position + 1) / (n + 1) : n === 1 ? 1 : position / (n - 1);
    const scale = 10 ** Math.trunc(places);
    if (!Number.isFinite(rank * scale)) return NUM_ERROR;
    // A small tolerance corrects ranks that are just below a decimal because of rounding errors.
    return Math.floor(rank * scale + 1e-9) / scale;
  };
}

/** Determines the rank by counting; null if the range is small or contains errors. */
function rankInRange(
  x: number,
  range: Range,
  isAscending: boolean,
  isAverage: boolean,
  context: CallContext,
): number | CellError | null {
  const tally = tallyOf(range, context);
  if (!tally || tally.errors > 0) return null;
  const count = (test: (value: number) => boolean, isAbove: boolean): number | null =>
    context.totals.countPassing(range.sheet, range.block, test, isAbove);
  const above = count((value) => value > x, true);
  const notBelow = count((value) => value >= x, true);
  if (above === null || notBelow === null) return null;
  const same = notBelow - above;
  if (same === 0) return NA_ERROR;
  const before = isAscending ? tally.numbers - notBelow : above;
  return before + 1 + (isAverage ? (same - 1) / 2 : 0);
}

function rank(isAverage: boolean) {
  return ([value, array, order]: FormulaValue[], context: CallContext): FormulaValue => {
    const x = numberOf(value);
    if (typeof x !== 'number') return x;
    const isAscending = numberOf(order);
    if (typeof isAscending !== 'number') return isAscending;
    const counted = array instanceof Range ? rankInRange(x, array, isAscending !== 0, isAverage, context) : null;
    if (counted !== null) return counted;
    const sorted = sortedOf(array, context);
    if (sorted instanceof CellError) return sorted;
    const first = countBelow(sorted, x);
    if (sorted[first] !== x) return NA_ERROR;
    let last = first;
    while (sorted[last + 1] === x) last += 1;
    const best = isAscending === 0 ? sorted.length - last : first + 1;
    return isAverage ? best + (last - first) / 2 : best;
  };
}

/**
 * MODE requires a number in each single-valued argument, including a single cell. Its successors ignore texts and cells
 * that contain no number. Source: values saved by Excel.
 */
function modeProblem(args: FormulaValue[], isStrict: boolean): CellError | null {
  for (const arg of args) {
    const single = isStrict && arg instanceof Range && arg.rows === 1 && arg.cols === 1 ? arg.at(0, 0) : arg;
    if (single instanceof CellError) return single;
    if (typeof single === 'number' || isMatrix(single) || single instanceof Areas) continue;
    if (isStrict || typeof single !== 'string') return VALUE_ERROR;
  }
  return null;
}

/** Returns the most frequent values, in the order of their first occurrence. */
function modes(args: FormulaValue[], isStrict: boolean, context: CallContext): number[] | CellError {
  const problem = modeProblem(args, isStrict);
  if (problem) return problem;
  const numbers = sampleOf(
    args.filter((arg) => typeof arg !== 'string'),
    context,
  );
  if (numbers instanceof CellError) return numbers;
  const counts = new Map<number, number>();
  let maxCount = 1;
  for (const number of numbers) {
    const count = (counts.get(number) ?? 0) + 1;
    counts.set(number, count);
    if (count > maxCount) maxCount = count;
  }
  if (maxCount === 1) return NA_ERROR;
  return [...counts].filter(([, count]) => count === maxCount).map(([number]) => number);
}

const singleMode =
  (isStrict: boolean) =>
  (args: FormulaValue[], context: CallContext): FormulaValue => {
    const found = modes(args, isStrict, context);
    return found instanceof CellError ? found : found[0]!;
  };

function allModes(args: FormulaValue[], context: CallContext): FormulaValue {
  const found = modes(args, false, context);
  return found instanceof CellError ? found : new ArrayMatrix(found.length, 1, found);
}

/**
 * Counts the numbers above the next smaller bound and up to each bound; the last count is for numbers above all bounds.
 * Blank bounds are a single bound of 0 (values saved by Excel).
 */
function frequency([data, bounds]: FormulaValue[], context: CallContext): FormulaValue {
  // Read the bounds first, because calculating cells can change the sorted array.
  const bins = sampleOf([bounds], context);
  const sorted = sortedOf(data, context);
  if (sorted instanceof CellError) return sorted;
  if (bins instanceof CellError) return bins;
  if (bins.length === 0) bins.push(0);
  const counts = Array.from({ length: bins.length + 1 }, () => 0);
  const inOrder = bins.map((bound, index) => ({ bound, index })).sort((a, b) => a.bound - b.bound || a.index - b.index);
  let counted = 0;
  for (const { bound, index } of inOrder) {
    while (counted < sorted.length && sorted[counted]! <= bound) {
      counts[index]! += 1;
      counted += 1;
    }
  }
  counts[bins.length] = sorted.length - counted;
  return new ArrayMatrix(counts.length, 1, counts);
}

export const orderFunctions: FunctionDefinition[] = [
  defineFunction('MEDIAN', 'r', median, { repeat: 1 }),
  ...ordered(['SMALL'], smallest),
  ...ordered(['LARGE'], largest),
  ...ordered(['PERCENTILE', 'PERCENTILE.INC'], percentile),
  ...ordered(['PERCENTILE.EXC'], exclusivePercentile),
  ...ordered(['QUARTILE', 'QUARTILE.INC'], quartile),
  ...ordered(['QUARTILE.EXC'], exclusiveQuartile),
  ...ordered(['TRIMMEAN'], trimmedMean),
  ...['PERCENTRANK', 'PERCENTRANK.INC'].map((name) => defineFunction(name, 'rvv', percentRank(false), { required: 2 })),
  defineFunction('PERCENTRANK.EXC', 'rvv', percentRank(true), { required: 2 }),
  ...['RANK', 'RANK.EQ'].map((name) => defineFunction(name, 'vRv', rank(false), { required: 2 })),
  defineFunction('RANK.AVG', 'vRv', rank(true), { required: 2 }),
  defineFunction('MODE', 'a', singleMode(true), { repeat: 1 }),
  defineFunction('MODE.SNGL', 'a', singleMode(false), { repeat: 1 }),
  defineFunction('MODE.MULT', 'a', allModes, { repeat: 1 }),
  defineFunction('FREQUENCY', 'aa', frequency),
];
