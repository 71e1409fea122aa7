/** The statistics of SUBTOTAL, AGGREGATE and the database functions, for numbers collected before. */
import type { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NA_ERROR, NUM_ERROR } from '#server/calculation/values/coerce.ts';

type Statistic = (numbers: readonly number[]) => number | CellError;

export const sumOf: Statistic = (numbers) => checkNumber(numbers.reduce((total, value) => total + value, 0));

export const averageOf: Statistic = (numbers) =>
  numbers.length === 0 ? DIV0_ERROR : checkNumber(numbers.reduce((total, value) => total + value, 0) / numbers.length);

export const productOf: Statistic = (numbers) =>
  numbers.length === 0 ? 0 : checkNumber(numbers.reduce((result, value) => result * value, 1));

export const largestOf: Statistic = (numbers) =>
  numbers.reduce((best, value) => Math.max(best, value), numbers[0] ?? 0);
export const smallestOf: Statistic = (numbers) =>
  numbers.reduce((best, value) => Math.min(best, value), numbers[0] ?? 0);

/**
 * Calculates the variance of a sample (divisor n - 1) or a population (divisor n) from the sum of squares in one pass.
 */
export function varianceOf(isSample: boolean): Statistic {
  return (numbers) => {
    const count = numbers.length;
    if (count < (isSample ? 2 : 1)) return DIV0_ERROR;
    let sum = 0;
    let squares = 0;
    for (const value of numbers) {
      sum += value;
      squares += value * value;
    }
    const variance = isSample
      ? (squares - (sum * sum) / count) / (count - 1)
      : (count * squares - sum * sum) / (count * count);
    return checkNumber(Math.max(0, variance));
  };
}

export function deviationOf(isSample: boolean): Statistic {
  const variance = varianceOf(isSample);
  return (numbers) => {
    const result = variance(numbers);
    return typeof result === 'number' ? Math.sqrt(result) : result;
  };
}

const ascending = (numbers: readonly number[] | Float64Array): readonly number[] | Float64Array =>
  numbers instanceof Float64Array ? numbers : [...numbers].sort((left, right) => left - right);

export const medianOf: Statistic = (numbers) => {
  if (numbers.length === 0) return NUM_ERROR;
  const sorted = ascending(numbers);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** Returns the most frequent number; the first one if there are several. */
export const modeOf: Statistic = (numbers) => {
  const counts = new Map<number, number>();
  for (const value of numbers) counts.set(value, (counts.get(value) ?? 0) + 1);
  let mode: number | null = null;
  let maxCount = 1;
  for (const [value, count] of counts) if (count > maxCount) [mode, maxCount] = [value, count];
  return mode ?? NA_ERROR;
};

/** Numbers in any order, or in ascending order if passed as a Float64Array. */
type Ranked = (numbers: readonly number[] | Float64Array, k: number) => number | CellError;

/** Returns the k-th smallest or largest number; a fractional k is rounded up. */
export function rankedOf(fromLargest: boolean): Ranked {
  return (numbers, k) => {
    const rank = Math.ceil(k);
    if (rank < 1 || rank > numbers.length) return NUM_ERROR;
    return ascending(numbers)[fromLargest ? numbers.length - rank : rank - 1]!;
  };
}

/** Interpolates between the numbers at a fractional position (from 0). */
function interpolated(numbers: readonly number[] | Float64Array, position: number): number {
  const sorted = ascending(numbers);
  const below = Math.floor(position);
  const lower = sorted[below]!;
  return below === position ? lower : lower + (position - below) * (sorted[below + 1]! - lower);
}

export const percentileInclusive: Ranked = (numbers, k) =>
  numbers.length === 0 || k < 0 || k > 1 ? NUM_ERROR : interpolated(numbers, k * (numbers.length - 1));

export const percentileExclusive: Ranked = (numbers, k) => {
  const position = k * (numbers.length + 1) - 1;
  return numbers.length === 0 || position < 0 || position > numbers.length - 1
    ? NUM_ERROR
    : interpolated(numbers, position);
};

export const quartileOf =
  (percentile: Ranked): Ranked =>
  (numbers, k) =>
    percentile(numbers, Math.trunc(k) / 4);
