/** Reduces arrays to single values, and calculates element by element. */
import { MAX_ARRAY_CELLS } from '../kernels/limits.ts';
import { arrayTooLarge } from '../engine.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { Areas, ArrayMatrix, eachValue, HeldFunction, Lambda, Range, ReferenceArray } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Evaluation } from './code.ts';

/** Returns the single value that a legacy formula uses: ranges are intersected, arrays yield their first element. */
export function single(value: FormulaValue, c: Evaluation): CellValue | Lambda | undefined {
  if (typeof value !== 'object' || value === null || value instanceof CellError) return value;
  if (value instanceof Range) return intersect(value, c);
  if (value instanceof ArrayMatrix) return value.cells[0] ?? null;
  return value instanceof Lambda ? value : VALUE_ERROR;
}

/**
 * Returns the cell of a range in the formula's row or column; a range of one cell yields that cell. If several rows and
 * columns surround the formula's own cell, it is that cell, which is a circular reference: Excel treats =A3:E9 in A3 as
 * one.
 */
export function intersect(range: Range, c: Evaluation): CellValue {
  const { top, left, rows, cols, sheet } = range;
  if (rows === 1 && cols === 1) return range.at(0, 0);
  const isInRows = c.row >= top && c.row < top + rows;
  const isInCols = c.col >= left && c.col < left + cols;
  if (cols === 1) return isInRows ? range.at(c.row - top, 0) : VALUE_ERROR;
  if (rows === 1) return isInCols ? range.at(0, c.col - left) : VALUE_ERROR;
  // A formula that is evaluated as if it were here does not wait for this cell.
  const isCircular = isInRows && isInCols && sheet === c.sheet && c.isBusy(sheet, c.row, c.col);
  return isCircular ? range.at(c.row - top, c.col - left) : VALUE_ERROR;
}

/** Returns true if the value requires calculation element by element. */
export const isLifted = (value: FormulaValue): value is Range | ArrayMatrix | Areas | ReferenceArray =>
  typeof value === 'object' &&
  value !== null &&
  (value instanceof Range || value instanceof ArrayMatrix || value instanceof Areas || value instanceof ReferenceArray);

/** Returns a single value for an operation; functions and multiple ranges yield #VALUE!. */
export function plain(value: FormulaValue): CellValue {
  if (value === undefined) return null;
  if (value instanceof Lambda || value instanceof Areas || value instanceof ReferenceArray) return VALUE_ERROR;
  return value as CellValue;
}

/**
 * Converts to an array of values; ranges are read. Single values and functions become an array with one element;
 * references within an array become #VALUE!.
 */
export function toArray(value: FormulaValue, c: Evaluation): ArrayMatrix {
  if (value instanceof ArrayMatrix) return value;
  if (value instanceof ReferenceArray) return valuesOf(value, c, () => VALUE_ERROR);
  if (value instanceof Lambda) return new ArrayMatrix(1, 1, [new HeldFunction(value)]);
  if (!(value instanceof Range)) return new ArrayMatrix(1, 1, [plain(value)]);
  const { rows, cols } = value;
  if (rows === 1 && cols === 1) return new ArrayMatrix(1, 1, [value.at(0, 0)]);
  if (rows * cols < MANY_CELLS) return readArray(value, c);
  // Formulas that were filled down read the same range in every row.
  const cached = c.cached<{ uses: number; array: ArrayMatrix | null }>(value, 'cells', () => ({
    uses: 0,
    array: null,
  }));
  cached.uses += 1;
  if (cached.uses < MANY_USES) return readArray(value, c);
  cached.array ??= readArray(value, c);
  return cached.array;
}

const MANY_CELLS = 64;
const MANY_USES = 3;

function readArray(range: Range, c: Evaluation): ArrayMatrix {
  const { rows, cols } = range;
  const cells = newCells(rows, cols, c);
  eachValue(range, (cell, row, col) => {
    cells[row * cols + col] = cell;
  });
  return new ArrayMatrix(rows, cols, cells);
}

function valuesOf(
  { rows, cols, references }: ReferenceArray,
  c: Evaluation,
  of: (value: Range | Areas) => CellValue,
): ArrayMatrix {
  c.spend(references.length);
  return new ArrayMatrix(
    rows,
    cols,
    references.map((reference) => (reference instanceof CellError ? reference : of(reference))),
  );
}

/** Converts an array of references to an array of values: a reference to a single cell becomes its value. */
export const dereferenced = (array: ReferenceArray, c: Evaluation): ArrayMatrix =>
  valuesOf(array, c, (reference) =>
    reference instanceof Range && reference.rows * reference.cols === 1 ? reference.at(0, 0) : VALUE_ERROR,
  );

/** Returns blank elements for an array of this size. Throws CalculationError if it is too large. */
function newCells(rows: number, cols: number, c: Evaluation): CellValue[] {
  const count = rows * cols;
  if (count > MAX_ARRAY_CELLS) throw arrayTooLarge(rows, cols);
  c.spend(count);
  const cells: CellValue[] = [];
  cells.length = count;
  return cells.fill(null);
}

/**
 * The result for one-element arrays is a single value. But an error within an array must not become the result of the
 * formula: ROWS(NA()*{1}) is 1.
 */
function oneOf(result: CellValue, left: FormulaValue, right: FormulaValue): FormulaValue {
  const isArray = left instanceof ArrayMatrix || right instanceof ArrayMatrix;
  return isArray && result instanceof CellError ? new ArrayMatrix(1, 1, [result]) : result;
}

export function liftUnary(value: FormulaValue, operation: (x: CellValue) => CellValue, c: Evaluation): FormulaValue {
  if (!isLifted(value)) return operation(plain(value));
  if (value instanceof Areas) return VALUE_ERROR;
  const { rows, cols, cells } = toArray(value, c);
  if (cells.length === 1) return oneOf(operation(cells[0]!), value, null);
  c.spend(cells.length);
  return new ArrayMatrix(rows, cols, cells.map(operation));
}

/**
 * Applies an operation to each pair of elements. A single row or column is repeated as often as needed; missing
 * elements are #N/A.
 */
export function liftBinary(
  left: FormulaValue,
  right: FormulaValue,
  operation: (x: CellValue, y: CellValue) => CellValue,
  c: Evaluation,
): FormulaValue {
  const isLeft = isLifted(left);
  const isRight = isLifted(right);
  if (!isLeft && !isRight) return operation(plain(left), plain(right));
  if (left instanceof Areas || right instanceof Areas) return VALUE_ERROR;
  const a = toArray(left, c);
  const b = toArray(right, c);
  const { rows, cols, fits } = commonShape([a, b]);
  if (rows * cols === 1) return oneOf(operation(a.cells[0]!, b.cells[0]!), left, right);
  const cells = newCells(rows, cols, c);
  if (fits && a.cells.length === cells.length && b.cells.length === cells.length) {
    for (let at = 0; at < cells.length; at += 1) cells[at] = operation(a.cells[at]!, b.cells[at]!);
  } else if (b.cells.length === 1) {
    const y = b.cells[0]!;
    for (let at = 0; at < cells.length; at += 1) cells[at] = operation(a.cells[at]!, y);
  } else if (a.cells.length === 1) {
    const x = a.cells[0]!;
    for (let at = 0; at < cells.length; at += 1) cells[at] = operation(x, b.cells[at]!);
  } else {
    for (let row = 0; row < rows; row += 1) {
      for (let col = 0; col < cols; col += 1) {
        const x = element(a, row, col);
        const y = element(b, row, col);
        cells[row * cols + col] = x === undefined || y === undefined ? NA_ERROR : operation(x, y);
      }
    }
  }
  return new ArrayMatrix(rows, cols, cells);
}

/**
 * Returns the rows and columns of the result. `fits` is true if nothing needs to be repeated and nothing is missing.
 */
export function commonShape(arrays: readonly { rows: number; cols: number }[]): {
  rows: number;
  cols: number;
  fits: boolean;
} {
  let rows = 1;
  let cols = 1;
  for (const array of arrays) {
    rows = Math.max(rows, array.rows);
    cols = Math.max(cols, array.cols);
  }
  return { rows, cols, fits: arrays.every((array) => array.rows === rows && array.cols === cols) };
}

/** Returns the element for a position of the common shape; undefined if the array has none. */
function element(array: ArrayMatrix, row: number, col: number): CellValue | undefined {
  const index = elementIndex(array, row, col);
  return index < 0 ? undefined : array.cells[index]!;
}

/**
 * Returns the index of the element for a position of the common shape in an array of this shape; -1 if there is none.
 */
export function elementIndex({ rows, cols }: { rows: number; cols: number }, row: number, col: number): number {
  const y = rows === 1 ? 0 : row;
  const x = cols === 1 ? 0 : col;
  return y < rows && x < cols ? y * cols + x : -1;
}

/**
 * Calls `call` for each element of the arrays among `values` at the indexes `lifted`; the other values are passed
 * unchanged. If an array has no element for a position, the result is #N/A; with `passesMissing`, the call receives
 * #N/A instead.
 */
export function liftCall(
  values: FormulaValue[],
  lifted: readonly number[],
  call: (values: FormulaValue[]) => FormulaValue,
  c: Evaluation,
  passesMissing = false,
): FormulaValue {
  if (lifted.some((index) => values[index] instanceof Areas)) return VALUE_ERROR;
  const arrays = lifted.map((index) => toArray(values[index], c));
  const { rows, cols } = commonShape(arrays);
  const cells = newCells(rows, cols, c);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const args = values.slice();
      let isMissing = false;
      for (let at = 0; at < lifted.length; at += 1) {
        const value = element(arrays[at]!, row, col);
        if (value === undefined && !passesMissing) isMissing = true;
        args[lifted[at]!] = value === undefined ? NA_ERROR : value;
      }
      cells[row * cols + col] = isMissing ? NA_ERROR : firstOf(call(args));
    }
  }
  return rows * cols === 1 ? cells[0]! : new ArrayMatrix(rows, cols, cells);
}

/** Arrays within arrays are not possible: the first element represents them. */
export function firstOf(value: FormulaValue): CellValue {
  if (value instanceof Range) return value.at(0, 0);
  if (value instanceof ArrayMatrix) return value.cells[0] ?? null;
  return plain(value);
}
