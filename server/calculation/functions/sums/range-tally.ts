/** Sums and counts of large ranges from their chunk totals; null if each cell must be scanned. */
import { FEW_CELLS, type Tally } from '#server/calculation/kernels/range-totals.ts';
import type { CellError } from '#server/calculation/values/cell-value.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

export function tallyOf(range: Range, context: CallContext): Tally | null {
  return range.rows * range.cols < FEW_CELLS ? null : context.totals.tally(range.sheet, range.block);
}

/** Returns the sum of cells added in order, or the first error. */
export function sumOfRange(range: Range, context: CallContext): number | CellError | null {
  if (range.rows * range.cols < FEW_CELLS) return null;
  const sum = context.totals.sum(range.sheet, range.block);
  return sum === null && range.cols === 1 ? context.totals.firstError(range.sheet, range.block) : sum;
}
