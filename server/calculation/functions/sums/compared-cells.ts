/**
 * Finds the cells that meet criteria with numeric comparisons, such as from one day to another, in ranges used by
 * thousands of formulas. It uses sorted numbers instead of testing each cell for each formula.
 */
import type { Range } from '#server/calculation/values/matrix.ts';
import type { Criterion } from '#server/calculation/values/criteria.ts';
import type { CallContext } from '../function.ts';
import { isNumberComparison } from './bounds.ts';
import { codesOf, combinationOf, criteriaIndex, maskOf, usedExtent, type CriteriaIndex } from './criteria-index.ts';
import type { Groups } from './criteria-index.ts';
import type { Condition, Matches } from './matches.ts';
import { FEW_CROSSED, type Crossed } from './crossed-spans.ts';
import {
  cellsOf,
  cellsWithin,
  orderedColumn,
  spanOf,
  universeOf,
  type OrderedColumn,
  type Span,
} from './ordered-column.ts';

/** For fewer cells, a plain scan is as fast. */
const FEW_CELLS = 64;
/** Growing ranges are used up to this many times, by the formulas in one row; an index would not pay off. */
const FEW_USES = 6;
/** The members of a smaller group are tested one by one. */
const FEW_MEMBERS = 48;

const isSameRange = (a: Range, b: Range): boolean =>
  a === b || (a.sheet === b.sheet && a.top === b.top && a.left === b.left && a.rows === b.rows && a.cols === b.cols);

/** All conditions on one range. */
interface Joined {
  range: Range;
  criteria: Criterion[];
}

/** Returns null if no criterion is a numeric comparison, or if an index does not pay off. */
export function comparedCells(conditions: readonly Condition[], context: CallContext): Matches | null {
  const { range } = conditions[0]!;
  if (range.rows * range.cols < FEW_CELLS) return null;
  const compared: Joined[] = [];
  const others: Condition[] = [];
  for (const condition of conditions) {
    if (!isNumberComparison(condition.criterion)) others.push(condition);
    else {
      const known = compared.find((own) => isSameRange(own.range, condition.range));
      if (known) known.criteria.push(condition.criterion);
      else compared.push({ range: condition.range, criteria: [condition.criterion] });
    }
  }
  if (compared.length === 0) return null;
  let isOften = true;
  for (const { range: own } of [...compared, ...others]) isOften = isAskedOften(own, context) && isOften;
  return isOften ? matching(compared, others, context) : null;
}

function isAskedOften(range: Range, context: CallContext): boolean {
  const uses = context.cached(range, 'comparisons', () => ({ count: 0 }));
  uses.count += 1;
  return uses.count > FEW_USES;
}

type Test = (cell: number) => boolean;

interface Sorted {
  column: OrderedColumn;
  criteria: Criterion[];
}

function matching(compared: readonly Joined[], others: readonly Condition[], context: CallContext): Matches {
  const exact: { range: Range; index: CriteriaIndex; code: number }[] = [];
  const tests: Test[] = [];
  for (const { range, criterion } of others) {
    const index = criteriaIndex(range, context);
    const codes = codesOf(index, criterion);
    if (codes?.length === 0) return { kind: 'none' };
    if (codes?.length === 1) exact.push({ range, index, code: codes[0]! });
    else tests.push(testOf(index, criterion, context));
  }
  const sorted = compared.map(({ range, criteria }) => ({ column: orderedColumn(range, context), criteria }));
  const members = membersOf(exact, context);
  if (members === undefined) return { kind: 'none' };
  const size = members ? members.groups.starts[members.group + 1]! - members.groups.starts[members.group]! : Infinity;
  const extent = usedExtent([...compared, ...others].map(({ range }) => range));
  const found = (positions: Int32Array): Matches => ({ kind: 'positions', positions, shift: 0, extent, beyond: 0 });
  if (members && size < FEW_MEMBERS) {
    const { groups, group } = members;
    const all = groups.positions.subarray(groups.starts[group]!, groups.starts[group + 1]!);
    return found(all.filter(everyOf([...tests, ...spansOf(sorted, null).map(within)])));
  }
  const spans = spansOf(sorted, members);
  if (spans.some(({ from, to }) => from === to)) return { kind: 'none' };
  const crossed = tests.length === 0 ? crossedOf(spans) : null;
  if (crossed) return { kind: 'crossed', crossed };
  const [smallest, ...rest] = spans.sort((a, b) => a.to - a.from - (b.to - b.from));
  if (rest.length === 0 && tests.length === 0) return { kind: 'span', span: smallest! };
  const cells = cellsOf(smallest!, context);
  context.spend(cells.length * (rest.length + tests.length));
  return found(filtered(cells, rest, tests));
}

/**
 * Returns the group of the cells with all the values; null if there is no restriction to a group, and undefined if no
 * cell has all the values.
 */
function membersOf(
  exact: readonly { range: Range; index: CriteriaIndex; code: number }[],
  context: CallContext,
): { groups: Groups; group: number } | null | undefined {
  const [first] = exact;
  if (!first) return null;
  if (exact.length === 1) return { groups: first.index, group: first.code };
  const groups = combinationOf(
    exact.map(({ range }) => range),
    exact.map(({ index }) => index),
    context,
  );
  const group = groups.find(exact.map(({ code }) => code));
  return group < 0 ? undefined : { groups, group };
}

const spansOf = (sorted: readonly Sorted[], members: { groups: Groups; group: number } | null): Span[] =>
  sorted.map(({ column, criteria }) =>
    spanOf(members ? universeOf(column, members.groups, members.group) : column.all, criteria),
  );

/** Returns two spans of many cells, or null. If one of them is sorted in cell order, it becomes the first. */
function crossedOf(spans: readonly Span[]): Crossed | null {
  const [one, other] = spans;
  if (spans.length !== 2 || one!.universe.byValue.length < FEW_CROSSED) return null;
  return other!.universe.isAscending ? { first: other!, second: one! } : { first: one!, second: other! };
}

function testOf(index: CriteriaIndex, criterion: Criterion, context: CallContext): Test {
  const { codes } = index;
  const mask = maskOf(index, criterion, context);
  return (cell) => mask[codes[cell] ?? 0] === 1;
}

function within({ universe, low, high }: Span): Test {
  const { ranks } = universe.column;
  return (cell) => {
    const rank = ranks[cell] ?? -1;
    return rank >= low && rank < high;
  };
}

const everyOf =
  (tests: readonly Test[]): Test =>
  (cell) =>
    tests.every((test) => test(cell));

/** Fast path for the most frequent case, a single further span: cells that start before a day and end after it. */
function filtered(cells: Int32Array, spans: readonly Span[], tests: readonly Test[]): Int32Array {
  if (spans.length !== 1 || tests.length > 0) return cells.filter(everyOf([...spans.map(within), ...tests]));
  return cellsWithin(cells, spans[0]!);
}
