/**
 * Parts of arrays and ranges: TAKE, DROP, CHOOSEROWS, CHOOSECOLS, EXPAND, TRIMRANGE and trim references. From ranges,
 * they return ranges if possible.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, NA_ERROR, REF_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import {
  ArrayMatrix,
  asMatrix,
  eachValue,
  isMatrix,
  Range,
  type FormulaValue,
} from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { arrayOf, createCells, pickCols, pickRows, singleOf, slice, wholeOf } from './cells.ts';

/**
 * The first row or column to return (from 0), and how many to return. A negative argument of TAKE or DROP counts from
 * the end.
 */
interface Span {
  first: number;
  count: number;
}

const taken = (count: number, size: number): Span =>
  count >= 0
    ? { first: 0, count: Math.min(count, size) }
    : { first: Math.max(size + count, 0), count: Math.min(-count, size) };

const dropped = (count: number, size: number): Span =>
  count >= 0
    ? { first: Math.min(count, size), count: Math.max(size - count, 0) }
    : { first: 0, count: Math.max(size + count, 0) };

function part(span: (count: number, size: number) => Span, none: number): FunctionDefinition['call'] {
  return ([source, rowCount, colCount], context) => {
    if (source instanceof CellError) return source;
    const matrix = asMatrix(source);
    if (!matrix) return VALUE_ERROR;
    const rows = wholeOf(rowCount, none);
    if (typeof rows !== 'number') return rows;
    const cols = wholeOf(colCount, none);
    if (typeof cols !== 'number') return cols;
    const down = span(rows, matrix.rows);
    const right = span(cols, matrix.cols);
    if (down.count === 0 || right.count === 0) return CALC_ERROR;
    return slice(matrix, down.first, right.first, down.count, right.count, context);
  };
}

/**
 * Converts numbers from 1 to positions from 0; negative numbers count from the end. 0 and numbers beyond the array are
 * #VALUE!.
 */
function indexesOf(args: readonly FormulaValue[], size: number, context: CallContext): number[] | CellError {
  const indexes: number[] = [];
  for (const arg of args) {
    const numbers = arrayOf(arg, context);
    if (numbers instanceof CellError) return numbers;
    for (const value of numbers.cells) {
      const number = toNumber(value);
      if (typeof number !== 'number') return number;
      const whole = Math.trunc(number);
      if (whole === 0 || Math.abs(whole) > size) return VALUE_ERROR;
      indexes.push(whole > 0 ? whole - 1 : size + whole);
    }
  }
  return indexes;
}

function choose(isRows: boolean): FunctionDefinition['call'] {
  return ([source, ...numbers], context) => {
    const array = arrayOf(source, context);
    if (array instanceof CellError) return array;
    if (numbers.some((number) => isMatrix(number) && number.rows > 1 && number.cols > 1)) return VALUE_ERROR;
    const indexes = indexesOf(numbers, isRows ? array.rows : array.cols, context);
    if (indexes instanceof CellError) return indexes;
    return isRows ? pickRows(array, indexes, context) : pickCols(array, indexes, context);
  };
}

function expand([source, rowCount, colCount, pad]: FormulaValue[], context: CallContext): FormulaValue {
  const array = arrayOf(source, context);
  if (array instanceof CellError) return array;
  const rows = wholeOf(rowCount, array.rows);
  if (typeof rows !== 'number') return rows;
  const cols = wholeOf(colCount, array.cols);
  if (typeof cols !== 'number') return cols;
  if (rows < array.rows || cols < array.cols) return VALUE_ERROR;
  const filler = pad === undefined ? NA_ERROR : (singleOf(pad) ?? null);
  const cells: CellValue[] = createCells(rows, cols, context).fill(filler);
  array.cells.forEach((value, at) => {
    cells[Math.floor(at / array.cols) * cols + (at % array.cols)] = value;
  });
  return new ArrayMatrix(rows, cols, cells);
}

/** Reads a mode of TRIMRANGE, which accepts only the integers from 0 to 3. */
function trimMode(arg: FormulaValue): number | CellError {
  const mode = arg === undefined ? 3 : toNumber(singleOf(arg));
  return typeof mode === 'number' && ![0, 1, 2, 3].includes(mode) ? VALUE_ERROR : mode;
}

/**
 * Removes blank rows and columns at the edges: 1 before the values, 2 after them, 3 both, 0 neither. A mode that is an
 * array gives an array of #VALUE! of the same shape.
 */
function trimRange([source, rowMode, colMode]: FormulaValue[], context: CallContext): FormulaValue {
  if (source instanceof CellError) return source;
  const matrix = asMatrix(source);
  if (!matrix) return VALUE_ERROR;
  for (const mode of [rowMode, colMode])
    if (isMatrix(mode) && mode.rows * mode.cols > 1)
      return new ArrayMatrix(mode.rows, mode.cols, createCells(mode.rows, mode.cols, context).fill(VALUE_ERROR));
  const rows = trimMode(rowMode);
  if (typeof rows !== 'number') return rows;
  const cols = trimMode(colMode);
  if (typeof cols !== 'number') return cols;
  return trimmed(matrix, rows, cols, context);
}

/**
 * Returns the first and last row and column that contain a value, from 0; `bottom` and `right` are -1 if there is no
 * value.
 */
function valuesBlock(matrix: ArrayMatrix | Range): CellBlock {
  const block = { top: Infinity, left: Infinity, bottom: -1, right: -1 };
  eachValue(matrix, (value, row, col) => {
    if (value === null) return;
    block.top = Math.min(block.top, row);
    block.left = Math.min(block.left, col);
    block.bottom = Math.max(block.bottom, row);
    block.right = Math.max(block.right, col);
  });
  return block;
}

function trimmed(matrix: ArrayMatrix | Range, rowMode: number, colMode: number, context: CallContext): FormulaValue {
  const { top, left, bottom, right } =
    matrix instanceof Range
      ? context.cached(matrix.used(), 'block of values', () => valuesBlock(matrix.used()))
      : valuesBlock(matrix);
  if (bottom < 0) return REF_ERROR;
  const firstRow = rowMode % 2 === 1 ? top : 0;
  const lastRow = rowMode >= 2 ? bottom : matrix.rows - 1;
  const firstCol = colMode % 2 === 1 ? left : 0;
  const lastCol = colMode >= 2 ? right : matrix.cols - 1;
  return slice(matrix, firstRow, firstCol, lastRow - firstRow + 1, lastCol - firstCol + 1, context);
}

/**
 * Creates the function that files store for 'A1:.A9' and similar: TRIMRANGE of a reference, with the same mode for rows
 * and columns.
 */
function trimReference(name: string, mode: number): FunctionDefinition {
  return defineFunction(name, 'R', ([source], context) => {
    const range = asMatrix(source);
    return range ? trimmed(range, mode, mode, context) : VALUE_ERROR;
  });
}

export const shapeFunctions: FunctionDefinition[] = [
  defineFunction('TAKE', 'avv', part(taken, Infinity), { required: 2 }),
  defineFunction('DROP', 'avv', part(dropped, 0), { required: 2 }),
  defineFunction('CHOOSEROWS', 'aa', choose(true), { repeat: 1 }),
  defineFunction('CHOOSECOLS', 'aa', choose(false), { repeat: 1 }),
  defineFunction('EXPAND', 'avvr', expand, { required: 2 }),
  defineFunction('TRIMRANGE', 'rrr', trimRange, { required: 1 }),
  trimReference('_TRO_LEADING', 1),
  trimReference('_TRO_TRAILING', 2),
  trimReference('_TRO_ALL', 3),
];
