/** Helpers of functions that create arrays: allocating elements, reading sizes, picking rows and columns. */
import { arrayTooLarge } from '#server/calculation/engine.ts';
import { MAX_ARRAY_CELLS } from '#server/calculation/kernels/limits.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, toBoolean, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import {
  Areas,
  ArrayMatrix,
  asMatrix,
  eachValue,
  HeldFunction,
  isMatrix,
  Lambda,
  Range,
  ReferenceArray,
  type FormulaValue,
} from '#server/calculation/values/matrix.ts';
import type { CallContext } from '../function.ts';

/** Creates blank elements for an array of this size. Throws CalculationError if it is too large. */
export function createCells(rows: number, cols: number, context: CallContext): CellValue[] {
  checkSize(rows, cols);
  const count = rows * cols;
  context.spend(count);
  const cells: CellValue[] = [];
  cells.length = count;
  return cells.fill(null);
}

/** Throws CalculationError if an array of this size would be too large. */
export function checkSize(rows: number, cols: number): void {
  if (rows * cols > MAX_ARRAY_CELLS) throw arrayTooLarge(rows, cols);
}

/** Reads an array argument into memory. An error given instead of an array is returned. */
export function arrayOf(arg: FormulaValue, context: CallContext): ArrayMatrix | CellError {
  if (arg instanceof ArrayMatrix) return arg;
  if (arg instanceof CellError) return arg;
  const matrix = asMatrix(arg);
  if (!matrix) return arg instanceof Lambda ? new ArrayMatrix(1, 1, [new HeldFunction(arg)]) : VALUE_ERROR;
  if (!(matrix instanceof Range)) return matrix;
  const { rows, cols } = matrix;
  const cells = createCells(rows, cols, context);
  eachValue(matrix, (value, row, col) => {
    cells[row * cols + col] = value;
  });
  return new ArrayMatrix(rows, cols, cells);
}

/** Returns the single value of an argument; the first value of a reference or array. */
export function singleOf(arg: FormulaValue): CellValue | undefined {
  if (isMatrix(arg)) return arg.at(0, 0);
  if (arg instanceof Areas || arg instanceof ReferenceArray || arg instanceof Lambda) return VALUE_ERROR;
  return arg;
}

/** Returns an argument as an integer, truncated; `fallback` if omitted. */
export function wholeOf(arg: FormulaValue, fallback: number): number | CellError {
  if (arg === undefined) return fallback;
  const number = toNumber(singleOf(arg));
  return typeof number === 'number' ? Math.trunc(number) : number;
}

/** Returns an argument as a Boolean; `fallback` if omitted. */
export function truthOf(arg: FormulaValue, fallback: boolean): boolean | CellError {
  return arg === undefined ? fallback : toBoolean(singleOf(arg));
}

/** Returns the number of rows or columns of a new array. 0 is #CALC!, because Excel has no empty arrays. */
export function sizeOf(arg: FormulaValue, fallback = 1): number | CellError {
  const size = wholeOf(arg, fallback);
  if (typeof size !== 'number') return size;
  if (size < 0) return VALUE_ERROR;
  return size === 0 ? CALC_ERROR : size;
}

/** Returns the array; #CALC! if it would be empty. */
export function arrayResult(rows: number, cols: number, cells: CellValue[]): FormulaValue {
  if (rows === 0 || cols === 0) return CALC_ERROR;
  return new ArrayMatrix(rows, cols, cells);
}

/** Returns the given rows (from 0) of an array, in the order given. */
export function pickRows(array: ArrayMatrix, rows: readonly number[], context: CallContext): FormulaValue {
  const { cols } = array;
  context.spend(rows.length * cols);
  const cells: CellValue[] = [];
  for (const row of rows) for (let col = 0; col < cols; col += 1) cells.push(array.cells[row * cols + col]!);
  return arrayResult(rows.length, cols, cells);
}

/** Returns the given columns (from 0) of an array, in the order given. */
export function pickCols(array: ArrayMatrix, cols: readonly number[], context: CallContext): FormulaValue {
  context.spend(array.rows * cols.length);
  const cells: CellValue[] = [];
  for (let row = 0; row < array.rows; row += 1) {
    for (const col of cols) cells.push(array.cells[row * array.cols + col]!);
  }
  return arrayResult(array.rows, cols.length, cells);
}

/** Returns part of a range as a Range, or part of an array as an ArrayMatrix. The part must be within the bounds. */
export function slice(
  matrix: ArrayMatrix | Range,
  top: number,
  left: number,
  rows: number,
  cols: number,
  context: CallContext,
): ArrayMatrix | Range {
  if (matrix instanceof Range) {
    const first = { top: matrix.top + top, left: matrix.left + left };
    return context.range(matrix.sheet, { ...first, bottom: first.top + rows - 1, right: first.left + cols - 1 });
  }
  const cells = createCells(rows, cols, context);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) cells[row * cols + col] = matrix.at(top + row, left + col);
  }
  return new ArrayMatrix(rows, cols, cells);
}

export function transposed(array: ArrayMatrix): ArrayMatrix {
  const { rows, cols } = array;
  const cells: CellValue[] = [];
  for (let col = 0; col < cols; col += 1) for (let row = 0; row < rows; row += 1) cells.push(array.at(row, col));
  return new ArrayMatrix(cols, rows, cells);
}
