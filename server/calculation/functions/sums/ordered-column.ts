/**
 * The sorted numbers of a range. Numeric comparisons ('>5', '<=8') find their cells by bisection, until a cell of the
 * range changes.
 */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import type { Groups } from './criteria-index.ts';
import { usedExtent } from './criteria-index.ts';
import { numberColumn } from './number-column.ts';

export interface OrderedColumn {
  /** In ascending order. */
  values: Float64Array;
  /** The cell (numbered within the range) of each position in `values`. */
  cells: Int32Array;
  /** The position in `values` of each cell; -1 if it has no number. */
  ranks: Int32Array;
  /** All numbers of the column. */
  all: Universe;
  /** The numbers within groups of other columns. */
  byGroups: WeakMap<Groups, (Universe | undefined)[]>;
}

/** The cells that a search can return: all numbers of a column, or the numbers within a group. */
export interface Universe {
  column: OrderedColumn;
  /** Cells sorted by value. */
  byValue: Int32Array;
  /** Cells in cell order. */
  byCell: Int32Array;
  /** True if both orders are the same. */
  isAscending: boolean;
}

/** A section of a universe's order by value. */
export interface Span {
  universe: Universe;
  from: number;
  /** The end, exclusive. */
  to: number;
  /** The same limits as ranks in the column. */
  low: number;
  high: number;
}

export function orderedColumn(range: Range, context: CallContext): OrderedColumn {
  return context.cached(range, 'ordered', () => {
    const { column, shift } = numberColumn(range, context);
    const { rows, cols } = usedExtent([range]);
    const count = Math.min(rows * cols, column.kinds.length - shift);
    context.spend(count * 4);
    return orderNumbers(column.numbers.subarray(shift, shift + count), column.kinds.subarray(shift, shift + count));
  });
}

function orderNumbers(numbers: Float64Array, kinds: Uint8Array): OrderedColumn {
  let size = 0;
  for (let cell = 0; cell < kinds.length; cell += 1) if (kinds[cell] === 1) size += 1;
  const values = new Float64Array(size);
  const byCell = new Int32Array(size);
  let isAscending = true;
  let at = 0;
  for (let cell = 0; cell < kinds.length; cell += 1) {
    if (kinds[cell] !== 1) continue;
    const value = numbers[cell]!;
    if (at > 0 && value < values[at - 1]!) isAscending = false;
    values[at] = value;
    byCell[at++] = cell;
  }
  const ranks = new Int32Array(kinds.length).fill(-1);
  const cells = isAscending ? byCell : new Int32Array(size);
  if (isAscending) for (let rank = 0; rank < size; rank += 1) ranks[byCell[rank]!] = rank;
  else rankNumbers(numbers, values.sort(), byCell, cells, ranks);
  const column: OrderedColumn = { values, cells, ranks, all: null!, byGroups: new WeakMap() };
  column.all = { column, byValue: cells, byCell, isAscending };
  return column;
}

/** Equal numbers are ranked in cell order. */
function rankNumbers(
  numbers: Float64Array,
  values: Float64Array,
  byCell: Int32Array,
  cells: Int32Array,
  ranks: Int32Array,
): void {
  const taken = new Int32Array(values.length);
  for (let at = 0; at < byCell.length; at += 1) {
    const cell = byCell[at]!;
    const first = firstNotBelow(values, numbers[cell]!);
    const rank = first + taken[first]!;
    taken[first]! += 1;
    ranks[cell] = rank;
    cells[rank] = cell;
  }
}

function firstNotBelow(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the numbers within a group of cells. */
export function universeOf(column: OrderedColumn, groups: Groups, group: number): Universe {
  let universes = column.byGroups.get(groups);
  if (!universes) column.byGroups.set(groups, (universes = []));
  return (universes[group] ??= newUniverse(column, groups, group));
}

function newUniverse(column: OrderedColumn, { positions, starts }: Groups, group: number): Universe {
  const { ranks } = column;
  const byCell = positions.subarray(starts[group]!, starts[group + 1]!).filter((cell) => (ranks[cell] ?? -1) >= 0);
  const own = byCell.map((cell) => ranks[cell]!);
  let isAscending = true;
  for (let at = 1; at < own.length; at += 1) if (own[at]! < own[at - 1]!) isAscending = false;
  if (isAscending) return { column, byValue: byCell, byCell, isAscending };
  return { column, byValue: own.sort().map((rank) => column.cells[rank]!), byCell, isAscending };
}

/** Returns the part of a universe that meets all comparisons. */
export function spanOf(universe: Universe, criteria: readonly Criterion[]): Span {
  const { column, byValue } = universe;
  let low = 0;
  let high = column.values.length;
  for (const { operator, test } of criteria) {
    const isAbove = operator.startsWith('>');
    const first = firstPosition(column.values, test, isAbove);
    if (isAbove) low = Math.max(low, first);
    else high = Math.min(high, first);
  }
  high = Math.max(low, high);
  if (universe === column.all) return { universe, from: low, to: high, low, high };
  const positionOf = (rank: number): number => countBelow(byValue, column.ranks, rank);
  return { universe, from: positionOf(low), to: positionOf(high), low, high };
}

/** Returns the first position from which a test holds, or no longer holds. */
function firstPosition(values: Float64Array, test: (value: number) => boolean, isAbove: boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(values[middle]!) === isAbove) high = middle;
    else low = middle + 1;
  }
  return low;
}

function countBelow(byValue: Int32Array, ranks: Int32Array, rank: number): number {
  let low = 0;
  let high = byValue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranks[byValue[middle]!]! < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** If a span is at least this many times shorter than the universe, sorting its cells is faster than a full pass. */
const FEW = 32;

/** Returns the cells of a span in cell order. */
export function cellsOf({ universe, from, to, low, high }: Span, context: CallContext): Int32Array {
  const { byValue, byCell, isAscending, column } = universe;
  if (isAscending) return byCell.subarray(from, to);
  if ((to - from) * FEW < byCell.length) return byValue.slice(from, to).sort();
  context.spend(byCell.length);
  const { ranks } = column;
  const found = new Int32Array(to - from + 1);
  const width = high - low;
  let count = 0;
  for (let at = 0; at < byCell.length; at += 1) {
    const cell = byCell[at]!;
    found[count] = cell;
    // A single comparison tests both limits. The cell is always written but counted only if it matches, which avoids a
    // branch.
    count += Number((ranks[cell]! - low) >>> 0 < width);
  }
  return found.subarray(0, count);
}

/** Returns those of the cells that are within the span. */
export function cellsWithin(cells: Int32Array, { universe, low, high }: Span): Int32Array {
  const { ranks } = universe.column;
  const width = high - low;
  const found = new Int32Array(cells.length + 1);
  let count = 0;
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]!;
    found[count] = cell;
    const rank = cell < ranks.length ? ranks[cell]! : -1;
    count += Number((rank - low) >>> 0 < width);
  }
  return found.subarray(0, count);
}
