/**
 * What the numbers beside a span of cells come to. Counts, minima and maxima are the same in any order, and so are sums of numbers
 * that are multiples of 1/1024; all other sums are made in the order of the cells.
 */
import { isWhole, LARGEST_EXACT } from '#server/calculation/kernels/chunk-totals.ts';
import type { CallContext } from '../function.ts';
import type { NumberColumn } from './number-column.ts';
import { cellsOf, type Span, type Universe } from './ordered-column.ts';

/** What is known of the numbers of a column at the cells of a universe. */
interface Beside {
  /** By place in the order by value: how many numbers stand before it. */
  counts: Int32Array;
  /** By place in the order by value: the sum of all before it, where that tells the sum of a span; `isPrefix` where only of the first. */
  sums: Float64Array | null;
  isPrefix: boolean;
  /** Spans that were asked for before. */
  known: Map<number, number>;
  least: Extremes | null;
  greatest: Extremes | null;
}

/** The best of all up to each place in the order by value, and of all from each place on. */
interface Extremes {
  upTo: Float64Array;
  from: Float64Array;
}

/** More spans are forgotten all at once. */
const MOST_KNOWN = 65_536;

const besides = new WeakMap<NumberColumn, WeakMap<Universe, Beside>>();

/** Null where an error stands among the numbers. */
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

/** Null where the cells have to be walked. */
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
    if (beside.known.size >= MOST_KNOWN) beside.known.clear();
    beside.known.set(key, sum);
  }
  return { sum, count };
}

/** In the order of the cells. */
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

/** The least or greatest number beside a span, 0 where there is none; undefined where the cells have to be walked. */
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
