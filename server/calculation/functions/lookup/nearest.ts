/** The searches of XMATCH and XLOOKUP that do not ask for equality alone. */
import { bisectNumbers, orderedNumbers, orderOf, type LookupVector } from '#server/calculation/kernels/lookup-index.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { compareValues } from '#server/calculation/values/compare.ts';
import type { CallContext } from '../function.ts';

/**
 * The value that comes closest below (-1) or above (1), in any order of values; of equal ones the first or last. Texts stand
 * behind all numbers, truth values behind all texts, as in Excel; blanks and errors are passed over. A wanted blank stands behind all.
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
    // above all numbers there may be texts
    if (ordered && (at >= 0 || side < 0)) return at < 0 ? -1 : ordered.places[at]!;
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
  let place = at;
  while (numbers[place + step] === value) place += step;
  return place;
}

/** Negative, 0 or positive as a value stands before, at or behind the one wanted; blanks and errors stand behind all, a wanted blank behind them. */
function orderInSearch(value: CellValue, wanted: CellValue): number {
  if (isUnordered(value)) return 1;
  if (wanted === null) return -1;
  return compareValues(value, wanted);
}

/**
 * By bisection in values said to be sorted, ascending or descending, whatever their types. `low` and `high` are the first and the last
 * place left, and the place compared is their middle, rounded down. An equal value does not end the search: it continues before that
 * value where they ascend and behind it where they descend. Of equal sorted values it therefore finds the first where they ascend, and
 * the last where they descend; MATCH(…,1) finds the last (see `bisect`). Source: values saved by Excel, also those of unsorted values,
 * which show where the middle is.
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
