/**
 * Calculates Σ (x - mean)² of ranges that grow from row to row. Each range has its own mean and needs a pass over all
 * its numbers. One pass handles several ranges at once, because their sums are independent.
 */
import type { Growth } from '#server/calculation/kernels/column-indexes.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { eachValue, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

interface Sample {
  rows: number;
  numbers: Float64Array;
  count: number;
  /** Added in their order. */
  sum: number;
  /** The first error. */
  error: CellError | null;
  ahead: Ahead | null;
  /** Number of consecutive look-aheads whose sums were not used. */
  wasted: number;
}

/** Deviations of the first `count` numbers, and of these plus the first, first two, … of the `next` numbers. */
interface Ahead {
  count: number;
  next: readonly number[];
  deviations: readonly number[];
}

/** Number of sums calculated in one pass. */
const WIDTH = 8;
const MAX_WASTED = 8;

const GROWTH: Growth<Sample> = {
  key: 'growing sample',
  create: () => ({ rows: 0, numbers: new Float64Array(64), count: 0, sum: 0, error: null, ahead: null, wasted: 0 }),
  extend(sample, added) {
    eachValue(added, (value) => {
      if (typeof value === 'number') push(sample, value);
      else if (value instanceof CellError) sample.error ??= value;
    });
    sample.rows += added.rows;
  },
};

function push(sample: Sample, value: number): void {
  if (sample.count === sample.numbers.length) {
    const larger = new Float64Array(sample.count * 2);
    larger.set(sample.numbers);
    sample.numbers = larger;
  }
  sample.numbers[sample.count] = value;
  sample.count += 1;
  sample.sum += value;
}

export interface Deviations {
  count: number;
  deviations: number;
}

/** Returns the deviations, or the first error in the range; null if the range is not part of a growing series. */
export function growingDeviations(range: Range, context: CallContext): Deviations | CellError | null {
  if (range.cols !== 1) return null;
  const grown = context.columns.get(range, GROWTH);
  if (!grown || grown.shift !== 0 || grown.thing.rows !== range.used().rows) return null;
  const { thing: sample } = grown;
  if (sample.error || sample.count === 0) return sample.error ?? { count: 0, deviations: 0 };
  const known = foreseen(sample);
  if (known !== null) return { count: sample.count, deviations: known };
  const isWorthWhile = sample.wasted < MAX_WASTED;
  const row = range.top + range.rows;
  const next = isWorthWhile ? context.totals.upcoming(range.sheet, range.left, row, WIDTH - 1) : [];
  context.spend(sample.count);
  sample.ahead = { count: sample.count, next, deviations: deviationsAhead(sample, next) };
  if (next.length > 0) sample.wasted += 1;
  return { count: sample.count, deviations: sample.ahead.deviations[0]! };
}

/** Returns the sum calculated ahead, if the numbers added since are the expected ones; null otherwise. */
function foreseen(sample: Sample): number | null {
  const { ahead, numbers, count } = sample;
  const more = ahead ? count - ahead.count : -1;
  if (!ahead || more < 0 || more > ahead.next.length) return null;
  for (let at = 0; at < more; at += 1) if (!Object.is(ahead.next[at], numbers[ahead.count + at])) return null;
  if (more > 0) sample.wasted = 0;
  return ahead.deviations[more]!;
}

function deviationsAhead({ numbers, count, sum }: Sample, next: readonly number[]): number[] {
  let total = sum;
  const means = [sum / count, ...next.map((value, at) => (total += value) / (count + at + 1))];
  const sums = means.length === 1 ? [sumOfSquares(numbers, count, means[0]!)] : sumsOfSquares(numbers, count, means);
  return means.map((mean, at) => {
    let deviations = sums[at]!;
    for (let index = 0; index < at; index += 1) deviations += (next[index]! - mean) * (next[index]! - mean);
    return deviations;
  });
}

function sumOfSquares(numbers: Float64Array, count: number, mean: number): number {
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += (numbers[at]! - mean) * (numbers[at]! - mean);
  return sum;
}

/** For at most eight means. */
function sumsOfSquares(numbers: Float64Array, count: number, means: readonly number[]): number[] {
  const [p = 0, q = 0, r = 0, s = 0, t = 0, u = 0, v = 0, w = 0] = means;
  let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < count; at += 1) {
    const value = numbers[at]!;
    a += (value - p) * (value - p);
    b += (value - q) * (value - q);
    c += (value - r) * (value - r);
    d += (value - s) * (value - s);
    e += (value - t) * (value - t);
    f += (value - u) * (value - u);
    g += (value - v) * (value - v);
    h += (value - w) * (value - w);
  }
  return [a, b, c, d, e, f, g, h];
}
