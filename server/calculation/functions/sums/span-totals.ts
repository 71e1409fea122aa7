/**
 * Totals of the numbers at the cells of a span. Counts, minima and maxima do not depend on the order, nor do sums of
 * multiples of 1/1024. All other sums are calculated in cell order.
 */
import { isWhole, LARGEST_EXACT } from '#server/calculation/kernels/chunk-totals.ts';
import type { CallContext } from '../function.ts';
import type { NumberColumn } from './number-column.ts';
import { cellsOf, type Span, type Universe } from './ordered-column.ts';

/** Cached data on the numbers of a column at the cells of a universe. */
interface Beside {
  /** Number of numbers before each position in the order by value. */
  counts: Int32Array;
  /**
   * Sum of all numbers before each position in the order by value; null if it does not determine the sum of a span. If
   * `isPrefix` is true, it is valid only for spans that start at 0.
   */
  sums: Float64Array | null;
  isPrefix: boolean;
  /** Sums of spans requested before. */
  known: Map<number, number>;
  least: Extremes | null;
  greatest: Extremes | null;
}

/** The best value up to each position in the order by value, and from each position on. */
interface Extremes {
  upTo: Float64Array;
  from: Float64Array;
}

/** Number of cached spans above which the cache is cleared. */
const MAX_CACHED_SPANS = 65_536;

const besides = new WeakMap<NumberColumn, WeakMap<Universe, Beside>>();

/** Returns null if there is an error among the numbers. */
function besideOf(universe: Universe, column: NumberColumn, context: CallContext): Beside | null {
  if (column.errors.size > 0) return null;
  let known = besides.get(column);
  if (!known) besides.set(column, (known = new WeakMap()));
  let beside = known.get(universe);
  if (!beside) {
    context.spend(universe.byValue.length * 2);
    known.set(universe, (beside = newBeside(universe, column)));
  }
  return beside;
}

function newBeside({ byValue, isAscending }: Universe, { numbers, kinds }: NumberColumn): Beside {
  const counts = new Int32Array(byValue.length + 1);
  const sums = new Float64Array(byValue.length + 1);
  let magnitude = 0;
  for (let at = 0; at < byValue.length; at += 1) {
    const cell = byValue[at]!;
    const isNumber = kinds[cell] === 1;
    const value = isNumber ? numbers[cell]! : 0;
    counts[at + 1] = counts[at]! + (isNumber ? 1 : 0);
    sums[at + 1] = sums[at]! + value;
    magnitude += isWhole(value) ? Math.abs(value) : Infinity;
  }
  const isExact = magnitude <= LARGEST_EXACT;
  const known = { known: new Map<number, number>(), least: null, greatest: null };
  return { counts, sums: isExact || isAscending ? sums : null, isPrefix: !isExact, ...known };
}

export interface SpanTotals {
  sum: number;
  count: number;
}

/** Returns null if the cells must be scanned. */
export function totalsOfSpan(span: Span, column: NumberColumn, context: CallContext): SpanTotals | null {
  const beside = besideOf(span.universe, column, context);
  if (!beside) return null;
  const { from, to } = span;
  const count = beside.counts[to]! - beside.counts[from]!;
  if (count === 0) return { sum: 0, count };
  if (beside.sums && (from === 0 || !beside.isPrefix)) return { sum: beside.sums[to]! - beside.sums[from]!, count };
  const key = from * (span.universe.byValue.length + 1) + to;
  let sum = beside.known.get(key);
  if (sum === undefined) {
    sum = addedUp(span, column, context);
    if (beside.known.size >= MAX_CACHED_SPANS) beside.known.clear();
    beside.known.set(key, sum);
  }
  return { sum, count };
}

/** Adds in cell order. */
function addedUp(span: Span, { numbers, kinds }: NumberColumn, context: CallContext): number {
  const { universe, from, to, low, high } = span;
  const { byCell } = universe;
  let sum = 0;
  if (universe.isAscending || (to - from) * 2 < byCell.length) {
    const cells = cellsOf(span, context);
    context.spend(cells.length);
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at]!;
      if (kinds[cell] === 1) sum += numbers[cell]!;
    }
    return sum;
  }
  const { ranks } = universe.column;
  const width = high - low;
  context.spend(byCell.length);
  for (let at = 0; at < byCell.length; at += 1) {
    const cell = byCell[at]!;
    if ((ranks[cell]! - low) >>> 0 < width && kinds[cell] === 1) sum += numbers[cell]!;
  }
  return sum;
}

/**
 * Returns the smallest or largest number at the cells of a span, 0 if there is none; undefined if the cells must be
 * scanned.
 */
export function extremeOfSpan(
  span: Span,
  column: NumberColumn,
  isGreatest: boolean,
  context: CallContext,
): number | undefined {
  const beside = besideOf(span.universe, column, context);
  if (!beside) return undefined;
  const { from, to, universe } = span;
  const { length } = universe.byValue;
  if (beside.counts[from] === beside.counts[to]) return 0;
  if (from > 0 && to < length) return undefined;
  const side = isGreatest ? 'greatest' : 'least';
  const known = (beside[side] ??= extremes(universe, column, isGreatest));
  return to === length ? known.from[from] : known.upTo[to - 1];
}

function extremes({ byValue }: Universe, { numbers, kinds }: NumberColumn, isGreatest: boolean): Extremes {
  const none = isGreatest ? -Infinity : Infinity;
  const better = isGreatest ? Math.max : Math.min;
  const value = (at: number): number => (kinds[byValue[at]!] === 1 ? numbers[byValue[at]!]! : none);
  const upTo = new Float64Array(byValue.length);
  const from = new Float64Array(byValue.length);
  let best = none;
  for (let at = 0; at < byValue.length; at += 1) upTo[at] = best = better(best, value(at));
  best = none;
  for (let at = byValue.length - 1; at >= 0; at -= 1) from[at] = best = better(best, value(at));
  return { upTo, from };
}
