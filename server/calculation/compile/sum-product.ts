/**
 * SUMPRODUCT((A$2:A$99=A2)*(B$2:B$99>5)*C$2:C$99), filled down: the rows that meet its first '=' are found through an index instead
 * of comparing all of them for each formula. Whatever could make a difference (blanks, texts to be multiplied, errors) is left to
 * the calculation over whole arrays.
 */
import { numberColumn, type ShiftedColumn } from '../functions/sums/matching-cells.ts';
import type { BinaryOperator, CallNode, Node } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { areEqualTexts, compareValues } from '../values/compare.ts';
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

/** Shorter columns are as fast by arrays. */
const FEW_ROWS = 64;
/** Two numbers have the same product either way. */
const MOST_COLUMNS = 2;
const SMALLEST = 2.2250738585072014e-308;

/** Its code, which gives null where arrays have to be calculated; null where the formula is of another form. */
export function sumProductCode(node: CallNode, site: Site): ((c: Evaluation) => number | null) | null {
  const factors: Factors = { comparisons: [], columns: [] };
  if (!node.args.every((arg) => collectArgument(arg, factors))) return null;
  const first = factors.comparisons.findIndex(({ operator }) => operator === '=');
  if (first < 0 || factors.columns.length > MOST_COLUMNS) return null;
  const code = (of: Node): Code => site.compile(of, 'any', 'forced', site);
  const [equality] = factors.comparisons.splice(first, 1);
  const comparisons = [equality!, ...factors.comparisons].map(({ column, operator, scalar }) => ({
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

/** Truth values count only where something is done to them: as factors, or behind two signs. */
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
  return { range, wanted, test: testOf(operator, wanted) };
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

/** Nothing but numbers and blanks. */
function isNumeric(range: Range, c: Evaluation): boolean {
  if (range.cols !== 1) return false;
  const tally = c.totals.tally(range.sheet, range.block);
  return tally !== null && tally.filled === tally.numbers;
}

/** Added in order; rows that do not count would add 0. */
function sumOf(conditions: readonly Condition[], columns: readonly ShiftedColumn[], c: Evaluation): number | null {
  const [first, ...others] = conditions;
  const places = equalRows(first!.range, first!.wanted, c);
  if (!places) return null;
  c.spend(places.length * conditions.length);
  let sum = 0;
  for (let index = 0; index < places.length; index += 1) {
    const at = places[index]!;
    if (!others.every(({ range, test }) => test(range.at(at, 0)))) continue;
    let product = 1;
    for (const { column, shift } of columns)
      product *= column.kinds[at + shift] === 1 ? column.numbers[at + shift]! : 0;
    if (product !== 0 && !(Math.abs(product) >= SMALLEST && Math.abs(product) < Infinity)) return null;
    sum += product;
  }
  return Number.isFinite(sum) ? sum : null;
}
