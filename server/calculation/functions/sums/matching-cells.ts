/** Finds the cells that meet all criteria of SUMIFS and similar functions. */
import type { Criterion } from '#server/calculation/values/criteria.ts';
import { growingMatches } from './growing-criteria.ts';
import { eachValue, type Range } from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';
import {
  codesOf,
  combinationOf,
  criteriaIndex,
  isAskedAgain,
  maskOf,
  usedExtent,
  type CriteriaIndex,
  type Extent,
  type Groups,
} from './criteria-index.ts';
import { countOfCrossed } from './crossed-spans.ts';
import { selectedCells } from './selected-cells.ts';
import type { Condition, Matches } from './matches.ts';

/** For fewer cells, a plain scan is as fast. */
const FEW_CELLS = 24;

export function matchesOf(conditions: readonly Condition[], context: CallContext): Matches {
  const ranges = conditions.map(({ range }) => range);
  const extent = usedExtent(ranges);
  const count = extent.rows * extent.cols;
  const growing = count <= FEW_CELLS ? null : growingMatches(conditions, extent, context);
  if (growing) return growing;
  if (count <= FEW_CELLS || !ranges.map((range) => isAskedAgain(range, context)).some(Boolean)) {
    return scanned(conditions, extent, context);
  }
  return indexed(conditions, extent, context);
}

const beyondOf = (conditions: readonly Condition[], { rows, cols }: Extent): number =>
  conditions.every(({ criterion }) => criterion.matchesBlank) ? (conditions[0]!.range.rows - rows) * cols : 0;

function scanned(conditions: readonly Condition[], extent: Extent, context: CallContext): Matches {
  const { rows, cols } = extent;
  context.spend(rows * cols * conditions.length);
  let found: Uint8Array | null = null;
  for (const { range, criterion } of conditions) {
    const mask = new Uint8Array(rows * cols);
    if (criterion.matchesBlank) mask.fill(1);
    const before = found;
    eachValue(range, (value, row, col) => {
      const at = row * cols + col;
      if (before === null || before[at] === 1) mask[at] = criterion.test(value) ? 1 : 0;
    });
    if (before) for (let at = 0; at < mask.length; at += 1) mask[at]! &= before[at]!;
    found = mask;
  }
  const positions = numbersWhere(rows * cols, (at) => found![at] === 1);
  return { kind: 'positions', positions, shift: 0, extent, beyond: beyondOf(conditions, extent) };
}

function numbersWhere(count: number, holds: (at: number) => boolean): Int32Array {
  const found = new Int32Array(count);
  let size = 0;
  for (let at = 0; at < count; at += 1) if (holds(at)) found[size++] = at;
  return found.subarray(0, size);
}

interface Tested {
  index: CriteriaIndex;
  criterion: Criterion;
}

function indexed(conditions: readonly Condition[], extent: Extent, context: CallContext): Matches {
  const exact: { range: Range; index: CriteriaIndex; code: number }[] = [];
  const tested: Tested[] = [];
  for (const { range, criterion } of conditions) {
    const index = criteriaIndex(range, context);
    const codes = codesOf(index, criterion);
    if (codes?.length === 0) return { kind: 'none' };
    if (codes?.length === 1) exact.push({ range, index, code: codes[0]! });
    else tested.push({ index, criterion });
  }
  if (exact.length === 0) {
    const [only] = tested;
    const selected =
      tested.length === 1 ? selectedCells(only!.index, only!.criterion, extent.rows * extent.cols, context) : null;
    if (selected) return { kind: 'group', groups: selected, group: 0, beyond: beyondOf(conditions, extent) };
    const holds = testOf(tested, extent.rows * extent.cols, context);
    const positions = numbersWhere(extent.rows * extent.cols, holds);
    return { kind: 'positions', positions, shift: 0, extent, beyond: beyondOf(conditions, extent) };
  }
  const groups = groupsOf(exact, context);
  const group =
    exact.length === 1
      ? exact[0]!.code
      : (groups as ReturnType<typeof combinationOf>).find(exact.map(({ code }) => code));
  if (group < 0) return { kind: 'none' };
  if (tested.length === 0) return { kind: 'group', groups, group };
  const members = groups.positions.subarray(groups.starts[group]!, groups.starts[group + 1]!);
  const holds = testOf(tested, members.length, context);
  return { kind: 'positions', positions: members.filter(holds), shift: 0, extent, beyond: 0 };
}

function groupsOf(exact: readonly { range: Range; index: CriteriaIndex }[], context: CallContext): Groups {
  if (exact.length === 1) return exact[0]!.index;
  return combinationOf(
    exact.map(({ range }) => range),
    exact.map(({ index }) => index),
    context,
  );
}

/**
 * Returns a test whether a cell meets all criteria. If `count` cells are to be tested, each distinct value is tested at
 * most once.
 */
function testOf(tested: readonly Tested[], count: number, context: CallContext): (at: number) => boolean {
  context.spend(count * tested.length);
  const tests = tested.map(({ index, criterion }) => {
    const { codes, distinct } = index;
    if (count < distinct.length) return (at: number) => criterion.test(distinct[codes[at] ?? 0]!);
    const mask = maskOf(index, criterion, context);
    return (at: number) => mask[codes[at] ?? 0] === 1;
  });
  if (tests.length === 1) return tests[0]!;
  return (at) => tests.every((test) => test(at));
}

export function countOf(matches: Matches, context: CallContext): number {
  if (matches.kind === 'none') return 0;
  if (matches.kind === 'span') return matches.span.to - matches.span.from;
  if (matches.kind === 'crossed') return countOfCrossed(matches.crossed, context);
  if (matches.kind === 'positions') return matches.positions.length + matches.beyond;
  const { groups, group, beyond = 0 } = matches;
  return groups.starts[group + 1]! - groups.starts[group]! + beyond;
}
