/** Random numbers and sequences. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { checkNumber, NUM_ERROR, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { createCells, sizeOf, truthOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { numberOf } from '../numeric.ts';

/** Returns an integer from `low` to `high`, both inclusive. */
const between = (low: number, high: number, context: CallContext): number =>
  low + Math.floor(context.random() * (high - low + 1));

function randomBetween([bottom, top]: FormulaValue[], context: CallContext): FormulaValue {
  const low = toNumber(bottom as CellValue);
  if (typeof low !== 'number') return low;
  const high = toNumber(top as CellValue);
  if (typeof high !== 'number') return high;
  // Fractions are rounded towards the inside, as in Excel: RANDBETWEEN(1.5,2.5) is always 2.
  return Math.ceil(low) > Math.floor(high) ? NUM_ERROR : between(Math.ceil(low), Math.floor(high), context);
}

function randomArray([rowCount, colCount, min, max, whole]: FormulaValue[], context: CallContext): FormulaValue {
  const rows = sizeOf(rowCount);
  if (rows instanceof CellError) return rows;
  const cols = sizeOf(colCount);
  if (cols instanceof CellError) return cols;
  const low = numberOf(min, 0);
  if (low instanceof CellError) return low;
  const high = numberOf(max, 1);
  if (high instanceof CellError) return high;
  const isWhole = truthOf(whole, false);
  if (isWhole instanceof CellError) return isWhole;
  if (low > high) return VALUE_ERROR;
  if (isWhole && (!Number.isInteger(low) || !Number.isInteger(high))) return VALUE_ERROR;
  const cells = createCells(rows, cols, context);
  for (let index = 0; index < cells.length; index += 1) {
    cells[index] = isWhole ? between(low, high, context) : low + context.random() * (high - low);
  }
  return new ArrayMatrix(rows, cols, cells);
}

function sequence([rowCount, colCount, start, step]: FormulaValue[], context: CallContext): FormulaValue {
  const rows = sizeOf(rowCount);
  if (rows instanceof CellError) return rows;
  const cols = sizeOf(colCount);
  if (cols instanceof CellError) return cols;
  const first = numberOf(start, 1);
  if (first instanceof CellError) return first;
  const increment = numberOf(step, 1);
  if (increment instanceof CellError) return increment;
  const cells = createCells(rows, cols, context);
  for (let index = 0; index < cells.length; index += 1) cells[index] = checkNumber(first + index * increment);
  return new ArrayMatrix(rows, cols, cells);
}

export const randomFunctions: FunctionDefinition[] = [
  defineFunction('RAND', '', (_args, context) => context.random(), { volatile: true }),
  defineFunction('RANDBETWEEN', 'vv', randomBetween, { volatile: true }),
  defineFunction('RANDARRAY', 'vvvvv', randomArray, { required: 0, volatile: true }),
  defineFunction('SEQUENCE', 'vvvv', sequence, { required: 1 }),
];
