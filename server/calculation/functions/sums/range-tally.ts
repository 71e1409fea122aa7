/** Sums and counts of ranges of many cells from what is known of their chunks; null where each cell has to be walked. */
import { FEW_CELLS, type Tally } from '#server/calculation/kernels/range-totals.ts';
import type { CellError } from '#server/calculation/values/cell-value.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

export function tallyOf(range: Range, context: CallContext): Tally | null {
  return range.rows * range.cols < FEW_CELLS ? null : context.totals.tally(range.sheet, range.block);
}

/** The sum, or the first error, of cells added in order. */
export function sumOfRange(range: Range, context: CallContext): number | CellError | null {
  if (range.rows * range.cols < FEW_CELLS) return null;
  const sum = context.totals.sum(range.sheet, range.block);
  return sum === null && range.cols === 1 ? context.totals.firstError(range.sheet, range.block) : sum;
}
