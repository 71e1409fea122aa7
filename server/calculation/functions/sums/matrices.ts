/** Products, inverses and determinants of matrices, and functions that generate matrices. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, ArrayMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { createCells, wholeOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';

interface Numbers {
  rows: number;
  cols: number;
  values: Float64Array;
}

/** All elements must be numbers. */
function numbersOf(arg: FormulaValue, context: CallContext): Numbers | CellError {
  if (arg instanceof CellError) return arg;
  const matrix = asMatrix(arg);
  if (!matrix) return VALUE_ERROR;
  const { rows, cols } = matrix;
  context.spend(rows * cols);
  const values = new Float64Array(Math.min(rows * cols, 1 << 24));
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const value = matrix.at(row, col);
      if (value instanceof CellError) return value;
      if (typeof value !== 'number') return VALUE_ERROR;
      values[row * cols + col] = value;
    }
  }
  return { rows, cols, values };
}

function square(arg: FormulaValue, context: CallContext): Numbers | CellError {
  const numbers = numbersOf(arg, context);
  return numbers instanceof CellError || numbers.rows === numbers.cols ? numbers : VALUE_ERROR;
}

function answer(rows: number, cols: number, values: ArrayLike<number>): FormulaValue {
  const cells = Array.from(values, checkNumber);
  if (cells.some((cell) => cell instanceof CellError)) return NUM_ERROR;
  return rows * cols === 1 ? cells[0]! : new ArrayMatrix(rows, cols, cells);
}

function multiply([first, second]: FormulaValue[], context: CallContext): FormulaValue {
  const left = numbersOf(first, context);
  if (left instanceof CellError) return left;
  const right = numbersOf(second, context);
  if (right instanceof CellError) return right;
  if (left.cols !== right.rows) return VALUE_ERROR;
  context.spend(left.rows * left.cols * right.cols);
  const values = new Float64Array(createCells(left.rows, right.cols, context).length);
  for (let row = 0; row < left.rows; row += 1) {
    for (let col = 0; col < right.cols; col += 1) {
      let total = 0;
      for (let k = 0; k < left.cols; k += 1)
        total += left.values[row * left.cols + k]! * right.values[k * right.cols + col]!;
      values[row * right.cols + col] = total;
    }
  }
  return answer(left.rows, right.cols, values);
}

/**
 * Makes `a` triangular by elimination with partial pivoting and applies the same steps to the columns of `b`. Returns
 * the determinant; 0 if there is no usable pivot.
 */
function eliminate({ rows: n, values: a }: Numbers, b: Float64Array | null): number {
  let determinant = 1;
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    for (let row = k + 1; row < n; row += 1) if (Math.abs(a[row * n + k]!) > Math.abs(a[pivot * n + k]!)) pivot = row;
    if (a[pivot * n + k] === 0) return 0;
    if (pivot !== k) {
      swapRows(a, n, k, pivot);
      if (b) swapRows(b, n, k, pivot);
      determinant = -determinant;
    }
    const divisor = a[k * n + k]!;
    determinant *= divisor;
    for (let row = k + 1; row < n; row += 1) {
      const factor = a[row * n + k]! / divisor;
      if (factor === 0) continue;
      for (let col = k; col < n; col += 1) a[row * n + col]! -= factor * a[k * n + col]!;
      if (b) for (let col = 0; col < n; col += 1) b[row * n + col]! -= factor * b[k * n + col]!;
    }
  }
  return determinant;
}

function swapRows(values: Float64Array, n: number, first: number, second: number): void {
  for (let col = 0; col < n; col += 1) {
    const swapped = values[first * n + col]!;
    values[first * n + col] = values[second * n + col]!;
    values[second * n + col] = swapped;
  }
}

function inverse([arg]: FormulaValue[], context: CallContext): FormulaValue {
  const matrix = square(arg, context);
  if (matrix instanceof CellError) return matrix;
  const { rows: n, values: a } = matrix;
  context.spend(n * n * n);
  const result = new Float64Array(n * n);
  for (let index = 0; index < n; index += 1) result[index * n + index] = 1;
  if (eliminate(matrix, result) === 0) return NUM_ERROR;
  for (let k = n - 1; k >= 0; k -= 1) {
    const divisor = a[k * n + k]!;
    for (let col = 0; col < n; col += 1) {
      let value = result[k * n + col]!;
      for (let row = k + 1; row < n; row += 1) value -= a[k * n + row]! * result[row * n + col]!;
      result[k * n + col] = value / divisor;
    }
  }
  return answer(n, n, result);
}

function determinant([arg]: FormulaValue[], context: CallContext): FormulaValue {
  const matrix = square(arg, context);
  if (matrix instanceof CellError) return matrix;
  context.spend(matrix.rows ** 3);
  return checkNumber(eliminate(matrix, null));
}

function unitMatrix([size]: FormulaValue[], context: CallContext): FormulaValue {
  const n = wholeOf(size, 0);
  if (n instanceof CellError) return n;
  if (n < 1) return VALUE_ERROR;
  const cells = createCells(n, n, context).fill(0);
  for (let index = 0; index < n; index += 1) cells[index * n + index] = 1;
  return new ArrayMatrix(n, n, cells);
}

function transpose([arg]: FormulaValue[], context: CallContext): FormulaValue {
  if (arg instanceof CellError) return arg;
  const matrix = asMatrix(arg);
  if (!matrix) return VALUE_ERROR;
  const { rows, cols } = matrix;
  const cells: CellValue[] = createCells(rows, cols, context);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) cells[col * rows + row] = matrix.at(row, col);
  }
  return new ArrayMatrix(cols, rows, cells);
}

export const matrixFunctions: FunctionDefinition[] = [
  defineFunction('MMULT', 'aa', multiply),
  defineFunction('MINVERSE', 'a', inverse),
  defineFunction('MDETERM', 'a', determinant),
  defineFunction('MUNIT', 'v', unitMatrix),
  defineFunction('TRANSPOSE', 'a', transpose),
];
