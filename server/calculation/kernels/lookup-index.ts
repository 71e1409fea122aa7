/**
 * Finding a value in one row or column: exactly through a hash index, in sorted values by bisection. Built once for a
 * range (`CallContext.kept`) and shared by all formulas that look into it.
 */
import type { CallContext } from '../functions/function.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { compareNumbers, compareValues } from '../values/compare.ts';
import { eachValue, Range } from '../values/matrix.ts';
import type { ArrayMatrix } from '../values/matrix.ts';

/** Values of a row or column, in order, and what has been built to find them by. */
export interface LookupVector {
  /** Blanks behind the last value that holds something are left out. */
  readonly values: readonly CellValue[];
  /** First place by value; texts by their lower case. Numbers equal in 15 digits share a key. */
  readonly first: Map<number | string | boolean, number>;
  /** Last places, built when first asked for. */
  last: Map<number | string | boolean, number> | null;
  /** All values are numbers that ascend, or null where that is not known yet. */
  ascending: Float64Array | false | null;
}

/** The vector of a range or array of one row or one column. */
export function lookupVector(matrix: Range | ArrayMatrix, context: CallContext): LookupVector {
  if (!(matrix instanceof Range)) return buildVector(matrix);
  const used = matrix.used();
  return context.kept(used, 'lookup', () => {
    context.spend(used.rows * used.cols);
    return buildVector(used);
  });
}

function buildVector(matrix: Range | ArrayMatrix): LookupVector {
  const values: CellValue[] = [];
  const first = new Map<number | string | boolean, number>();
  eachValue(matrix, (value, row, col) => {
    const at = row + col;
    while (values.length < at) values.push(null);
    values.push(value);
    const key = lookupKey(value);
    if (key !== null && !first.has(key)) first.set(key, at);
  });
  return { values, first, last: null, ascending: null };
}

/** What values are found by; null for blanks and errors, which no lookup finds. */
export function lookupKey(value: CellValue): number | string | boolean | null {
  switch (typeof value) {
    case 'number':
      if (Number.isInteger(value) && value < 1e15 && value > -1e15) return value === 0 ? 0 : value;
      return Number(value.toPrecision(15));
    case 'string':
      return value.toLowerCase();
    case 'boolean':
      return value;
    default:
      return null;
  }
}

/** Place (from 0) of the first value equal to `wanted`, or -1. No wildcards; a blank looks for 0. */
export function findFirst(vector: LookupVector, wanted: CellValue): number {
  const key = lookupKey(wanted === null ? 0 : wanted);
  return key === null ? -1 : (vector.first.get(key) ?? -1);
}

/** Place (from 0) of the last value equal to `wanted`, or -1. */
export function findLast(vector: LookupVector, wanted: CellValue): number {
  const key = lookupKey(wanted === null ? 0 : wanted);
  if (key === null) return -1;
  if (!vector.last) {
    vector.last = new Map();
    vector.values.forEach((value, at) => {
      const own = lookupKey(value);
      if (own !== null) vector.last!.set(own, at);
    });
  }
  return vector.last.get(key) ?? -1;
}

/**
 * As MATCH(…,1) and VLOOKUP(…,TRUE): place of the last value not above `wanted` in values sorted ascending, by bisection as
 * Excel does it (so that unsorted values give what Excel gives), passing over values of other types; -1 where all are above.
 */
export function findSorted(vector: LookupVector, wanted: CellValue): number {
  const sought = wanted === null ? 0 : wanted;
  if (sought instanceof CellError) return -1;
  vector.ascending ??= ascendingNumbers(vector.values);
  if (vector.ascending && typeof sought === 'number') return bisectNumbers(vector.ascending, sought);
  return bisect(vector.values, (value) => compareValues(value, sought), typeof sought);
}

/** As MATCH(…,-1): place of the last value not below `wanted` in values sorted descending; -1 where all are below. */
export function findSortedDescending(vector: LookupVector, wanted: CellValue): number {
  const sought = wanted === null ? 0 : wanted;
  if (sought instanceof CellError) return -1;
  return bisect(vector.values, (value) => -compareValues(value, sought), typeof sought);
}

function ascendingNumbers(values: readonly CellValue[]): Float64Array | false {
  const numbers = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value !== 'number' || (at > 0 && value < numbers[at - 1]!)) return false;
    numbers[at] = value;
  }
  return numbers;
}

function bisectNumbers(numbers: Float64Array, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = numbers[middle]!;
    if (value <= wanted || compareNumbers(value, wanted) === 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `order` tells whether a value stands before (negative), at or behind what is sought; only values of the type count. */
function bisect(values: readonly CellValue[], order: (value: CellValue) => number, type: string): number {
  let low = 0;
  let high = values.length - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const at = nearest(values, middle, low, high, type);
    if (at < 0) break;
    if (order(values[at]!) <= 0) {
      found = at;
      low = Math.max(at, middle) + 1;
    } else high = Math.min(at, middle) - 1;
  }
  return found;
}

/** The place of a value of the type nearest to the middle: behind it first, then before it. */
function nearest(values: readonly CellValue[], middle: number, low: number, high: number, type: string): number {
  for (let at = middle; at <= high; at += 1) if (typeof values[at] === type) return at;
  for (let at = middle - 1; at >= low; at -= 1) if (typeof values[at] === type) return at;
  return -1;
}
