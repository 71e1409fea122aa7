/** Comparisons between outputs in Excel notation: SUM(Schedule[Interest]) = Total_Interest. */
import type { Node } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import type { CaseResult, PropertyCheck } from '#shared/contract/test-beds.ts';
import type { ActualOutput } from './compare-outputs.ts';

const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
type Comparison = (typeof COMPARISONS)[number];
const FUNCTIONS: Record<string, (numbers: readonly number[]) => number> = {
  SUM: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  COUNT: (numbers) => numbers.length,
  AVERAGE: (numbers) => FUNCTIONS['SUM']!(numbers) / numbers.length,
  // Does not spread the array: a column may have more values than a call takes arguments.
  MIN: (numbers) => numbers.reduce((min, number) => Math.min(min, number), Infinity),
  MAX: (numbers) => numbers.reduce((max, number) => Math.max(max, number), -Infinity),
  ABS: ([number = 0]) => Math.abs(number),
  ROUND: ([number = 0, digits = 0]) => round(number, digits),
};

/** Rounds half away from zero, as Excel does. */
function round(number: number, digits: number): number {
  const scale = 10 ** digits;
  return (Math.sign(number) * Math.round(Number((Math.abs(number) * scale).toPrecision(15)))) / scale;
}

/** Explains to the author why an expression cannot be evaluated. */
class ExpressionError extends Error {}

interface Check {
  operator: Comparison;
  left: Node;
  right: Node;
}

/** An output as a version declares it. */
export type DeclaredOutput = Pick<ActualOutput, 'Name' | 'columns'>;

/** Returns why the text is not a valid check of these outputs; null if it is. */
export function checkIssue(expression: string, outputs: readonly DeclaredOutput[]): string | null {
  try {
    const { left, right } = parseCheck(expression);
    for (const side of [left, right]) {
      evaluate(side, (name, column) => {
        findCells(outputs, name, column);
        return [1];
      });
    }
    return null;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

export function runCheck(
  { Name, Expression, Tolerance }: PropertyCheck,
  outputs: readonly ActualOutput[],
): CaseResult['Checks'][number] {
  try {
    const { operator, left, right } = parseCheck(Expression);
    const numbersOf = (name: string, column: string | null): number[] => outputNumbers(outputs, name, column);
    const [a, b] = [single(evaluate(left, numbersOf)), single(evaluate(right, numbersOf))];
    const Message = `${plain(a)} ${operator} ${plain(b)}`;
    return { Name, Holds: holds(operator, a, b, Tolerance), Message };
  } catch (error) {
    if (error instanceof ExpressionError) return { Name, Holds: false, Message: error.message };
    throw error;
  }
}

function parseCheck(expression: string): Check {
  const text = expression.trim().replace(/^=/, '');
  let node: Node;
  try {
    node = parseFormula(text, { row: 0, col: 0 });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ExpressionError(`The expression cannot be read: ${error.message}`);
  }
  if (node.type === 'binary') {
    const operator = COMPARISONS.find((one) => one === node.operator);
    if (operator) return { operator, left: node.left, right: node.right };
  }
  throw new ExpressionError('The expression must compare two sides, by =, <>, <, <=, > or >=');
}

type NumbersOf = (name: string, column: string | null) => number[];

function evaluate(node: Node, numbersOf: NumbersOf): number[] {
  switch (node.type) {
    case 'number':
      return [node.value];
    case 'name':
      return numbersOf(node.name, null);
    case 'structured':
      if (node.table !== null && node.first !== null && node.first === node.last)
        return numbersOf(node.table, node.first);
      break;
    case 'unary':
      if (node.operator !== '@') {
        const sign = node.operator === '-' ? -1 : 1;
        return [sign * single(evaluate(node.operand, numbersOf))];
      }
      break;
    case 'postfix':
      if (node.operator === '%') return [single(evaluate(node.operand, numbersOf)) / 100];
      break;
    case 'binary':
      return [calculate(node.operator, node.left, node.right, numbersOf)];
    case 'call': {
      const evaluateFunction = FUNCTIONS[node.name];
      if (evaluateFunction) return [evaluateFunction(node.args.flatMap((argument) => evaluate(argument, numbersOf)))];
      throw new ExpressionError(`${node.name} cannot be used here; ${Object.keys(FUNCTIONS).join(', ')} can`);
    }
    default:
  }
  throw new ExpressionError(
    'The expression may hold numbers, names of outputs, columns as Table[Column], + - * / ^, brackets and functions',
  );
}

function calculate(operator: string, left: Node, right: Node, numbersOf: NumbersOf): number {
  const [a, b] = [single(evaluate(left, numbersOf)), single(evaluate(right, numbersOf))];
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  if (operator === '/') return a / b;
  if (operator === '^') return a ** b;
  throw new ExpressionError(`${operator} cannot be used inside a side of the comparison`);
}

function single(numbers: readonly number[]): number {
  if (numbers.length === 1) return numbers[0]!;
  throw new ExpressionError('There are several values where one is needed: use SUM, MIN, MAX, COUNT or AVERAGE');
}

function holds(operator: Comparison, a: number, b: number, tolerance: number): boolean {
  // Compares like Excel: numbers that differ only in the 16th digit are equal.
  const isEqual = Math.abs(a - b) <= tolerance * (1 + 1e-9) + 1e-12 * Math.max(Math.abs(a), Math.abs(b));
  if (operator === '=') return isEqual;
  if (operator === '<>') return Number.isFinite(a - b) && !isEqual;
  if (operator === '<=') return isEqual || a < b;
  if (operator === '>=') return isEqual || a > b;
  return !isEqual && (operator === '<' ? a < b : a > b);
}

const nameOf = (text: string): string => text.trim().toLowerCase().replace(/^out_/, '').replaceAll('_', ' ');

/** Finds an output and its column; all columns if none is named. */
function findCells<T extends DeclaredOutput>(outputs: readonly T[], name: string, column: string | null) {
  const output = outputs.find((one) => nameOf(one.Name) === nameOf(name));
  if (!output) throw new ExpressionError(`There is no output ${name}`);
  const col = column === null ? null : output.columns.findIndex((title) => nameOf(title) === nameOf(column));
  if (col === -1) throw new ExpressionError(`The output ${output.Name} has no column ${column}`);
  return { output, col };
}

function outputNumbers(outputs: readonly ActualOutput[], name: string, column: string | null): number[] {
  const { output, col } = findCells(outputs, name, column);
  if (output.Value === null) throw new ExpressionError(`The output ${output.Name} has no value`);
  const value = JSON.parse(output.Value) as unknown;
  const rows = Array.isArray(value) ? (value as unknown[]).map((row) => (Array.isArray(row) ? row : [row])) : [[value]];
  const cells = rows.flatMap((row) => (col === null ? row : [row[col] as unknown]));
  const error = cells.find((cell) => typeof cell === 'object' && cell !== null && 'error' in cell);
  if (error !== undefined) throw new ExpressionError(`The output ${output.Name} holds an error`);
  // Like SUM, ignores texts, booleans and blanks of a range. A single value must be a number.
  const numbers = cells.filter((cell) => typeof cell === 'number');
  if (!Array.isArray(value) && numbers.length === 0)
    throw new ExpressionError(`The output ${output.Name} is not a number`);
  return numbers;
}

const plain = (value: number): string => String(Number(value.toPrecision(15)));
