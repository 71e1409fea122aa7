/** Functions that combine and reshape arrays: HSTACK, VSTACK, TOROW, TOCOL, WRAPROWS, WRAPCOLS. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, NA_ERROR, NUM_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { arrayOf, createCells, singleOf, transposed, truthOf, wholeOf } from './cells.ts';

/** An error among the arguments becomes an array of this error; it is not the result of the function. */
function arraysOf(args: readonly FormulaValue[], context: CallContext): ArrayMatrix[] {
  return args.map((arg) => {
    const array = arrayOf(arg, context);
    return array instanceof CellError ? new ArrayMatrix(1, 1, [array]) : array;
  });
}

/** Stacks arrays vertically or horizontally and pads narrower ones with #N/A. */
function stack(isVertical: boolean): FunctionDefinition['call'] {
  return (args, context) => {
    const arrays = arraysOf(args, context);
    const sum = (of: 'rows' | 'cols'): number => arrays.reduce((total, array) => total + array[of], 0);
    const max = (of: 'rows' | 'cols'): number => arrays.reduce((best, array) => Math.max(best, array[of]), 0);
    const rows = isVertical ? sum('rows') : max('rows');
    const cols = isVertical ? max('cols') : sum('cols');
    const cells: CellValue[] = createCells(rows, cols, context).fill(NA_ERROR);
    let down = 0;
    let right = 0;
    for (const array of arrays) {
      for (let row = 0; row < array.rows; row += 1) {
        for (let col = 0; col < array.cols; col += 1) cells[(down + row) * cols + right + col] = array.at(row, col);
      }
      if (isVertical) down += array.rows;
      else right += array.cols;
    }
    return new ArrayMatrix(rows, cols, cells);
  };
}

/** Values of `ignore`: 1 omits blanks, 2 errors, 3 both. */
function pour(isRow: boolean): FunctionDefinition['call'] {
  return ([source, ignore, byColumn], context) => {
    const array = arrayOf(source, context);
    if (array instanceof CellError) return array;
    const mode = wholeOf(ignore, 0);
    if (typeof mode !== 'number') return mode;
    const isByColumn = truthOf(byColumn, false);
    if (isByColumn instanceof CellError) return isByColumn;
    if (mode < 0 || mode > 3) return VALUE_ERROR;
    const values = (isByColumn ? transposed(array) : array).cells.filter(
      (value) => !(mode % 2 === 1 && value === null) && !(mode >= 2 && value instanceof CellError),
    );
    if (values.length === 0) return CALC_ERROR;
    return isRow ? new ArrayMatrix(1, values.length, values) : new ArrayMatrix(values.length, 1, values);
  };
}

/** Splits a row or column into rows (or columns) of `count` values and pads the last one. */
function wrap(isRows: boolean): FunctionDefinition['call'] {
  return ([source, countArg, pad], context) => {
    const array = arrayOf(source, context);
    if (array instanceof CellError) return array;
    const count = wholeOf(countArg, 0);
    if (typeof count !== 'number') return count;
    if (array.rows > 1 && array.cols > 1) return VALUE_ERROR;
    if (count < 1) return NUM_ERROR;
    const width = Math.min(count, array.cells.length);
    const lines = Math.ceil(array.cells.length / width);
    const cells: CellValue[] = createCells(lines, width, context).fill(
      pad === undefined ? NA_ERROR : (singleOf(pad) ?? null),
    );
    array.cells.forEach((value, at) => {
      cells[at] = value;
    });
    const wrapped = new ArrayMatrix(lines, width, cells);
    return isRows ? wrapped : transposed(wrapped);
  };
}

export const stackFunctions: FunctionDefinition[] = [
  defineFunction('VSTACK', 'a', stack(true), { repeat: 1 }),
  defineFunction('HSTACK', 'a', stack(false), { repeat: 1 }),
  defineFunction('TOROW', 'avv', pour(true), { required: 1 }),
  defineFunction('TOCOL', 'avv', pour(false), { required: 1 }),
  defineFunction('WRAPROWS', 'avr', wrap(true), { required: 2 }),
  defineFunction('WRAPCOLS', 'avr', wrap(false), { required: 2 }),
];
