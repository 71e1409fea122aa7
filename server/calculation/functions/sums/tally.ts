/**
 * Visits the numbers of arguments by the rules of SUM, AVERAGE and similar functions. In ranges and arrays only numbers
 * count; as direct arguments, Booleans and texts that read as numbers count too. Source: Microsoft, 'SUM function',
 * 'AVERAGEA function'.
 */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';

/**
 * Visits the values of an argument: non-blank cells, elements, or the single value (`isDirect`). Returning true stops.
 */
export function eachOf(
  arg: FormulaValue,
  visit: (value: CellValue, isDirect: boolean) => boolean | void,
): boolean | void {
  if (typeof arg !== 'object' || arg === null) return visit(arg ?? null, true);
  if (arg instanceof Range) {
    if (arg.rows === 1 && arg.cols === 1) {
      const value = arg.at(0, 0);
      return value !== null && visit(value, false);
    }
    let stopped = false;
    arg.source.eachCell(arg.sheet, arg.block, (value) => {
      if (visit(value, false) !== true) return false;
      stopped = true;
      return true;
    });
    return stopped;
  }
  if (arg instanceof ArrayMatrix) return arg.cells.some((value) => visit(value, false) === true);
  if (arg instanceof Areas) return arg.ranges.some((range) => eachOf(range, visit) === true);
  return visit(arg instanceof CellError ? arg : VALUE_ERROR, true);
}

/** Visits the elements of an array. In a sparse array it skips the default element if this does not count. */
export function eachElement(array: ArrayMatrix, visit: (value: CellValue) => boolean | void): boolean {
  const { sparse } = array;
  if (!sparse || typeof sparse.rest === 'number') return array.cells.some((value) => visit(value) === true);
  const { rest, positions, values } = sparse;
  const isError = rest instanceof CellError;
  for (let at = 0; at < positions.length; at += 1) {
    // The first error counts, whether it is the default element or an exception.
    if (isError && positions[at] !== at) break;
    if (visit(values[at]!) === true) return true;
  }
  return isError && positions.length < array.rows * array.cols && visit(rest) === true;
}

/** Calls `visit` for each number that counts, in order. The first error ends the iteration and is returned. */
export function eachNumber(args: readonly FormulaValue[], visit: (value: number) => void): CellError | null {
  let failure: CellError | null = null;
  const take = (value: CellValue, isDirect: boolean): boolean => {
    if (typeof value === 'number') visit(value);
    else if (value instanceof CellError) failure = value;
    else if (isDirect) {
      const number = toNumber(value);
      if (typeof number === 'number') visit(number);
      else failure = number;
    }
    return failure !== null;
  };
  for (const arg of args) {
    if (typeof arg === 'number') visit(arg);
    else if (arg instanceof ArrayMatrix) eachElement(arg, (value) => take(value, false));
    else eachOf(arg, take);
    if (failure) return failure;
  }
  return null;
}

/**
 * Like `eachNumber`, but texts in ranges and arrays count as 0, and Booleans in ranges as 1 and 0 (AVERAGEA, MAXA,
 * MINA).
 */
export function eachNumberOrText(args: readonly FormulaValue[], visit: (value: number) => void): CellError | null {
  let failure: CellError | null = null;
  let isRange = false;
  const take = (value: CellValue, isDirect: boolean): boolean => {
    if (isDirect) {
      const number = toNumber(value);
      if (typeof number === 'number') visit(number);
      else failure = number;
    } else if (typeof value === 'number') visit(value);
    else if (value instanceof CellError) failure = value;
    else if (typeof value === 'string' || (value !== null && isRange)) visit(value === true ? 1 : 0);
    return failure !== null;
  };
  for (const arg of args) {
    isRange = !(arg instanceof ArrayMatrix);
    eachOf(arg, take);
    if (failure) return failure;
  }
  return null;
}
