/**
 * SUMIF, COUNTIF, AVERAGEIF, and the functions with several criteria. Source: Microsoft's page on each function, and
 * Excel's behaviour.
 */
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, REF_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { parseCriterion } from '#server/calculation/values/criteria.ts';
import { Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { singleOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { boundedTotals } from './bounded-totals.ts';
import { comparedCells } from './compared-cells.ts';
import { crossedCells, totalsOfCrossed } from './crossed-spans.ts';
import { countOfComparisons, comparedRows } from './comparisons.ts';
import { countOf, matchesOf as matchesBySearch } from './matching-cells.ts';
import type { Condition, Matches } from './matches.ts';
import type { NumberColumn, ShiftedColumn } from './number-column.ts';
import { cellsOf } from './ordered-column.ts';
import { positionsOf, takenNumbers } from './taken-numbers.ts';
import { extremeOfSpan, totalsOfSpan } from './span-totals.ts';

/** Reads pairs of range and criterion; all ranges must have the same shape. */
function conditionsOf(args: readonly FormulaValue[]): Condition[] | CellError {
  if (args.length % 2 !== 0) return VALUE_ERROR;
  const conditions: Condition[] = [];
  for (let index = 0; index < args.length; index += 2) {
    const range = args[index];
    if (!(range instanceof Range)) return VALUE_ERROR;
    const first = conditions[0]?.range ?? range;
    if (range.rows !== first.rows || range.cols !== first.cols) return VALUE_ERROR;
    conditions.push({ range, criterion: parseCriterion(singleOf(args[index + 1])) });
  }
  return conditions;
}

function matchesOf(conditions: readonly Condition[], context: CallContext): Matches {
  return comparedCells(conditions, context) ?? searched(conditions, context);
}

function searched(conditions: readonly Condition[], context: CallContext): Matches {
  const positions = comparedRows(conditions, context);
  if (!positions) return matchesBySearch(conditions, context);
  return { kind: 'positions', positions, shift: 0, extent: { rows: positions.length, cols: 1 }, beyond: 0 };
}

interface Totals {
  /** Added from left to right, as in Excel. */
  sum: number;
  count: number;
  error: CellError | null;
}

/** Adds the numbers at the given positions. `shift` is added to a position to get the cell in the column. */
function totalsAt(positions: Int32Array, { numbers, kinds, errors }: NumberColumn, shift: number): Totals {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < positions.length; index += 1) {
    const at = positions[index]! + shift;
    const kind = kinds[at];
    if (kind === 1) {
      sum += numbers[at]!;
      count += 1;
    } else if (kind === 2) return { sum, count, error: errors.get(at)! };
  }
  return { sum, count, error: null };
}

interface ColumnTotals {
  column: NumberColumn;
  byGroup: Map<number, Totals>;
}

/** Cached totals of groups, valid until the groups or the numbers change. */
const totalsOfGroups = new WeakMap<object, ColumnTotals[]>();
/** Maximum number of columns of numbers cached for the same groups. */
const MAX_CACHED_COLUMNS = 16;

function totalsOf(matches: Matches, { column, shift }: ShiftedColumn, context: CallContext): Totals {
  if (matches.kind === 'none') return { sum: 0, count: 0, error: null };
  if (matches.kind === 'span') {
    const known = shift === 0 ? totalsOfSpan(matches.span, column, context) : null;
    return known ? { ...known, error: null } : totalsAt(cellsOf(matches.span, context), column, shift);
  }
  if (matches.kind === 'crossed') {
    const known = shift === 0 ? totalsOfCrossed(matches.crossed, column, context) : null;
    return known ? { ...known, error: null } : totalsAt(crossedCells(matches.crossed, context), column, shift);
  }
  if (matches.kind === 'positions') return totalsAt(matches.positions, column, shift - matches.shift);
  // The column of a growing range is shared by ranges with different shifts. Their totals by group differ and are not
  // cached.
  const { groups, group } = matches;
  const positions = groups.positions.subarray(groups.starts[group]!, groups.starts[group + 1]!);
  if (shift !== 0) return totalsAt(positions, column, shift);
  let columns = totalsOfGroups.get(groups);
  if (!columns) totalsOfGroups.set(groups, (columns = []));
  let own = columns.find((entry) => entry.column === column);
  if (!own) {
    own = { column, byGroup: new Map() };
    columns.unshift(own);
    if (columns.length > MAX_CACHED_COLUMNS) columns.pop();
  }
  let totals = own.byGroup.get(group);
  if (!totals) {
    totals = totalsAt(positions, column, 0);
    own.byGroup.set(group, totals);
  }
  return totals;
}

const summed = ({ sum, error }: Totals): FormulaValue => error ?? checkNumber(sum);

const averaged = ({ sum, count, error }: Totals): FormulaValue =>
  error ?? (count === 0 ? DIV0_ERROR : checkNumber(sum / count));

/** Returns a range of the same size as `shape`, starting at the top left cell of `range`. */
function besides(range: Range, shape: Range, context: CallContext): Range | CellError {
  const { sheet, top, left } = range;
  if (range.rows === shape.rows && range.cols === shape.cols) return range;
  if (left + shape.cols > MAX_COLS) return REF_ERROR;
  const bottom = Math.min(top + shape.rows, MAX_ROWS) - 1;
  return context.range(sheet, { top, left, bottom, right: left + shape.cols - 1 });
}

function totalsFor(conditions: readonly Condition[], numbers: Range, context: CallContext): Totals {
  const compared = comparedCells(conditions, context);
  const bounded = compared ? null : boundedTotals(conditions, numbers, context);
  if (bounded) return { ...bounded, error: null };
  const taken = takenNumbers(compared ?? searched(conditions, context), numbers, context);
  return totalsOf(taken.matches, taken.numbers, context);
}

/** SUMIF and AVERAGEIF use only the top left cell of the third argument. */
function one(name: string, finish: (totals: Totals) => FormulaValue): FunctionDefinition {
  return defineFunction(
    name,
    'RvR',
    ([range, criterion, values], context) => {
      const conditions = conditionsOf([range, criterion]);
      if (conditions instanceof CellError) return conditions;
      const shape = conditions[0]!.range;
      if (values !== undefined && !(values instanceof Range)) return VALUE_ERROR;
      const numbers = values ? besides(values, shape, context) : shape;
      if (numbers instanceof CellError) return numbers;
      return finish(totalsFor(conditions, numbers, context));
    },
    { required: 2, takesErrors: true },
  );
}

/** Creates functions whose first argument contains the numbers, followed by pairs of range and criterion. */
function several(
  name: string,
  finish: (conditions: readonly Condition[], numbers: Range, context: CallContext) => FormulaValue,
): FunctionDefinition {
  return defineFunction(
    name,
    'RRv',
    ([values, ...pairs], context) => {
      const conditions = conditionsOf(pairs);
      if (conditions instanceof CellError) return conditions;
      const { rows, cols } = conditions[0]!.range;
      if (!(values instanceof Range) || values.rows !== rows || values.cols !== cols) return VALUE_ERROR;
      return finish(conditions, values, context);
    },
    { repeat: 2, takesErrors: true },
  );
}

/** Returns the smallest or largest number; 0 if there is none. */
function extreme(isGreatest: boolean) {
  return (conditions: readonly Condition[], range: Range, context: CallContext): FormulaValue => {
    const { matches, numbers: own } = takenNumbers(matchesOf(conditions, context), range, context);
    const { column, shift } = own;
    if (matches.kind === 'span' && shift === 0) {
      const known = extremeOfSpan(matches.span, column, isGreatest, context);
      if (known !== undefined) return known;
    }
    const { numbers, kinds, errors } = column;
    const before = shift - (matches.kind === 'positions' ? matches.shift : 0);
    const positions = positionsOf(matches, context);
    let best = isGreatest ? -Infinity : Infinity;
    for (let index = 0; index < positions.length; index += 1) {
      const at = positions[index]! + before;
      const kind = kinds[at];
      if (kind === 2) return errors.get(at)!;
      if (kind !== 1) continue;
      const value = numbers[at]!;
      if (isGreatest ? value > best : value < best) best = value;
    }
    return Math.abs(best) === Infinity ? 0 : best;
  };
}

function countIfs(args: FormulaValue[], context: CallContext): FormulaValue {
  const conditions = conditionsOf(args);
  if (conditions instanceof CellError) return conditions;
  return countOfComparisons(conditions, context) ?? countOf(matchesOf(conditions, context), context);
}

export const criteriaFunctions: FunctionDefinition[] = [
  one('SUMIF', summed),
  one('AVERAGEIF', averaged),
  defineFunction('COUNTIF', 'Rv', countIfs, { takesErrors: true }),
  defineFunction('COUNTIFS', 'Rv', countIfs, { repeat: 2, takesErrors: true }),
  several('SUMIFS', (conditions, numbers, context) => summed(totalsFor(conditions, numbers, context))),
  several('AVERAGEIFS', (conditions, numbers, context) => averaged(totalsFor(conditions, numbers, context))),
  several('MINIFS', extreme(false)),
  several('MAXIFS', extreme(true)),
];
