/**
 * Speeds up LOOKUP(2,1/(A$2:A$99=A2),B$2:B$99), FILTER(B$2:B$99,A$2:A$99=A2) and similar formulas that were filled
 * down. Of A$2:A$99=A2, only the matching rows are examined, which come from an index. All other elements are equal to
 * each other, and remain so in calculations with them.
 */
import { growingRows } from '../functions/sums/growing-criteria.ts';
import { criteriaIndex, isAskedAgain } from '../functions/sums/criteria-index.ts';
import type { CallContext } from '../functions/function.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { toBoolean } from '../values/coerce.ts';
import { criterionKey } from '../values/criteria.ts';
import { ArrayMatrix, Range } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Evaluation } from './code.ts';
import { isLifted, plain } from './lift.ts';
import { MANY_POSITIONS, cachedSparseResult } from './sparse-result-cache.ts';

type Operation = (x: CellValue, y: CellValue) => CellValue;

/** For shorter columns, plain arrays are as fast. */
const FEW_ROWS = 64;
/** If more than one in this many rows matches, a plain array is as fast. */
const DENSE = 4;
/** Maximum number of elements in the arrays cached per range. */
const MAX_CELLS = 2_000_000;

/**
 * Returns the rows (0-based) of a column without errors whose values equal `wanted` by '='; null if no index can tell.
 */
export function equalRows(range: Range, wanted: CellValue, c: CallContext): Int32Array | null {
  // Blanks equal these values too.
  if (wanted === null || wanted === 0 || wanted === '' || wanted === false || wanted instanceof CellError) return null;
  const key = criterionKey(wanted)!;
  const grown = growingRows(range, key, c);
  if (grown) {
    const [row] = grown;
    // Texts that read as a number are indexed under that number.
    return row === undefined || typeof range.at(row, 0) === typeof wanted ? grown : null;
  }
  if (!isAskedAgain(range, c)) return null;
  const { byKey, distinct, starts, positions } = criteriaIndex(range, c);
  const codes = (byKey.get(key) ?? []).filter((code) => typeof distinct[code] === typeof wanted);
  if (codes.length > 1) return null;
  const [code] = codes;
  return code === undefined ? new Int32Array(0) : positions.subarray(starts[code]!, starts[code + 1]!);
}

/**
 * Returns the rows (0-based) of a column without errors that are blank or hold an empty text; null if no index can
 * tell.
 */
function emptyRows(range: Range, c: CallContext): Int32Array | null {
  // Rows after the last one in use are blank, but in no index.
  if (range.used().rows !== range.rows) return null;
  const blanks = growingRows(range, null, c);
  const texts = blanks && growingRows(range, EMPTY_KEY, c);
  if (blanks && texts) return inOrder(blanks, texts);
  if (!isAskedAgain(range, c)) return null;
  const { byKey, starts, positions } = criteriaIndex(range, c);
  const [code] = byKey.get(EMPTY_KEY) ?? [];
  const own = positions.subarray(starts[0]!, starts[1]!);
  return code === undefined ? own : inOrder(own, positions.subarray(starts[code]!, starts[code + 1]!));
}

const EMPTY_KEY = criterionKey('')!;

function inOrder(one: Int32Array, other: Int32Array): Int32Array {
  if (other.length === 0) return one;
  const both = new Int32Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both.sort();
}

/**
 * Compares a column with one value by = (`isEqual`) or <>, in either order; null if the operands are different or must
 * be compared one by one.
 */
export function sparseEqual(
  left: FormulaValue,
  right: FormulaValue,
  isEqual: boolean,
  c: Evaluation,
): ArrayMatrix | null {
  const [range, other] = left instanceof Range && left.rows > 1 ? [left, right] : [right, left];
  if (!(range instanceof Range) || range.cols !== 1 || range.rows < FEW_ROWS) return null;
  const value = other instanceof Range && other.rows * other.cols === 1 ? other.at(0, 0) : other;
  if (isLifted(value) || c.totals.tally(range.sheet, range.block)?.errors !== 0) return null;
  const wanted = plain(value);
  const positions = wanted === '' ? emptyRows(range, c) : equalRows(range, wanted, c);
  if (!positions || positions.length * DENSE > range.rows) return null;
  const make = (): ArrayMatrix => truthArray(range.rows, positions, isEqual);
  if (positions.length < MANY_POSITIONS || typeof wanted === 'object') return make();
  const arrays = c.cached(range, 'equal arrays', () => new Map<string, ArrayMatrix>());
  const key = `${isEqual} ${typeof wanted} ${wanted}`;
  const known = arrays.get(key);
  if (known) return known;
  // Callers may expand all elements of these arrays.
  if (arrays.size * range.rows > MAX_CELLS) arrays.clear();
  const array = make();
  arrays.set(key, array);
  return array;
}

function truthArray(rows: number, positions: Int32Array, isEqual: boolean): ArrayMatrix {
  const values: CellValue[] = [];
  for (let at = 0; at < positions.length; at += 1) values.push(isEqual);
  return ArrayMatrix.ofSparse(rows, 1, { rest: !isEqual, positions, values });
}

const isNothing = (value: CellValue): boolean => value === false || value === 0;

/** Operations that, applied to the rest of a sparse array, yield the same element for every number. */
export interface Absorbing {
  product: Operation;
  quotient: Operation;
}

/** Applies an operation to one or two sparse arrays; null if the result is not sparse. */
export function sparseBinary(
  left: FormulaValue,
  right: FormulaValue,
  operation: Operation,
  { product, quotient }: Absorbing,
  c: Evaluation,
): ArrayMatrix | null {
  const a = left instanceof ArrayMatrix && left.sparse ? left : null;
  const b = right instanceof ArrayMatrix && right.sparse ? right : null;
  if (a && b) return bothSparse(a, b, operation, product, c);
  const own = a ?? b;
  if (!own) return null;
  const { positions, rest, values } = own.sparse!;
  const calculate = (value: CellValue, element: CellValue): CellValue =>
    a ? operation(value, element) : operation(element, value);
  const other = a ? right : left;
  c.spend(positions.length);
  if (!isLifted(other)) {
    const scalar = plain(other);
    return sparseLike(own, calculate(rest, scalar), positions, (at) => calculate(values[at]!, scalar));
  }
  if (!(other instanceof Range || other instanceof ArrayMatrix)) return null;
  if (other.cols !== 1 || other.rows !== own.rows || own.cols !== 1 || !isNothing(rest)) return null;
  if (operation !== product && (operation !== quotient || a)) return null;
  if (!isNumeric(other, c)) return null;
  return cachedSparseResult(own, operation, [other], c, () =>
    sparseLike(own, calculate(rest, 1), positions, (at) => calculate(values[at]!, other.at(positions[at]!, 0))),
  );
}

function sparseLike(
  { rows, cols }: ArrayMatrix,
  rest: CellValue,
  positions: Int32Array,
  valueAt: (at: number) => CellValue,
): ArrayMatrix {
  const values: CellValue[] = [];
  for (let at = 0; at < positions.length; at += 1) values.push(valueAt(at));
  return ArrayMatrix.ofSparse(rows, cols, { rest, positions, values });
}

function bothSparse(
  a: ArrayMatrix,
  b: ArrayMatrix,
  operation: Operation,
  product: Operation,
  c: Evaluation,
): ArrayMatrix | null {
  if (a.rows !== b.rows || a.cols !== b.cols) return null;
  const [first, second] = [a.sparse!, b.sparse!];
  c.spend(first.positions.length + second.positions.length);
  // A value that is not a number would yield an error instead of 0.
  const isZero = operation === product && isNothing(first.rest) && isNothing(second.rest);
  const isCommon = isZero && isPlainNumbers(first.values) && isPlainNumbers(second.values);
  if (isCommon) return commonPositions(a, b, operation);
  const positions: number[] = [];
  const values: CellValue[] = [];
  for (let x = 0, y = 0; x < first.positions.length || y < second.positions.length;) {
    const left = first.positions[x] ?? Infinity;
    const right = second.positions[y] ?? Infinity;
    const own = left <= right ? first.values[x]! : first.rest;
    const other = right <= left ? second.values[y]! : second.rest;
    positions.push(Math.min(left, right));
    values.push(operation(own, other));
    if (left <= right) x += 1;
    if (right <= left) y += 1;
  }
  const rest = operation(first.rest, second.rest);
  return ArrayMatrix.ofSparse(a.rows, a.cols, { rest, positions: Int32Array.from(positions), values });
}

/**
 * Applies the operation where both arrays have an element. Looks up the indexes of the array with fewer elements in the
 * other.
 */
function commonPositions(a: ArrayMatrix, b: ArrayMatrix, operation: Operation): ArrayMatrix {
  const [first, second] = [a.sparse!, b.sparse!];
  const isFewer = first.positions.length <= second.positions.length;
  const [few, many] = isFewer ? [first, second] : [second, first];
  const positions: number[] = [];
  const values: CellValue[] = [];
  let from = 0;
  for (let at = 0; at < few.positions.length; at += 1) {
    const position = few.positions[at]!;
    from = firstFrom(many.positions, position, from);
    if (many.positions[from] !== position) continue;
    const [own, other] = [few.values[at]!, many.values[from]!];
    positions.push(position);
    values.push(isFewer ? operation(own, other) : operation(other, own));
  }
  const rest = operation(first.rest, second.rest);
  return ArrayMatrix.ofSparse(a.rows, a.cols, { rest, positions: Int32Array.from(positions), values });
}

/**
 * Returns the first index from `start` on whose position is not less than `position`. The steps double, because it is often
 * close.
 */
function firstFrom(positions: Int32Array, position: number, start: number): number {
  let step = 1;
  let low = start;
  while (low + step < positions.length && positions[low + step]! < position) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, positions.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (positions[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

const plainValues = new WeakMap<readonly CellValue[], boolean>();

function isPlainNumbers(values: readonly CellValue[]): boolean {
  if (values.length < MANY_POSITIONS) return values.every(isPlainNumber);
  let known = plainValues.get(values);
  if (known === undefined) plainValues.set(values, (known = values.every(isPlainNumber)));
  return known;
}

const isPlainNumber = (value: CellValue): boolean => typeof value === 'number' || value === true || value === false;

const numericArrays = new WeakMap<ArrayMatrix, boolean>();

/** Returns true if there are only numbers and blanks. */
function isNumeric(matrix: Range | ArrayMatrix, c: Evaluation): boolean {
  if (matrix instanceof Range) {
    const tally = c.totals.tally(matrix.sheet, matrix.block);
    return tally !== null && tally.filled === tally.numbers;
  }
  let isKnown = numericArrays.get(matrix);
  if (isKnown === undefined) {
    c.spend(matrix.rows * matrix.cols);
    isKnown = matrix.cells.every((value) => typeof value === 'number');
    numericArrays.set(matrix, isKnown);
  }
  return isKnown;
}

export function sparseUnary(value: FormulaValue, operation: (x: CellValue) => CellValue): ArrayMatrix | null {
  if (!(value instanceof ArrayMatrix) || !value.sparse) return null;
  const { positions, rest, values } = value.sparse;
  return sparseLike(value, operation(rest), positions, (at) => operation(values[at]!));
}

/** Applies IF to a sparse array: the rest must yield a single value. */
export function sparseChoice(
  test: FormulaValue,
  yes: FormulaValue,
  no: FormulaValue,
  c: Evaluation,
): ArrayMatrix | null {
  if (!(test instanceof ArrayMatrix) || !test.sparse) return null;
  return cachedSparseResult(test, sparseChoice, [yes, no], c, () => choice(test, yes, no));
}

function choice(test: ArrayMatrix, yes: FormulaValue, no: FormulaValue): ArrayMatrix | null {
  const { positions, rest, values } = test.sparse!;
  const truth = toBoolean(rest);
  const instead = truth instanceof CellError ? truth : truth ? yes : no;
  if (isLifted(instead) || !isBeside(yes, test) || !isBeside(no, test)) return null;
  return sparseLike(test, plain(instead) ?? 0, positions, (at) => {
    const holds = toBoolean(values[at]!);
    return holds instanceof CellError ? holds : (elementOf(holds ? yes : no, positions[at]!) ?? 0);
  });
}

/** Returns true for a single value, or a column with an element for each row. */
const isBeside = (value: FormulaValue, { rows, cols }: ArrayMatrix): boolean =>
  !isLifted(value) ||
  ((value instanceof Range || value instanceof ArrayMatrix) && cols === 1 && value.cols === 1 && value.rows === rows);

const elementOf = (value: FormulaValue, row: number): CellValue =>
  value instanceof Range || value instanceof ArrayMatrix ? value.at(row, 0) : plain(value);
