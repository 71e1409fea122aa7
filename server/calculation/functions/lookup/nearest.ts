/** The searches of XMATCH and XLOOKUP for the nearest value. */
import { bisectNumbers, orderedNumbers, orderOf, type LookupVector } from '#server/calculation/kernels/lookup-index.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { compareValues } from '#server/calculation/values/compare.ts';
import type { CallContext } from '../function.ts';

/**
 * Finds the closest value below (-1) or above (1) in unsorted values; the first or last of equal ones. As in Excel,
 * texts sort after all numbers and Booleans after all texts; blanks and errors are skipped. A wanted blank sorts after
 * everything.
 */
export function findNearest(
  vector: LookupVector,
  wanted: CellValue,
  side: -1 | 1,
  fromEnd: boolean,
  context: CallContext,
): number {
  const { values, ascending } = vector;
  if (typeof wanted === 'number') {
    if (ascending) return nearestAscending(ascending, wanted, side, fromEnd);
    const ordered = orderedNumbers(vector);
    const at = ordered ? nearestAscending(ordered.numbers, wanted, side, fromEnd) : -1;
    // Texts sort above all numbers, and there may be some.
    if (ordered && (at >= 0 || side < 0)) return at < 0 ? -1 : ordered.positions[at]!;
  }
  context.spend(values.length);
  let best = -1;
  for (let index = 0; index < values.length; index += 1) {
    const at = fromEnd ? values.length - 1 - index : index;
    const value = values[at]!;
    if (isUnordered(value) || (wanted === null ? side > 0 : order(value, wanted) * side <= 0)) continue;
    if (best < 0 || order(value, values[best]!) * side < 0) best = at;
  }
  return best;
}

const isUnordered = (value: CellValue): boolean => value === null || value instanceof CellError;

const order = (value: CellValue, other: CellValue): number =>
  typeof value === typeof other ? orderOf(value, other) : compareValues(value, other);

function nearestAscending(numbers: Float64Array, wanted: number, side: -1 | 1, fromEnd: boolean): number {
  const below = bisectNumbers(numbers, wanted);
  const at = side < 0 ? below : below + 1;
  if (at < 0 || at >= numbers.length) return -1;
  const value = numbers[at]!;
  const step = fromEnd ? 1 : -1;
  let position = at;
  while (numbers[position + step] === value) position += step;
  return position;
}

/**
 * Returns a negative number, 0 or a positive number if a value sorts before, equal to or after the wanted one. Blanks
 * and errors sort after everything, and a wanted blank after them.
 */
function orderInSearch(value: CellValue, wanted: CellValue): number {
  if (isUnordered(value)) return 1;
  if (wanted === null) return -1;
  return compareValues(value, wanted);
}

/**
 * Searches by bisection in values assumed to be sorted, ascending or descending, of any types. `low` and `high` are the
 * first and last remaining positions; the middle, rounded down, is compared. An equal value does not end the search: it
 * continues before that value if ascending, and after it if descending. Among equal sorted values it therefore finds
 * the first if ascending, and the last if descending; MATCH(…,1) finds the last (see `bisect`). Source: values saved by
 * Excel, including those of unsorted values, which show where the middle is.
 */
export function findSortedBoth(
  values: readonly CellValue[],
  wanted: CellValue,
  side: -1 | 0 | 1,
  isDescending: boolean,
): number {
  const sign = isDescending ? -1 : 1;
  let low = 0;
  let high = values.length - 1;
  let equal = -1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = values[middle]!;
    const order = orderInSearch(value, wanted) * (isUnordered(value) ? 1 : sign);
    if (order === 0) equal = middle;
    if (order < 0 || (order === 0 && isDescending)) low = middle + 1;
    else high = middle - 1;
  }
  if (equal >= 0 || side === 0) return equal;
  const at = side * sign < 0 ? low - 1 : low;
  return at >= 0 && at < values.length && !isUnordered(values[at]!) ? at : -1;
}
