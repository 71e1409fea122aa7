/**
 * SUBTOTAL and AGGREGATE: statistics that skip hidden rows, errors, and cells that are themselves subtotals.
 * Source: Microsoft, 'SUBTOTAL function', 'AGGREGATE function'.
 */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, isMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { arrayOf, singleOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { sortedRange, subtotalOfRange } from './range-subtotal.ts';
import {
  averageOf,
  deviationOf,
  largestOf,
  medianOf,
  modeOf,
  percentileExclusive,
  percentileInclusive,
  productOf,
  quartileOf,
  rankedOf,
  smallestOf,
  sumOf,
  varianceOf,
} from './statistics.ts';

interface Skipped {
  hidden: boolean;
  /** Rows hidden by a filter. */
  filtered: boolean;
  errors: boolean;
  subtotals: boolean;
}

interface Collected {
  numbers: number[];
  /** Number of values of any kind, for COUNTA. */
  count: number;
  error: CellError | null;
}

/** Indexed by function number - 1; COUNT and COUNTA (2 and 3) are calculated separately. */
const STATISTICS = [
  averageOf,
  null,
  null,
  largestOf,
  smallestOf,
  productOf,
  deviationOf(true),
  deviationOf(false),
  sumOf,
  varianceOf(true),
  varianceOf(false),
  medianOf,
  modeOf,
];

/** Functions 14 to 19 of AGGREGATE. */
const RANKED = [
  rankedOf(true),
  rankedOf(false),
  percentileInclusive,
  quartileOf(percentileInclusive),
  percentileExclusive,
  quartileOf(percentileExclusive),
];
const FIRST_RANKED = 14;

function collect(args: readonly FormulaValue[], skipped: Skipped, context: CallContext): Collected {
  const found: Collected = { numbers: [], count: 0, error: null };
  const take = (value: CellValue): void => {
    if (value instanceof CellError) {
      if (skipped.errors) return;
      found.error ??= value;
    }
    if (value !== null) found.count += 1;
    if (typeof value === 'number') found.numbers.push(value);
  };
  for (const arg of args) {
    if (arg instanceof Range) collectRange(arg, skipped, context, take);
    else if (arg instanceof Areas) for (const range of arg.ranges) collectRange(range, skipped, context, take);
    else if (arg instanceof ArrayMatrix) elementsOf(arg, skipped).forEach(take);
    else take(singleOf(arg) ?? null);
  }
  return found;
}

/**
 * Returns the elements to visit: all of them, or only the exceptions of a sparse array if its default element does not
 * count.
 */
function elementsOf(array: ArrayMatrix, { errors }: Skipped): readonly CellValue[] {
  const { sparse } = array;
  if (!sparse || typeof sparse.rest === 'number') return array.cells;
  return sparse.rest instanceof CellError && !errors ? array.cells : sparse.values;
}

function collectRange(range: Range, skipped: Skipped, context: CallContext, take: (value: CellValue) => void): void {
  const { sheet } = range;
  // Check each row once; SUBTOTAL skips hidden rows, never columns.
  let lastRow = -1;
  let isHidden = false;
  range.source.eachCell(sheet, range.block, (value, row, col) => {
    if (row !== lastRow) {
      lastRow = row;
      isHidden = skipped.hidden
        ? context.isRowHidden(sheet, row)
        : skipped.filtered && context.isRowFiltered(sheet, row);
    }
    if (isHidden || (skipped.subtotals && context.isSubtotal(sheet, row, col))) return;
    take(value);
  });
}

function finish(number: number, { numbers, count, error }: Collected): FormulaValue {
  if (number === 2) return numbers.length;
  if (number === 3) return count;
  return error ?? STATISTICS[number - 1]!(numbers);
}

function subtotal([code, ...references]: FormulaValue[], context: CallContext): FormulaValue {
  const number = toNumber(code as CellValue);
  if (typeof number !== 'number') return number;
  const whole = Math.trunc(number);
  const statistic = whole > 100 ? whole - 100 : whole;
  if (statistic < 1 || statistic > 11) return VALUE_ERROR;
  // Function numbers up to 11 include rows hidden manually; rows hidden by a filter never count.
  const skipped = { hidden: whole > 100, filtered: true, errors: false, subtotals: true };
  const [range] = references;
  const known =
    references.length === 1 && range instanceof Range ? subtotalOfRange(statistic, range, false, context) : null;
  if (known !== null) return known;
  return finish(statistic, collect(references, skipped, context));
}

/** Options 0 to 7. Source: Microsoft, AGGREGATE. */
const skippedBy = (option: number): Skipped => ({
  hidden: option % 2 === 1,
  filtered: false,
  errors: option % 4 >= 2,
  subtotals: option < 4,
});

function aggregate(args: FormulaValue[], context: CallContext): FormulaValue {
  const number = toNumber(args[0] as CellValue);
  if (typeof number !== 'number') return number;
  const option = toNumber(args[1] as CellValue);
  if (typeof option !== 'number') return option;
  const statistic = Math.trunc(number);
  if (statistic < 1 || statistic > 19 || option < 0 || option >= 8) return VALUE_ERROR;
  const skipped = skippedBy(Math.trunc(option));
  if (statistic >= FIRST_RANKED) return ranked(statistic, skipped, args[2], args[3], context);
  // The functions up to 13 accept only references.
  const references = args.slice(2);
  if (references.some((arg) => !(arg instanceof Range) && !(arg instanceof Areas))) {
    return references.find((arg) => arg instanceof CellError) ?? VALUE_ERROR;
  }
  const [range] = references;
  const known =
    references.length === 1 && range instanceof Range
      ? subtotalOfRange(statistic, range, !skipped.subtotals, context)
      : null;
  if (known !== null) return known;
  return finish(statistic, collect(references, skipped, context));
}

function ranked(
  statistic: number,
  skipped: Skipped,
  values: FormulaValue,
  rank: FormulaValue,
  context: CallContext,
): FormulaValue {
  if (rank === undefined) return VALUE_ERROR;
  const isOne = !isMatrix(rank) || rank.rows * rank.cols === 1;
  // Read the ranks first, because calculating cells can change the sorted array.
  const ranks = isOne ? null : arrayOf(rank, context);
  const first = isOne ? (singleOf(rank) ?? null) : null;
  const sorted = values instanceof Range ? sortedRange(values, !skipped.subtotals, context) : null;
  const { numbers, error } = sorted ? { numbers: sorted, error: null } : collect([values], skipped, context);
  if (error) return error;
  const of = (value: CellValue): number | CellError => {
    const k = toNumber(value);
    return typeof k === 'number' ? RANKED[statistic - FIRST_RANKED]!(numbers, k) : k;
  };
  if (ranks === null) return of(first);
  return ranks instanceof CellError ? ranks : new ArrayMatrix(ranks.rows, ranks.cols, ranks.cells.map(of));
}

export const subtotalFunctions: FunctionDefinition[] = [
  defineFunction('SUBTOTAL', 'vR', subtotal, { repeat: 1 }),
  defineFunction('AGGREGATE', 'vvar', aggregate, { required: 3, repeat: 1 }),
];
