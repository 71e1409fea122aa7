/** SUMPRODUCT, and sums over pairs of numbers. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import { checkNumber, DIV0_ERROR, NA_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { asMatrix, ArrayMatrix, eachValue, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { growingProducts } from './growing-products.ts';

interface Extent {
  rows: number;
  cols: number;
}

/** Returns the used part of matrices of the same shape; all cells outside are blank. */
function usedExtent(matrices: readonly (ArrayMatrix | Range)[]): Extent {
  const extent = { rows: 1, cols: 1 };
  for (const matrix of matrices) {
    const { rows, cols } = matrix instanceof Range ? matrix.used() : matrix;
    extent.rows = Math.max(extent.rows, rows);
    extent.cols = Math.max(extent.cols, cols);
  }
  return extent;
}

/** Returns numbers row by row, with `filler` for everything that is not a number; or the first error. */
function numbersOf(matrix: ArrayMatrix | Range, { rows, cols }: Extent, filler: number): Float64Array | CellError {
  const numbers = new Float64Array(rows * cols);
  if (filler !== 0) numbers.fill(filler);
  let failure: CellError | null = null;
  if (matrix instanceof ArrayMatrix) {
    const { cells } = matrix;
    for (let index = 0; index < cells.length; index += 1) {
      const value = cells[index];
      if (typeof value === 'number') numbers[index] = value;
      else if (value instanceof CellError) return value;
    }
    return numbers;
  }
  eachValue(matrix, (value, row, col) => {
    if (typeof value === 'number') numbers[row * cols + col] = value;
    else if (value instanceof CellError) failure = value;
    return failure !== null;
  });
  return failure ?? numbers;
}

/** A single cell is read as a value, which must not be a text. Source: values saved by Excel. */
const isOneText = (arg: FormulaValue): boolean =>
  typeof (arg instanceof Range && arg.rows === 1 && arg.cols === 1 ? arg.at(0, 0) : arg) === 'string';

/** Sums a sparse array; null if its default element is a number other than 0 or an error. */
function sparseSum(matrix: ArrayMatrix | Range): FormulaValue {
  const sparse = matrix instanceof ArrayMatrix ? matrix.sparse : null;
  if (!sparse || (typeof sparse.rest === 'number' && sparse.rest !== 0) || sparse.rest instanceof CellError)
    return null;
  let total = 0;
  for (const value of sparse.values) {
    if (typeof value === 'number') total += value;
    else if (value instanceof CellError) return value;
  }
  return checkNumber(total);
}

/**
 * SUMPRODUCT. Arrays must have the same shape; an error in the first array takes precedence over this. Values that are
 * not numbers count as 0.
 */
function sumProduct(args: FormulaValue[], context: CallContext): FormulaValue {
  const matrices: (ArrayMatrix | Range)[] = [];
  for (const arg of args) {
    if (arg instanceof CellError) return arg;
    const matrix = asMatrix(arg);
    if (!matrix || isOneText(arg)) return VALUE_ERROR;
    matrices.push(matrix);
  }
  const { rows, cols } = matrices[0]!;
  if (matrices.some((matrix) => matrix.rows !== rows || matrix.cols !== cols)) {
    const first = numbersOf(matrices[0]!, usedExtent([matrices[0]!]), 0);
    return first instanceof CellError ? first : VALUE_ERROR;
  }
  const alone = matrices.length === 1 ? sparseSum(matrices[0]!) : null;
  if (alone !== null) return alone;
  const grown = matrices.every((matrix) => matrix instanceof Range) ? growingProducts(matrices, context) : null;
  if (grown !== null) return checkNumber(grown);
  const extent = usedExtent(matrices);
  context.spend(extent.rows * extent.cols * matrices.length);
  let products: Float64Array | null = null;
  for (const matrix of matrices) {
    const numbers = numbersOf(matrix, extent, 0);
    if (numbers instanceof CellError) return numbers;
    if (products) for (let index = 0; index < numbers.length; index += 1) products[index]! *= numbers[index]!;
    else products = numbers;
  }
  let total = 0;
  for (let index = 0; index < products!.length; index += 1) total += products![index]!;
  return checkNumber(total);
}

/** Creates a sum over the pairs in which both values are numbers. */
function pairSum(name: string, term: (x: number, y: number) => number): FunctionDefinition {
  return defineFunction(name, 'aa', ([first, second], context) => {
    for (const arg of [first, second]) if (arg instanceof CellError) return arg;
    const left = asMatrix(first);
    const right = asMatrix(second);
    if (!left || !right) return VALUE_ERROR;
    if (left.rows * left.cols !== right.rows * right.cols) return NA_ERROR;
    // Different shapes, such as a row and a column, are paired in row order.
    const extent = left.cols === right.cols ? usedExtent([left, right]) : null;
    const x = numbersOf(left, extent ?? left, NaN);
    const y = numbersOf(right, extent ?? right, NaN);
    if (x instanceof CellError) return x;
    if (y instanceof CellError) return y;
    context.spend(x.length);
    let total = 0;
    let count = 0;
    for (let index = 0; index < x.length; index += 1) {
      const value = term(x[index]!, y[index]!);
      if (Number.isNaN(value)) continue;
      total += value;
      count += 1;
    }
    return count === 0 ? DIV0_ERROR : checkNumber(total);
  });
}

export const productFunctions: FunctionDefinition[] = [
  defineFunction('SUMPRODUCT', 'a', sumProduct, { repeat: 1 }),
  pairSum('SUMX2MY2', (x, y) => x * x - y * y),
  pairSum('SUMX2PY2', (x, y) => x * x + y * y),
  pairSum('SUMXMY2', (x, y) => (x - y) * (x - y)),
];
