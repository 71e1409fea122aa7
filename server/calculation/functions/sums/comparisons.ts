/** Criteria that compare with a number or text ('>5', '<=M'), for columns used by thousands of formulas. */
import { FEW_CELLS } from '#server/calculation/kernels/range-totals.ts';
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { countOfTexts, criteriaIndex, isAskedAgain, usedExtent } from './criteria-index.ts';
import { boundsOf, isNumberComparison, keepWithin } from './bounds.ts';
import type { Condition } from './matches.ts';
import { numberColumn } from './number-column.ts';

const isComparison = ({ operator }: Criterion): boolean => operator !== '=' && operator !== '<>';
const isAbove = ({ operator }: Criterion): boolean => operator.startsWith('>');

const isSameRange = (a: Range, b: Range): boolean =>
  a.sheet === b.sheet && a.top === b.top && a.left === b.left && a.rows === b.rows && a.cols === b.cols;

/**
 * Counts the cells of a range that meet numeric comparisons, or one comparison with a text; null for other conditions.
 */
export function countOfComparisons(conditions: readonly Condition[], context: CallContext): number | null {
  const { range, criterion } = conditions[0]!;
  if (range.rows * range.cols < FEW_CELLS) return null;
  if (!conditions.every((other) => isComparison(other.criterion) && isSameRange(range, other.range))) return null;
  if (conditions.length === 1 && typeof criterion.operand === 'string') {
    return isAskedAgain(range, context) ? countOfTexts(criteriaIndex(range, context), criterion) : null;
  }
  if (!conditions.every((other) => typeof other.criterion.operand === 'number')) return null;
  let above: number | null = null;
  let below: number | null = null;
  for (const { criterion: own } of conditions) {
    const count = context.totals.countPassing(range.sheet, range.block, own.test, isAbove(own));
    if (count === null) return null;
    if (isAbove(own)) above = Math.min(above ?? count, count);
    else below = Math.min(below ?? count, count);
  }
  if (above === null || below === null) return above ?? below;
  // If the bounds overlap, each number is within at least one of them, and the numbers within both are counted twice.
  // Otherwise no number meets both, and the difference is not positive.
  const all = context.totals.tally(range.sheet, range.block);
  return all && Math.max(0, above + below - all.numbers);
}

/** Returns the positions (from 0) in a column of the cells that meet numeric comparisons; null for other conditions. */
export function comparedRows(conditions: readonly Condition[], context: CallContext): Int32Array | null {
  const { range } = conditions[0]!;
  if (range.cols !== 1 || range.rows < FEW_CELLS) return null;
  if (!conditions.every(({ criterion }) => isNumberComparison(criterion))) return null;
  const { rows } = usedExtent(conditions.map((condition) => condition.range));
  context.spend(rows * conditions.length);
  const found = new Int32Array(rows);
  let count = 0;
  conditions.forEach((condition, index) => {
    count =
      index === 0
        ? passing(condition, rows, found, context)
        : keepWithin(found, count, numberColumn(condition.range, context), boundsOf(condition.criterion));
  });
  return found.subarray(0, count);
}

function passing({ range, criterion }: Condition, rows: number, found: Int32Array, context: CallContext): number {
  const numbers = numberColumn(range, context);
  const end = Math.min(rows, numbers.column.kinds.length - numbers.shift);
  for (let at = 0; at < end; at += 1) found[at] = at;
  return keepWithin(found, end, numbers, boundsOf(criterion));
}
