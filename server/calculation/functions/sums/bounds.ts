/** Comparisons with numbers as what they come to: all from one number on, or up to one. */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { ShiftedColumn } from './number-column.ts';

export const isNumberComparison = ({ operator, operand }: Criterion): boolean =>
  operator !== '=' && operator !== '<>' && typeof operand === 'number';

/** Numbers so near to the operand, in proportion, may count as equal to it. */
const CLOSE = 2e-14;

/** The least and the greatest number that meet a comparison with a number. */
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

/** The number nearest to the other side that passes; all from `value + reach` on do, none from `value - reach` on. */
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

/** Of `count` rows of a range, in `found`, those whose number lies within come first; how many they are. */
export function keepWithin(
  found: Int32Array,
  count: number,
  { column, shift }: ShiftedColumn,
  { low, high }: Bounds,
): number {
  const { numbers, kinds } = column;
  let kept = 0;
  // a row is written in any case and kept where it counts, which takes no branch; 1 is the kind of numbers
  if (low === -Infinity) {
    for (let index = 0; index < count; index += 1) {
      const row = found[index]!;
      found[kept] = row;
      kept += kinds[row + shift]! & Number(numbers[row + shift]! <= high);
    }
    return kept;
  }
  for (let index = 0; index < count; index += 1) {
    const row = found[index]!;
    found[kept] = row;
    kept += kinds[row + shift]! & Number(numbers[row + shift]! >= low);
  }
  return kept;
}
