/**
 * Speeds up SUMPRODUCT((A$2:A$99=A2)*(B$2:B$99>5)*C$2:C$99) that was filled down: an index finds the rows that meet its
 * first '=', or lie between two numbers, instead of comparing all rows for each formula. Cases in which the result
 * could differ (blanks, texts to be multiplied, errors) are left to the calculation over whole arrays.
 */
import { comparedCells } from '../functions/sums/compared-cells.ts';
import { criteriaIndex, isAskedAgain } from '../functions/sums/criteria-index.ts';
import { totalsOfCrossed } from '../functions/sums/crossed-spans.ts';
import { countOf } from '../functions/sums/matching-cells.ts';
import type { Condition as SumCondition, Matches } from '../functions/sums/matches.ts';
import { numberColumn } from '../functions/sums/number-column.ts';
import type { NumberColumn, ShiftedColumn } from '../functions/sums/number-column.ts';
import { totalsOfSpan } from '../functions/sums/span-totals.ts';
import type { SpanTotals } from '../functions/sums/span-totals.ts';
import { positionsOf } from '../functions/sums/taken-numbers.ts';
import type { BinaryOperator, CallNode, Node } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { areEqualTexts, compareValues } from '../values/compare.ts';
import { criterionKey } from '../values/criteria.ts';
import type { Criterion } from '../values/criteria.ts';
import { Range } from '../values/matrix.ts';
import type { Code, Evaluation } from './code.ts';
import { isLifted, plain } from './lift.ts';
import type { Site } from './site.ts';
import { equalRows } from './sparse-arrays.ts';

interface Comparison {
  column: Node;
  operator: BinaryOperator;
  scalar: Node;
}

interface Factors {
  comparisons: Comparison[];
  columns: Node[];
}

const MIRRORED: Partial<Record<BinaryOperator, BinaryOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

/** For shorter columns, plain arrays are as fast. */
const FEW_ROWS = 64;
/**
 * Maximum number of multiplied columns: a product of two numbers does not depend on their order, a longer one might by
 * rounding.
 */
const MAX_COLUMNS = 2;
const SMALLEST = 2.2250738585072014e-308;

/** Returns code that yields null if the arrays must be calculated; null if the formula has another form. */
export function sumProductCode(node: CallNode, site: Site): ((c: Evaluation) => number | null) | null {
  const factors: Factors = { comparisons: [], columns: [] };
  if (!node.args.every((arg) => collectArgument(arg, factors))) return null;
  if (factors.comparisons.length === 0 || factors.columns.length > MAX_COLUMNS) return null;
  const code = (of: Node): Code => site.compile(of, 'any', 'forced', site);
  const equality = factors.comparisons.find(({ operator }) => operator === '=');
  const others = factors.comparisons.filter((own) => own !== equality);
  const comparisons = (equality ? [equality, ...others] : others).map(({ column, operator, scalar }) => ({
    column: code(column),
    operator,
    scalar: code(scalar),
  }));
  const columns = factors.columns.map(code);
  return (c) => {
    const conditions: Condition[] = [];
    for (const { column, operator, scalar } of comparisons) {
      const condition = conditionOf(column(c), operator, scalar(c), c);
      if (!condition) return null;
      conditions.push(condition);
    }
    const numbers: ShiftedColumn[] = [];
    const { rows } = conditions[0]!.range;
    for (const column of columns) {
      const range = column(c);
      if (!(range instanceof Range) || range.rows !== rows || !isNumeric(range, c)) return null;
      numbers.push(numberColumn(range, c));
    }
    return conditions.every(({ range }) => range.rows === rows) ? sumOf(conditions, numbers, c) : null;
  };
}

/** Booleans count only if they are factors or follow two minus signs. */
function collectArgument(arg: Node, factors: Factors): boolean {
  return MIRRORED[arg.type === 'binary' ? arg.operator : '*'] === undefined && collect(arg, factors);
}

function collect(node: Node, factors: Factors): boolean {
  if (isColumn(node)) return factors.columns.push(node) > 0;
  if (node.type === 'number') return node.value === 1;
  if (node.type === 'unary') {
    const inner = node.operand;
    return node.operator === '-' && inner.type === 'unary' && inner.operator === '-' && collect(inner.operand, factors);
  }
  if (node.type !== 'binary') return false;
  const { operator, left, right } = node;
  if (operator === '*') return collect(left, factors) && collect(right, factors);
  const mirrored = MIRRORED[operator];
  if (mirrored === undefined) return false;
  if (isColumn(left)) return factors.comparisons.push({ column: left, operator, scalar: right }) > 0;
  return isColumn(right) && factors.comparisons.push({ column: right, operator: mirrored, scalar: left }) > 0;
}

const isColumn = (node: Node): boolean =>
  (node.type === 'reference' && node.shape === 'range') ||
  (node.type === 'structured' && !node.items.includes('#This Row'));

interface Condition {
  range: Range;
  operator: BinaryOperator;
  wanted: CellValue;
  test: (value: CellValue) => boolean;
}

function conditionOf(
  range: ReturnType<Code>,
  operator: BinaryOperator,
  scalar: ReturnType<Code>,
  c: Evaluation,
): Condition | null {
  if (!(range instanceof Range) || range.cols !== 1 || range.rows < FEW_ROWS) return null;
  const value = scalar instanceof Range && scalar.rows * scalar.cols === 1 ? scalar.at(0, 0) : scalar;
  if (isLifted(value)) return null;
  const wanted = plain(value);
  if (wanted === null || wanted instanceof CellError) return null;
  if (c.totals.tally(range.sheet, range.block)?.errors !== 0) return null;
  return { range, operator, wanted, test: testOf(operator, wanted) };
}

/**
 * Returns the comparison as a condition of SUMIFS, which treats blanks, texts and numbers in texts differently; null if
 * such values could occur.
 */
function criterionOf({ range, operator, wanted, test }: Condition, c: Evaluation): SumCondition | null {
  if (operator === '<>' || wanted === null || wanted instanceof CellError) return null;
  const criterion = { operator: operator as Criterion['operator'], operand: wanted, matchesBlank: false, test };
  if (operator === '=') {
    if (wanted === 0 || wanted === '' || wanted === false) return null;
    const key = criterionKey(wanted)!;
    const { byKey, distinct } = criteriaIndex(range, c);
    const isOne = (byKey.get(key) ?? []).every((code) => typeof distinct[code] === typeof wanted);
    return isOne ? { range, criterion: { ...criterion, key } } : null;
  }
  if (typeof wanted !== 'number' || c.totals.tally(range.sheet, range.block)?.numbers !== range.rows) return null;
  return { range, criterion: { ...criterion, key: null } };
}

/** Sums by index if there are comparisons with numbers and many formulas of this kind. */
function comparedSum(
  conditions: readonly Condition[],
  columns: readonly ShiftedColumn[],
  c: Evaluation,
): number | null {
  if (!conditions.some(({ operator, wanted }) => operator !== '=' && typeof wanted === 'number')) return null;
  if (!conditions.every(({ range }) => isAskedAgain(range, c))) return null;
  const criteria: SumCondition[] = [];
  for (const condition of conditions) {
    const criterion = criterionOf(condition, c);
    if (!criterion) return null;
    criteria.push(criterion);
  }
  const matches = comparedCells(criteria, c);
  if (!matches) return null;
  if (columns.length === 0) return countOf(matches, c);
  if (matches.kind === 'none') return 0;
  if (matches.kind === 'group') return null;
  const [first] = columns;
  const known = columns.length === 1 && first!.shift === 0 ? totalsOf(matches, first!.column, c) : null;
  return known ? known.sum : addedUp(positionsOf(matches, c), columns, c);
}

function totalsOf(matches: Matches, column: NumberColumn, c: Evaluation): SpanTotals | null {
  if (matches.kind === 'span') return totalsOfSpan(matches.span, column, c);
  return matches.kind === 'crossed' ? totalsOfCrossed(matches.crossed, column, c) : null;
}

function testOf(operator: BinaryOperator, wanted: CellValue): (value: CellValue) => boolean {
  const order = (value: CellValue): number => compareValues(value, wanted);
  switch (operator) {
    case '=':
      if (typeof wanted === 'string') {
        return (value) => (typeof value === 'string' ? areEqualTexts(value, wanted) : order(value) === 0);
      }
      return (value) => order(value) === 0;
    case '<>':
      return (value) => order(value) !== 0;
    case '<':
      return (value) => order(value) < 0;
    case '>':
      return (value) => order(value) > 0;
    case '<=':
      return (value) => order(value) <= 0;
    default:
      return (value) => order(value) >= 0;
  }
}

/** Returns true if there are only numbers and blanks. */
function isNumeric(range: Range, c: Evaluation): boolean {
  if (range.cols !== 1) return false;
  const tally = c.totals.tally(range.sheet, range.block);
  return tally !== null && tally.filled === tally.numbers;
}

function sumOf(conditions: readonly Condition[], columns: readonly ShiftedColumn[], c: Evaluation): number | null {
  const compared = comparedSum(conditions, columns, c);
  if (compared !== null) return Number.isFinite(compared) ? compared : null;
  const [first, ...others] = conditions;
  if (first!.operator !== '=') return null;
  const positions = equalRows(first!.range, first!.wanted, c);
  if (!positions) return null;
  c.spend(positions.length * conditions.length);
  const holds = (at: number): boolean => others.every(({ range, test }) => test(range.at(at, 0)));
  return addedUp(others.length === 0 ? positions : positions.filter(holds), columns, c);
}

/** Adds in order; rows that do not count would add 0. */
function addedUp(positions: Int32Array, columns: readonly ShiftedColumn[], c: Evaluation): number | null {
  c.spend(positions.length);
  let sum = 0;
  for (let index = 0; index < positions.length; index += 1) {
    const at = positions[index]!;
    let product = 1;
    for (const { column, shift } of columns)
      product *= column.kinds[at + shift] === 1 ? column.numbers[at + shift]! : 0;
    if (product !== 0 && !(Math.abs(product) >= SMALLEST && Math.abs(product) < Infinity)) return null;
    sum += product;
  }
  return Number.isFinite(sum) ? sum : null;
}
