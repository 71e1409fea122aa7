/** The sorted numbers of ranges that grow from row to row. Each new number is inserted at its position. */
import type { Growth } from '#server/calculation/kernels/column-indexes.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { eachValue, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

interface Sorted {
  rows: number;
  numbers: Float64Array;
  count: number;
  /** The first error. */
  error: CellError | null;
}

/** Sorting shorter ranges directly is as fast. */
const FEW_ROWS = 64;

function insert(sorted: Sorted, value: number): void {
  if (sorted.count === sorted.numbers.length) {
    const larger = new Float64Array(sorted.count * 2);
    larger.set(sorted.numbers);
    sorted.numbers = larger;
  }
  const { numbers, count } = sorted;
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  numbers.copyWithin(low + 1, low, count);
  numbers[low] = value;
  sorted.count += 1;
}

const GROWTH: Growth<Sorted> = {
  key: 'growing sorted',
  create: () => ({ rows: 0, numbers: new Float64Array(FEW_ROWS), count: 0, error: null }),
  extend(sorted, added) {
    eachValue(added, (value) => {
      if (typeof value === 'number') insert(sorted, value);
      else if (value instanceof CellError) sorted.error ??= value;
    });
    sorted.rows += added.rows;
  },
};

/**
 * Returns the sorted numbers, or the first error; null if the range is not part of a growing series. The returned array
 * changes when the range grows.
 */
export function growingSorted(range: Range, context: CallContext): Float64Array | CellError | null {
  if (range.cols !== 1 || range.rows < FEW_ROWS) return null;
  const grown = context.columns.get(range, GROWTH);
  if (!grown || grown.shift !== 0 || grown.thing.rows !== range.used().rows) return null;
  const { error, numbers, count } = grown.thing;
  return error ?? numbers.subarray(0, count);
}
