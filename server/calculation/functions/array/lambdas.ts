/** Functions that call a LAMBDA over arrays: MAP, REDUCE, SCAN, BYROW, BYCOL, MAKEARRAY. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, NA_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import {
  ArrayMatrix,
  asMatrix,
  functionIn,
  HeldFunction,
  isMatrix,
  Lambda,
  Range,
  type FormulaValue,
} from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { createCells, singleOf, slice } from './cells.ts';

/** Returns the function passed as an argument, or Excel's error if the argument is not a function. */
function functionOf(arg: FormulaValue): Lambda | CellError {
  return functionIn(arg) ?? (arg instanceof CellError ? arg : VALUE_ERROR);
}

function matrixOf(arg: FormulaValue): ArrayMatrix | Range | CellError {
  if (arg instanceof CellError) return arg;
  return asMatrix(arg) ?? VALUE_ERROR;
}

/** Converts the result of a call to an array element: a single value or a function; #CALC! for an array. */
export function elementOf(result: FormulaValue): CellValue {
  if (result instanceof Lambda) return new HeldFunction(result);
  if (isMatrix(result) && result.rows * result.cols > 1) return CALC_ERROR;
  return singleOf(result) ?? null;
}

/** Cells are passed as references because SUBTOTAL, ROW and OFFSET need references. */
function element(matrix: ArrayMatrix | Range, row: number, col: number, context: CallContext): FormulaValue {
  return matrix instanceof Range ? slice(matrix, row, col, 1, 1, context) : matrix.at(row, col);
}

function map(args: FormulaValue[], context: CallContext): FormulaValue {
  const lambda = functionOf(args.at(-1));
  if (lambda instanceof CellError) return lambda;
  const matrices: (ArrayMatrix | Range)[] = [];
  for (const arg of args.slice(0, -1)) {
    const matrix = matrixOf(arg);
    if (matrix instanceof CellError) return matrix;
    matrices.push(matrix);
  }
  const rows = Math.max(...matrices.map((matrix) => matrix.rows));
  const cols = Math.max(...matrices.map((matrix) => matrix.cols));
  const cells: CellValue[] = createCells(rows, cols, context);
  for (let at = 0; at < cells.length; at += 1) {
    const row = Math.floor(at / cols);
    const col = at % cols;
    const isOutside = matrices.some((matrix) => row >= matrix.rows || col >= matrix.cols);
    cells[at] = isOutside
      ? NA_ERROR
      : elementOf(lambda.call(matrices.map((matrix) => element(matrix, row, col, context))));
  }
  return new ArrayMatrix(rows, cols, cells);
}

/**
 * Iterates over the elements with an accumulator; `visit` sees each intermediate value. Without an initial value, the
 * first element is used.
 */
function accumulate(
  [initial, source, callee]: FormulaValue[],
  context: CallContext,
  visit: (value: FormulaValue, at: number, matrix: ArrayMatrix | Range) => FormulaValue,
): FormulaValue {
  const lambda = functionOf(callee);
  if (lambda instanceof CellError) return lambda;
  const matrix = matrixOf(source);
  if (matrix instanceof CellError) return matrix;
  const { rows, cols } = matrix;
  let value = initial;
  context.spend(rows * cols);
  for (let at = 0; at < rows * cols; at += 1) {
    const item = element(matrix, Math.floor(at / cols), at % cols, context);
    value = visit(initial === undefined && at === 0 ? item : lambda.call([value, item]), at, matrix);
  }
  return value;
}

function reduce(args: FormulaValue[], context: CallContext): FormulaValue {
  return accumulate(args, context, (value) => value);
}

function scan(args: FormulaValue[], context: CallContext): FormulaValue {
  let cells: CellValue[] | null = null;
  let shape = { rows: 1, cols: 1 };
  const last = accumulate(args, context, (value, at, matrix) => {
    if (!cells) {
      shape = matrix;
      cells = createCells(matrix.rows, matrix.cols, context);
    }
    cells[at] = elementOf(value);
    return cells[at];
  });
  return cells ? new ArrayMatrix(shape.rows, shape.cols, cells) : last;
}

function byLine(isRow: boolean): FunctionDefinition['call'] {
  return ([source, callee], context) => {
    const lambda = functionOf(callee);
    if (lambda instanceof CellError) return lambda;
    const matrix = matrixOf(source);
    if (matrix instanceof CellError) return matrix;
    const { rows, cols } = matrix;
    const count = isRow ? rows : cols;
    const cells = createCells(count, 1, context);
    for (let at = 0; at < count; at += 1) {
      const line = isRow ? slice(matrix, at, 0, 1, cols, context) : slice(matrix, 0, at, rows, 1, context);
      cells[at] = elementOf(lambda.call([line]));
    }
    return isRow ? new ArrayMatrix(count, 1, cells) : new ArrayMatrix(1, count, cells);
  };
}

/** Reads the number of rows or columns of MAKEARRAY, which accepts only positive integers. */
function wholeSizeOf(arg: FormulaValue): number | CellError {
  const number = toNumber(singleOf(arg));
  if (typeof number === 'number' && !(Number.isInteger(number) && number > 0)) return VALUE_ERROR;
  return number;
}

function makeArray([rowCount, colCount, callee]: FormulaValue[], context: CallContext): FormulaValue {
  const lambda = functionOf(callee);
  if (lambda instanceof CellError) return lambda;
  const rows = rowCount === undefined ? 1 : wholeSizeOf(rowCount);
  if (rows instanceof CellError) return rows;
  const cols = colCount === undefined ? 1 : wholeSizeOf(colCount);
  if (cols instanceof CellError) return cols;
  const cells = createCells(rows, cols, context);
  for (let at = 0; at < cells.length; at += 1) {
    cells[at] = elementOf(lambda.call([Math.floor(at / cols) + 1, (at % cols) + 1]));
  }
  return new ArrayMatrix(rows, cols, cells);
}

export const lambdaFunctions: FunctionDefinition[] = [
  defineFunction('MAP', 'aa', map, { repeat: 1 }),
  defineFunction('REDUCE', 'aaf', reduce),
  defineFunction('SCAN', 'aaf', scan),
  defineFunction('BYROW', 'af', byLine(true)),
  defineFunction('BYCOL', 'af', byLine(false)),
  defineFunction('MAKEARRAY', 'vvf', makeArray),
];
