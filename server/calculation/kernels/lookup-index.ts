/**
 * Finds a value in a row or column: exactly by a hash index, or in sorted values by bisection. The index is built once
 * per range (`CallContext.cached`) and shared by all formulas that search it.
 */
import type { CallContext } from '../functions/function.ts';
import { GrowingInts } from './column-indexes.ts';
import type { Growth } from './column-indexes.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { compareTexts } from '../values/compare.ts';
import { eachValue, Range } from '../values/matrix.ts';
import type { ArrayMatrix } from '../values/matrix.ts';

type Key = number | string | boolean;

/** Values of a row or column, in order, with their indexes. */
export interface LookupVector {
  /** Without the blanks after the last value. */
  readonly values: readonly CellValue[];
  /** Including the blanks at the end, as far as the sheet is used. */
  readonly size: number;
  /** First and last positions by value, with texts in lower case; built on first use. */
  first: Map<Key, number> | null;
  last: Map<Key, number> | null;
  /** All values, if they are ascending numbers; false if they are not; null until determined. */
  ascending: Float64Array | false | null;
  /** The same for descending numbers. */
  descending: Float64Array | false | null;
  /** Number of searches that require sorted numbers, and the sorted numbers. */
  searches: number;
  ordered: OrderedNumbers | null;
}

/** The numbers among the values in ascending order, and their positions; equal numbers are sorted by position. */
export interface OrderedNumbers {
  numbers: Float64Array;
  positions: Int32Array;
}

/** Arrays are immutable: an index built for one serves all lookups in it. */
const ofArrays = new WeakMap<ArrayMatrix, LookupVector>();

/** Returns the vector of a range or array with one row or one column. */
export function lookupVector(matrix: Range | ArrayMatrix, context: CallContext): LookupVector {
  if (matrix instanceof Range) {
    const used = matrix.used();
    return context.cached(used, 'lookup', () => {
      context.spend(used.rows * used.cols);
      return buildVector(used);
    });
  }
  let vector = ofArrays.get(matrix);
  if (!vector) ofArrays.set(matrix, (vector = newVector(matrix.cells, matrix.cells.length)));
  return vector;
}

const newVector = (values: readonly CellValue[], size: number): LookupVector => ({
  values,
  size,
  first: null,
  last: null,
  ascending: null,
  descending: null,
  searches: 0,
  ordered: null,
});

function buildVector(range: Range): LookupVector {
  const values: CellValue[] = [];
  eachValue(range, (value, row, col) => {
    const at = row + col;
    while (values.length < at) values.push(null);
    values.push(value);
  });
  return newVector(values, range.rows * range.cols);
}

/**
 * Returns the key of a value; null for blanks and errors, which no lookup finds. Unlike '=', lookups consider numbers
 * equal only if all bits are equal, as in Excel. 'ß' has the key of 'ss', because XMATCH and XLOOKUP consider them
 * equal (values saved by Excel).
 */
export function lookupKey(value: CellValue): Key | null {
  if (typeof value === 'string') {
    const lower = value.toLowerCase();
    return lower.includes('ß') ? lower.replaceAll('ß', 'ss') : lower;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function positionsByKey(values: readonly CellValue[], keepsFirst: boolean): Map<Key, number> {
  const found = new Map<Key, number>();
  values.forEach((value, at) => {
    const key = lookupKey(value);
    if (key !== null && !(keepsFirst && found.has(key))) found.set(key, at);
  });
  return found;
}

/**
 * Returns the position (from 0) of the first value equal to `wanted`, or -1. Wildcards are not supported; blanks and
 * errors are not found.
 */
export function findFirst(vector: LookupVector, wanted: CellValue): number {
  const key = lookupKey(wanted);
  if (key === null) return -1;
  vector.first ??= positionsByKey(vector.values, true);
  return vector.first.get(key) ?? -1;
}

/** Returns the position (from 0) of the last value equal to `wanted`, or -1. */
export function findLast(vector: LookupVector, wanted: CellValue): number {
  const key = lookupKey(wanted);
  if (key === null) return -1;
  vector.last ??= positionsByKey(vector.values, false);
  return vector.last.get(key) ?? -1;
}

/** The row or rows of each value. */
interface ValueRows {
  rows: number;
  byKey: Map<Key, number | GrowingInts>;
}

const VALUE_ROWS: Growth<ValueRows> = {
  key: 'places',
  create: () => ({ rows: 0, byKey: new Map() }),
  extend(index, added) {
    const { byKey } = index;
    eachValue(added, (value, row) => {
      const key = lookupKey(value);
      if (key === null) return;
      const at = index.rows + row;
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, at);
      else if (typeof known === 'number') {
        const several = new GrowingInts();
        several.push(known);
        several.push(at);
        byKey.set(key, several);
      } else known.push(at);
    });
    index.rows += added.rows;
  },
};

/** Ranges with fewer rows have their own index. */
const FEW_ROWS = 24;

/**
 * Returns the position (from 0) of the first or last value equal to `wanted`, or -1. For ranges of one column that
 * overlap, such as those of a lookup filled down. Returns null if only one range is searched, which has its own index.
 */
export function findInColumn(range: Range, wanted: CellValue, fromEnd: boolean, context: CallContext): number | null {
  if (range.cols !== 1 || range.rows < FEW_ROWS) return null;
  const key = lookupKey(wanted);
  if (key === null) return -1;
  const grown = context.columns.get(range, VALUE_ROWS);
  if (!grown) return null;
  const { thing, shift } = grown;
  const found = thing.byKey.get(key);
  if (found === undefined) return -1;
  const end = shift + range.rows;
  if (typeof found === 'number') return found >= shift && found < end ? found - shift : -1;
  const index = fromEnd ? found.countBelow(end) - 1 : found.countBelow(shift);
  if (index < 0 || index >= found.length) return -1;
  const at = found.at(index);
  return at >= shift && at < end ? at - shift : -1;
}

/**
 * Returns a negative number, 0 or a positive number if a value sorts before, equal to or after another value of the
 * same type.
 */
export function orderOf(value: CellValue, wanted: CellValue): number {
  if (typeof value === 'string') return compareTexts(value, wanted as string);
  return Number(value) - Number(wanted);
}

/**
 * Searches like MATCH(…,1) and VLOOKUP(…,TRUE): returns the position of the last value not above `wanted` in ascending
 * values; -1 if all are above. It bisects like Excel, which gives Excel's results for unsorted values, and skips values
 * of other types. `size` is the number of cells of the range as in the formula: a whole column is bisected as a whole,
 * even if only a few rows are used.
 */
export function findSorted(vector: LookupVector, wanted: CellValue, size: number): number {
  if (wanted === null || wanted instanceof CellError) return -1;
  vector.ascending ??= ascendingNumbers(vector.values);
  if (vector.ascending && typeof wanted === 'number') return bisectNumbers(vector.ascending, wanted);
  const { values } = vector;
  return bisect((at) => values[at]!, values.length, size, wanted);
}

/**
 * Searches like MATCH(…,-1): returns the first value equal to `wanted`, otherwise the last one above it before a value
 * that is below; -1 if there is none.
 */
export function findSortedDescending(vector: LookupVector, wanted: CellValue): number {
  if (typeof wanted === 'number') {
    vector.descending ??= descendingNumbers(vector.values);
    if (vector.descending) return bisectDescending(vector.descending, wanted);
  }
  let found = -1;
  for (let at = 0; at < vector.values.length; at += 1) {
    const value = vector.values[at]!;
    if (typeof value !== typeof wanted) continue;
    const order = orderOf(value, wanted);
    if (order === 0) return at;
    if (order < 0) return found;
    found = at;
  }
  return found;
}

function descendingNumbers(values: readonly CellValue[]): Float64Array | false {
  const numbers = ascendingNumbers(values.toReversed());
  return numbers && numbers.reverse();
}

/** Returns the position of the first number equal to `wanted`, otherwise of the last one above it; or -1. */
function bisectDescending(numbers: Float64Array, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! > wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : low - 1;
}

/** Returns the sorted numbers of a vector once it has been searched several times; null before. */
export function orderedNumbers(vector: LookupVector): OrderedNumbers | null {
  if (vector.ordered) return vector.ordered;
  vector.searches += 1;
  if (vector.searches < MANY_SEARCHES) return null;
  const { values } = vector;
  const positions = Int32Array.from(values.keys())
    .filter((position) => typeof values[position] === 'number')
    .sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
  vector.ordered = { positions, numbers: Float64Array.from(positions, (position) => values[position] as number) };
  return vector.ordered;
}

const MANY_SEARCHES = 4;

function ascendingNumbers(values: readonly CellValue[]): Float64Array | false {
  const numbers = new Float64Array(values.length);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value !== 'number' || (at > 0 && value < numbers[at - 1]!)) return false;
    numbers[at] = value;
  }
  return numbers;
}

/** Returns the position of the last number not above `wanted`, or -1. */
export function bisectNumbers(numbers: Float64Array, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Bisects like Excel, as its results for unsorted and mixed values show. The value at `low` is not above the wanted
 * one, and the value at `high` is above it. If the middle has another type, the next comparable value after it is used;
 * if there is none, everything from the middle on counts as above. An equal value ends the search at the last of its
 * consecutive duplicates.
 */
export function bisect(elementAt: (at: number) => CellValue, length: number, size: number, wanted: CellValue): number {
  const type = typeof wanted;
  let low = -1;
  let high = size;
  while (high - low > 1) {
    const middle = low + ((high - low) >> 1);
    let at = middle;
    while (at < high && (at >= length || typeof elementAt(at) !== type)) at = at < length ? at + 1 : high;
    const order = at === high ? 1 : orderOf(elementAt(at), wanted);
    if (order === 0) return endOfRun(elementAt, at, Math.min(high, length), wanted);
    if (order < 0) low = at;
    else high = at === high || at === high - 1 ? middle : at;
  }
  // The value at `low` has another type only at the very start, when nothing was found.
  return low;
}

function endOfRun(elementAt: (at: number) => CellValue, from: number, high: number, wanted: CellValue): number {
  const isSame = (value: CellValue): boolean => typeof value === typeof wanted && orderOf(value, wanted) === 0;
  let at = from;
  while (at + 1 < high && isSame(elementAt(at + 1))) at += 1;
  return at;
}
