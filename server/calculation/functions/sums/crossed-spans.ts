/** Finds cells that are between bounds in two columns, such as those that start before a day and end after it. */
import type { CallContext } from '../function.ts';
import type { NumberColumn } from './number-column.ts';
import { cellsOf, cellsWithin, type OrderedColumn, type Span, type Universe } from './ordered-column.ts';
import { RankTree } from './rank-tree.ts';
import type { SpanTotals } from './span-totals.ts';

/** Both universes contain the same cells, except cells that have a number in only one of the columns. */
export interface Crossed {
  first: Span;
  second: Span;
}

/** Fewer cells are tested one by one. */
export const FEW_CROSSED = 64;

const trees = new WeakMap<Universe, WeakMap<OrderedColumn, RankTree>>();
const sumsOfTrees = new WeakMap<RankTree, WeakMap<NumberColumn, { sums: Float64Array[] | null }>>();

function treeOf({ first, second }: Crossed, context: CallContext): RankTree {
  let own = trees.get(first.universe);
  if (!own) trees.set(first.universe, (own = new WeakMap()));
  const { column } = second.universe;
  let tree = own.get(column);
  if (!tree) {
    const { byValue } = first.universe;
    context.spend(byValue.length * 32);
    // Cells without a number in the other column are ranked after all others.
    const none = column.values.length;
    const rankOf = (cell: number): number => {
      const rank = column.ranks[cell] ?? -1;
      return rank < 0 ? none : rank;
    };
    tree = new RankTree(byValue.map(rankOf));
    own.set(column, tree);
  }
  return tree;
}

export function countOfCrossed(crossed: Crossed, context: CallContext): number {
  const { first, second } = crossed;
  const tree = treeOf(crossed, context);
  return tree.countBelow(first.from, first.to, second.high) - tree.countBelow(first.from, first.to, second.low);
}

/**
 * Returns the totals of the numbers at these cells; null if there is an error among them or if the columns have
 * different lengths.
 */
export function totalsOfCrossed(crossed: Crossed, column: NumberColumn, context: CallContext): SpanTotals | null {
  const { length } = crossed.first.universe.column.ranks;
  if (column.errors.size > 0 || column.kinds.length < length) return null;
  if (crossed.second.universe.column.ranks.length < length) return null;
  const tree = treeOf(crossed, context);
  let own = sumsOfTrees.get(tree);
  if (!own) sumsOfTrees.set(tree, (own = new WeakMap()));
  let known = own.get(column);
  if (!known) {
    const { byValue } = crossed.first.universe;
    context.spend(byValue.length * 32);
    const isEach = byValue.every((cell) => column.kinds[cell] === 1);
    known = { sums: isEach ? tree.sumsOf((position) => column.numbers[byValue[position]!]!) : null };
    own.set(column, known);
  }
  const { sums } = known;
  if (!sums) return addedUp(crossed, column, context);
  const { from, to } = crossed.first;
  const { low, high } = crossed.second;
  const sum = tree.sumBelow(sums, from, to, high) - tree.sumBelow(sums, from, to, low);
  return { sum, count: countOfCrossed(crossed, context) };
}

/**
 * If the shorter span is at least this many times shorter than the universe, sorting its cells is faster than a full
 * pass.
 */
const FEW = 16;

/** Adds in cell order. */
function addedUp(crossed: Crossed, { numbers, kinds }: NumberColumn, context: CallContext): SpanTotals {
  const { first, second } = crossed;
  const { universe } = first;
  const isShort = Math.min(first.to - first.from, second.to - second.from) * FEW < universe.byCell.length;
  const cells = isShort
    ? crossedCells(crossed, context)
    : universe.isAscending
      ? universe.byCell.subarray(first.from, first.to)
      : universe.byCell;
  const { ranks } = universe.column;
  const { ranks: others } = second.universe.column;
  const { low, high } = first;
  const { low: otherLow, high: otherHigh } = second;
  context.spend(cells.length);
  let sum = 0;
  let count = 0;
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]!;
    const isFirst = Number((ranks[cell]! - low) >>> 0 < high - low);
    // Cells that do not count are added as 0, which avoids a branch.
    const taken = kinds[cell]! & isFirst & Number((others[cell]! - otherLow) >>> 0 < otherHigh - otherLow);
    sum += numbers[cell]! * taken;
    count += taken;
  }
  return { sum, count };
}

/** Returns the cells in cell order. */
export function crossedCells({ first, second }: Crossed, context: CallContext): Int32Array {
  const [smaller, rest] = first.to - first.from <= second.to - second.from ? [first, second] : [second, first];
  const cells = cellsOf(smaller, context);
  context.spend(cells.length);
  return cellsWithin(cells, rest);
}
