/** Excel's operators on values, with a fast path for the most frequent case (two numbers). */
import type { BinaryOperator } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { DIV0_ERROR, NUM_ERROR, toNumber, toText, VALUE_ERROR } from '../values/coerce.ts';
import { areEqualTexts, compareNumbers, compareValues } from '../values/compare.ts';
import { raised } from '../values/powers.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Code, Evaluation } from './code.ts';
import { liftBinary, liftUnary } from './lift.ts';
import { sparseBinary, sparseEqual, sparseUnary } from './sparse-arrays.ts';

type Operation = (x: CellValue, y: CellValue) => CellValue;

/** Maximum length of a cell's text. */
const MAX_TEXT = 32_767;
const SMALLEST = 2.2250738585072014e-308;

/** Converts infinities to #NUM!, and -0 and numbers too small to be normal to 0. */
function finish(value: number): number | CellError {
  if (value >= SMALLEST || value <= -SMALLEST) return value - value === 0 ? value : NUM_ERROR;
  return value === value ? 0 : NUM_ERROR;
}

function arithmetic(calculate: (x: number, y: number) => number | CellError): Operation {
  return (left, right) => {
    const x = toNumber(left);
    if (typeof x !== 'number') return x;
    const y = toNumber(right);
    return typeof y === 'number' ? calculate(x, y) : y;
  };
}

const sum = (x: number, y: number): number | CellError => finish(x + y);
const difference = (x: number, y: number): number | CellError => finish(x - y);
const product = (x: number, y: number): number | CellError => finish(x * y);
const quotient = (x: number, y: number): number | CellError => (y === 0 ? DIV0_ERROR : finish(x / y));

function power(x: number, y: number): number | CellError {
  if (x === 0 && y <= 0) return y === 0 ? NUM_ERROR : DIV0_ERROR;
  return finish(raised(x, y));
}

/**
 * Excel sets the result of a formula's last addition or subtraction to 0 if it is only a rounding error: =0.5-0.4-0.1
 * is 0, but =(0.5-0.4-0.1) is not. Only the powers of two count: the result's must be at least 50 below that of the
 * larger operand. Sources: Microsoft, 'Floating-point arithmetic may give inaccurate results in Excel', and differences
 * saved by Excel.
 */
function snapped(result: number | CellError, x: number, y: number): number | CellError {
  if (typeof result !== 'number' || result === 0) return result;
  const largest = Math.max(Math.abs(x), Math.abs(y));
  const left = Math.abs(result);
  // Fast path: nearly all differences are far larger than that.
  if (left >= largest * 2 ** -49) return result;
  return powerOfTwo(largest) - powerOfTwo(left) >= 50 ? 0 : result;
}

const DOUBLE = new Float64Array(1);
const WORDS = new Uint32Array(DOUBLE.buffer);
/** Index of the word with sign and exponent, for either byte order. */
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Returns the stored exponent of a positive normal number. */
function powerOfTwo(value: number): number {
  DOUBLE[0] = value;
  return WORDS[HIGH_WORD]! >>> 20;
}
const lastSum = (x: number, y: number): number | CellError => snapped(finish(x + y), x, y);
const lastDifference = (x: number, y: number): number | CellError => snapped(finish(x - y), x, y);

function comparison(accepts: (order: number) => boolean): Operation {
  return (left, right) => {
    if (left instanceof CellError) return left;
    return right instanceof CellError ? right : accepts(compareValues(left, right));
  };
}

function joinTexts(left: CellValue, right: CellValue): CellValue {
  const x = toText(left);
  if (typeof x !== 'string') return x;
  const y = toText(right);
  if (typeof y !== 'string') return y;
  return x.length + y.length > MAX_TEXT ? VALUE_ERROR : x + y;
}

/** Returns the operation '=' if `wanted`, otherwise '<>'. */
function equality(wanted: boolean): Operation {
  return (left, right) => {
    if (typeof left === 'string' && typeof right === 'string') return areEqualTexts(left, right) === wanted;
    if (left instanceof CellError) return left;
    return right instanceof CellError ? right : (compareValues(left, right) === 0) === wanted;
  };
}

/** Created once each, so that operations can be compared by identity. */
const SUM = arithmetic(sum);
const PRODUCT = arithmetic(product);
const QUOTIENT = arithmetic(quotient);
const ABSORBING = { product: PRODUCT, quotient: QUOTIENT };

/** Returns true if the value is neither an array, nor an error, nor omitted. */
const isSimple = (value: FormulaValue): value is number | string | boolean =>
  typeof value !== 'object' && value !== undefined;

/** Calculates over arrays. For sparse arrays, in which most elements are equal, calculates only the other elements. */
function lifted(x: FormulaValue, y: FormulaValue, operation: Operation, c: Evaluation): FormulaValue {
  if (isSimple(x) && isSimple(y)) return operation(x, y);
  return sparseBinary(x, y, operation, ABSORBING, c) ?? liftBinary(x, y, operation, c);
}

const isEqual = equality(true);
const isUnequal = equality(false);
const isLess = comparison((order) => order < 0);
const isLessOrEqual = comparison((order) => order <= 0);
const isGreater = comparison((order) => order > 0);
const isGreaterOrEqual = comparison((order) => order >= 0);

/**
 * Compiles a calculation: `calculate` handles two numbers, everything else goes through Excel's coercions and over
 * arrays.
 */
function arithmeticCode(
  left: Code,
  right: Code,
  calculate: (x: number, y: number) => number | CellError,
  operation = arithmetic(calculate),
): Code {
  return (c) => {
    const x = left(c);
    const y = right(c);
    if (typeof x === 'number' && typeof y === 'number') return calculate(x, y);
    return lifted(x, y, operation, c);
  };
}

function sumCode(left: Code, right: Code): Code {
  return (c) => {
    const x = left(c);
    const y = right(c);
    return typeof x === 'number' && typeof y === 'number' ? finish(x + y) : lifted(x, y, SUM, c);
  };
}

function productCode(left: Code, right: Code): Code {
  return (c) => {
    const x = left(c);
    const y = right(c);
    return typeof x === 'number' && typeof y === 'number' ? finish(x * y) : lifted(x, y, PRODUCT, c);
  };
}

function comparisonCode(left: Code, right: Code, operation: Operation, accepts: (order: number) => boolean): Code {
  return (c) => {
    const x = left(c);
    const y = right(c);
    if (typeof x === 'number' && typeof y === 'number') return accepts(compareNumbers(x, y));
    if (isSimple(x) && isSimple(y)) return operation(x, y);
    const isEquality = operation === isEqual || operation === isUnequal;
    return (isEquality ? sparseEqual(x, y, operation === isEqual, c) : null) ?? lifted(x, y, operation, c);
  };
}

/** `isLast` is true for the last operation of a formula. */
export function binaryCode(operator: BinaryOperator, left: Code, right: Code, isLast: boolean): Code {
  switch (operator) {
    case '+':
      return isLast ? arithmeticCode(left, right, lastSum) : sumCode(left, right);
    case '-':
      return arithmeticCode(left, right, isLast ? lastDifference : difference);
    case '*':
      return productCode(left, right);
    case '/':
      return arithmeticCode(left, right, quotient, QUOTIENT);
    case '^':
      return arithmeticCode(left, right, power);
    case '&':
      return (c) => liftBinary(left(c), right(c), joinTexts, c);
    case '=':
      return comparisonCode(left, right, isEqual, (order) => order === 0);
    case '<>':
      return comparisonCode(left, right, isUnequal, (order) => order !== 0);
    case '<':
      return comparisonCode(left, right, isLess, (order) => order < 0);
    case '<=':
      return comparisonCode(left, right, isLessOrEqual, (order) => order <= 0);
    case '>':
      return comparisonCode(left, right, isGreater, (order) => order > 0);
    case '>=':
      return comparisonCode(left, right, isGreaterOrEqual, (order) => order >= 0);
    default:
      throw new Error(`${operator} joins references`);
  }
}

function negative(value: CellValue): CellValue {
  const x = toNumber(value);
  return typeof x === 'number' ? finish(-x) : x;
}

function percent(value: CellValue): CellValue {
  const x = toNumber(value);
  return typeof x === 'number' ? finish(x / 100) : x;
}

export function negativeCode(operand: Code): Code {
  return (c) => {
    const x = operand(c);
    return typeof x === 'number' ? finish(-x) : (sparseUnary(x, negative) ?? liftUnary(x, negative, c));
  };
}

export function percentCode(operand: Code): Code {
  return (c) => {
    const x = operand(c);
    return typeof x === 'number' ? finish(x / 100) : liftUnary(x, percent, c);
  };
}
