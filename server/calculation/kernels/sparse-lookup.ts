/** The searches of lookup-index.ts in sparse arrays, whose elements are mostly the same default element. */
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import type { Sparse } from '../values/matrix.ts';
import { bisect, lookupKey, orderOf } from './lookup-index.ts';

/** `findFirst` and `findLast` in a sparse array; null if its default element matches. */
export function findInSparse({ rest, positions, values }: Sparse, wanted: CellValue, fromEnd: boolean): number | null {
  const key = lookupKey(wanted);
  if (key === null) return -1;
  if (lookupKey(rest) === key) return null;
  const isWanted = (value: CellValue): boolean => lookupKey(value) === key;
  return positions[fromEnd ? values.findLastIndex(isWanted) : values.findIndex(isWanted)] ?? -1;
}

/**
 * `findSorted` in a sparse array; null if its default element equals the wanted value, or if the wanted value is blank
 * or an error.
 */
export function findSortedInSparse(
  { rest, positions, values }: Sparse,
  wanted: CellValue,
  size: number,
): number | null {
  const type = typeof wanted;
  if (wanted === null || wanted instanceof CellError) return null;
  if (typeof rest === type) {
    const elementAt = (at: number): CellValue => {
      const index = firstFrom(positions, at);
      return positions[index] === at ? values[index]! : rest;
    };
    // If they are equal, the last duplicate would have to be searched one by one.
    return orderOf(rest, wanted) === 0 ? null : bisect(elementAt, size, size, wanted);
  }
  const comparable = values.flatMap((value, index) => (typeof value === type ? [index] : []));
  const at = comparable.map((index) => positions[index]!);
  const orders = comparable.map((index) => orderOf(values[index]!, wanted));
  let low = -1;
  let high = size;
  let next = 0;
  // The same steps as in `bisect`, which searches the next comparable element from each middle.
  while (high - low > 1) {
    const middle = low + ((high - low) >> 1);
    const index = firstFrom(at, middle);
    const position = at[index] ?? size;
    if (position >= high) {
      high = middle;
      continue;
    }
    if (orders[index] === 0) {
      next = index;
      while (at[next + 1] === at[next]! + 1 && at[next + 1]! < high && orders[next + 1] === 0) next += 1;
      return at[next]!;
    }
    if (orders[index]! < 0) low = position;
    else high = position === high - 1 ? middle : position;
  }
  return low;
}

function firstFrom(positions: readonly number[] | Int32Array, from: number): number {
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
