/**
 * Calculates SUBTOTAL and AGGREGATE of a column from its chunk totals if no cell must be skipped, as in unfiltered
 * lists.
 */
import { GrowingInts, type Growth } from '#server/calculation/kernels/column-indexes.ts';
import type { Tally } from '#server/calculation/kernels/range-totals.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR } from '#server/calculation/values/coerce.ts';
import { eachValue, type FormulaValue, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import { sortedOf } from '../statistics/samples.ts';
import { sumOfRange, tallyOf } from './range-tally.ts';

interface Subtotals {
  rows: GrowingInts;
  length: number;
}

/** Rows of a column whose formulas are subtotals. */
const subtotalsOf = (context: CallContext): Growth<Subtotals> => ({
  key: 'subtotals',
  create: () => ({ rows: new GrowingInts(), length: 0 }),
  extend(subtotals, added) {
    eachValue(added, (_, row) => {
      if (context.isSubtotal(added.sheet, added.top + row, added.left)) subtotals.rows.push(subtotals.length + row);
    });
    subtotals.length += added.rows;
  },
});

function hasSubtotals(range: Range, context: CallContext): boolean {
  const growth = subtotalsOf(context);
  const grown = context.columns.get(range, growth);
  if (grown) return grown.thing.rows.between(grown.shift, grown.shift + range.rows).length > 0;
  const all = context.cached(range, growth.key, () => {
    const subtotals = growth.create();
    growth.extend(subtotals, range);
    return subtotals;
  });
  return all.rows.length > 0;
}

/**
 * Returns the tally of a column. Returns null if a cell of the range must be skipped, or if the range contains an
 * error.
 */
function wholeTally(range: Range, withSubtotals: boolean, context: CallContext): Tally | null {
  if (range.cols !== 1) return null;
  const used = range.used();
  if (context.hasHiddenRows(range.sheet, range.top, range.top + used.rows - 1)) return null;
  const tally = tallyOf(range, context);
  return !tally || tally.errors > 0 || (!withSubtotals && hasSubtotals(range, context)) ? null : tally;
}

/**
 * Returns the numbers of the range in ascending order; null in the same cases as `wholeTally`. Do not retain the array:
 * it can change later.
 */
export function sortedRange(range: Range, withSubtotals: boolean, context: CallContext): Float64Array | null {
  if (!wholeTally(range, withSubtotals, context)) return null;
  const sorted = sortedOf(range, context);
  return sorted instanceof CellError ? null : sorted;
}

/** Calculates a statistic by function number; null if cells must be skipped or scanned. */
export function subtotalOfRange(
  statistic: number,
  range: Range,
  withSubtotals: boolean,
  context: CallContext,
): FormulaValue | null {
  const tally = KNOWN.has(statistic) ? wholeTally(range, withSubtotals, context) : null;
  if (!tally) return null;
  if (statistic === COUNT) return tally.numbers;
  if (statistic === COUNT_ALL) return tally.filled;
  if (statistic === LARGEST) return tally.numbers === 0 ? 0 : tally.greatest;
  if (statistic === SMALLEST) return tally.numbers === 0 ? 0 : tally.least;
  const sum = sumOfRange(range, context);
  if (sum === null || sum instanceof CellError) return null;
  if (statistic === SUM) return checkNumber(sum);
  return tally.numbers === 0 ? DIV0_ERROR : checkNumber(sum / tally.numbers);
}

const AVERAGE = 1;
const COUNT = 2;
const COUNT_ALL = 3;
const LARGEST = 4;
const SMALLEST = 5;
const SUM = 9;
const KNOWN: ReadonlySet<number> = new Set([AVERAGE, COUNT, COUNT_ALL, LARGEST, SMALLEST, SUM]);
