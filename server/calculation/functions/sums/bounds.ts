/** Converts numeric comparisons to bounds: all numbers from a number on, or up to it. */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { ShiftedColumn } from './number-column.ts';

export const isNumberComparison = ({ operator, operand }: Criterion): boolean =>
  operator !== '=' && operator !== '<>' && typeof operand === 'number';

/** Relative distance within which a number may count as equal to the operand. */
const CLOSE = 2e-14;

/** The smallest and largest number that pass a numeric comparison. */
export interface Bounds {
  low: number;
  high: number;
}

export function boundsOf({ operator, operand, test }: Criterion): Bounds {
  const value = operand as number;
  const isUp = operator.startsWith('>');
  const outwards = isUp ? 1 : -1;
  const last = nearest(value, outwards * Math.abs(value) * CLOSE, outwards, test);
  return isUp ? { low: last, high: Infinity } : { low: -Infinity, high: last };
}

/**
 * Returns the passing number closest to the failing ones. All numbers from `value + reach` outwards must pass, and none
 * at `value - reach`.
 */
function nearest(value: number, reach: number, outwards: number, test: Criterion['test']): number {
  if (reach === 0) return test(value) ? value : outwards * Number.MIN_VALUE;
  let passing = value + reach;
  let failing = value - reach;
  for (;;) {
    const middle = failing + (passing - failing) / 2;
    if (middle === passing || middle === failing) return passing;
    if (test(middle)) passing = middle;
    else failing = middle;
  }
}

/**
 * Moves those of the first `count` rows in `found` whose number is within the bounds to the front; returns how many
 * there are.
 */
export function keepWithin(
  found: Int32Array,
  count: number,
  { column, shift }: ShiftedColumn,
  { low, high }: Bounds,
): number {
  const { numbers, kinds } = column;
  let matches = 0;
  // The row is always written but counted only if it matches, which avoids a branch. Kind 1 is a number.
  if (low === -Infinity) {
    for (let index = 0; index < count; index += 1) {
      const row = found[index]!;
      found[matches] = row;
      matches += kinds[row + shift]! & Number(numbers[row + shift]! <= high);
    }
    return matches;
  }
  for (let index = 0; index < count; index += 1) {
    const row = found[index]!;
    found[matches] = row;
    matches += kinds[row + shift]! & Number(numbers[row + shift]! >= low);
  }
  return matches;
}
