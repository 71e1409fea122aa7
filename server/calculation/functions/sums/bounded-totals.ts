/**
 * Sums numbers in rows where another column is within bounds, in one pass. For ranges that no index supports: those
 * that grow from row to row together with their bounds.
 */
import { FEW_CELLS } from '#server/calculation/kernels/range-totals.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { boundsOf, isNumberComparison, type Bounds } from './bounds.ts';
import type { Condition } from './matches.ts';
import { numberColumn, type ShiftedColumn } from './number-column.ts';
import type { SpanTotals } from './span-totals.ts';
import { standsIn } from './taken-numbers.ts';

/**
 * Returns null if a condition is not a numeric comparison of the same column, or if there is an error among the
 * numbers.
 */
export function boundedTotals(
  conditions: readonly Condition[],
  values: Range,
  context: CallContext,
): SpanTotals | null {
  const { range } = conditions[0]!;
  if (range.cols !== 1 || range.rows < FEW_CELLS || standsIn(values, context)) return null;
  const isOne = conditions.every(
    ({ range: own, criterion }) =>
      isNumberComparison(criterion) && own.top === range.top && own.left === range.left && own.sheet === range.sheet,
  );
  if (!isOne) return null;
  const numbers = numberColumn(values, context);
  if (numbers.column.errors.size > 0) return null;
  const bounds = { low: -Infinity, high: Infinity };
  for (const { criterion } of conditions) {
    const { low, high } = boundsOf(criterion);
    bounds.low = Math.max(bounds.low, low);
    bounds.high = Math.min(bounds.high, high);
  }
  const rows = Math.min(range.used().rows, values.used().rows);
  context.spend(rows);
  return added(numberColumn(range, context), bounds, numbers, rows);
}

/** Rows that do not count are added as 0, which avoids a branch. Kind 1 is a number. */
function added(compared: ShiftedColumn, { low, high }: Bounds, taken: ShiftedColumn, rows: number): SpanTotals {
  const { numbers: others, kinds: otherKinds } = compared.column;
  const { numbers, kinds } = taken.column;
  let sum = 0;
  let count = 0;
  for (let row = 0; row < rows; row += 1) {
    const at = row + taken.shift;
    const own = others[row + compared.shift]!;
    const isTaken = kinds[at]! & otherKinds[row + compared.shift]! & Number(own >= low) & Number(own <= high);
    sum += numbers[at]! * isTaken;
    count += isTaken;
  }
  return { sum, count };
}
