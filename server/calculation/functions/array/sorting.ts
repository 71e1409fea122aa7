/** FILTER, SORT, SORTBY and UNIQUE. */
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { CALC_ERROR, toBoolean, toNumber, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { ArrayMatrix, isMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { arrayOf, arrayResult, createCells, pickCols, pickRows, singleOf, truthOf } from './cells.ts';
import { sameKeyOf, sortOrder } from './ordering.ts';

const rowOf = (array: ArrayMatrix, row: number): CellValue[] =>
  array.cells.slice(row * array.cols, (row + 1) * array.cols);

function colOf({ rows, cols, cells }: ArrayMatrix, col: number): CellValue[] {
  const values: CellValue[] = [];
  for (let row = 0; row < rows; row += 1) values.push(cells[row * cols + col]!);
  return values;
}

function filter([source, include, ifEmpty]: FormulaValue[], context: CallContext): FormulaValue {
  const picked = filterSparse(source, include, context);
  if (picked) return picked.length === 0 ? (ifEmpty ?? CALC_ERROR) : pickFromRange(source as Range, picked, context);
  const array = arrayOf(source, context);
  if (array instanceof CellError) return array;
  const tests = arrayOf(include, context);
  if (tests instanceof CellError) return tests;
  const isByRow = tests.cols === 1 && tests.rows === array.rows;
  if (!isByRow && !(tests.rows === 1 && tests.cols === array.cols)) return VALUE_ERROR;
  const positions: number[] = [];
  for (let at = 0; at < tests.cells.length; at += 1) {
    const holds = toBoolean(tests.cells[at]);
    if (holds instanceof CellError) return holds;
    if (holds) positions.push(at);
  }
  if (positions.length === 0) return ifEmpty ?? CALC_ERROR;
  return isByRow ? pickRows(array, positions, context) : pickCols(array, positions, context);
}

/**
 * Returns the matching rows if the source is a range and the condition is a sparse array that is FALSE almost
 * everywhere; null otherwise.
 */
function filterSparse(source: FormulaValue, include: FormulaValue, context: CallContext): number[] | null {
  if (!(source instanceof Range) || !(include instanceof ArrayMatrix) || !include.sparse) return null;
  const { rest, positions, values } = include.sparse;
  if (include.cols !== 1 || include.rows !== source.rows || toBoolean(rest) !== false) return null;
  context.spend(positions.length);
  const rows: number[] = [];
  for (let at = 0; at < positions.length; at += 1) {
    const holds = toBoolean(values[at]);
    if (holds instanceof CellError) return null;
    if (holds) rows.push(positions[at]!);
  }
  return rows;
}

function pickFromRange(range: Range, rows: readonly number[], context: CallContext): FormulaValue {
  context.spend(rows.length * range.cols);
  const cells: CellValue[] = [];
  for (const row of rows) for (let col = 0; col < range.cols; col += 1) cells.push(range.at(row, col));
  return arrayResult(rows.length, range.cols, cells);
}

interface SortKey {
  values: readonly CellValue[];
  direction: number;
}

/** Returns positions (from 0) sorted by the keys, the first key first. The sort is stable. */
function orderBy(keys: readonly SortKey[], context: CallContext): number[] {
  const count = keys[0]!.values.length;
  context.spend(count * Math.ceil(Math.log2(count + 1)) * keys.length);
  return Array.from({ length: count }, (_, at) => at).sort((left, right) => {
    for (const { values, direction } of keys) {
      const order = sortOrder(values[left]!, values[right]!, direction);
      if (order !== 0) return order;
    }
    return left - right;
  });
}

/** Reads the integers of an argument that may be an array; `fallback` if omitted. */
function wholesOf(arg: FormulaValue, fallback: number, context: CallContext): number[] | CellError {
  if (arg === undefined) return [fallback];
  const array = arrayOf(arg, context);
  if (array instanceof CellError) return array;
  const wholes: number[] = [];
  for (const value of array.cells) {
    const number = toNumber(value);
    if (typeof number !== 'number') return number;
    wholes.push(Math.trunc(number));
  }
  return wholes;
}

const isDirection = (value: number): boolean => value === 1 || value === -1;

function sort([source, index, order, byColumn]: FormulaValue[], context: CallContext): FormulaValue {
  const array = arrayOf(source, context);
  if (array instanceof CellError) return array;
  const numbers = wholesOf(index, 1, context);
  if (numbers instanceof CellError) return numbers;
  const directions = wholesOf(order, 1, context);
  if (directions instanceof CellError) return directions;
  const isByColumn = truthOf(byColumn, false);
  if (isByColumn instanceof CellError) return isByColumn;
  const count = isByColumn ? array.rows : array.cols;
  if (numbers.some((number) => number < 1 || number > count) || !directions.every(isDirection)) return VALUE_ERROR;
  if (directions.length !== 1 && directions.length !== numbers.length) return VALUE_ERROR;
  const keys = numbers.map((number, at) => ({
    values: isByColumn ? rowOf(array, number - 1) : colOf(array, number - 1),
    direction: directions[directions.length === 1 ? 0 : at]!,
  }));
  return isByColumn
    ? pickCols(array, orderBy(keys, context), context)
    : pickRows(array, orderBy(keys, context), context);
}

function sortBy([source, ...pairs]: FormulaValue[], context: CallContext): FormulaValue {
  const array = arrayOf(source, context);
  if (array instanceof CellError) return array;
  const keys: SortKey[] = [];
  let isByRow: boolean | null = null;
  for (let at = 0; at < pairs.length; at += 2) {
    const by = arrayOf(pairs[at], context);
    if (by instanceof CellError) return by;
    const direction = wholesOf(pairs[at + 1], 1, context);
    if (direction instanceof CellError) return direction;
    if (direction.length !== 1 || !isDirection(direction[0]!)) return VALUE_ERROR;
    const isColumn = by.cols === 1 && by.rows === array.rows;
    if (!isColumn && !(by.rows === 1 && by.cols === array.cols)) return VALUE_ERROR;
    if (isByRow !== null && isByRow !== isColumn) return VALUE_ERROR;
    isByRow = isColumn;
    keys.push({ values: by.cells, direction: direction[0]! });
  }
  const positions = orderBy(keys, context);
  return isByRow ? pickRows(array, positions, context) : pickCols(array, positions, context);
}

const isArray = (arg: FormulaValue): arg is ArrayMatrix | Range => isMatrix(arg) && arg.rows * arg.cols > 1;

/**
 * Handles options that are arrays. Excel returns an array of their shape: only its first element contains the first
 * value of UNIQUE, the others are 0 or the option's error. Source: values saved by Excel.
 */
function uniqueOfEach(
  source: FormulaValue,
  byColumn: FormulaValue,
  once: FormulaValue,
  context: CallContext,
): FormulaValue {
  const options = [byColumn, once].filter(isArray);
  const rows = Math.max(...options.map((option) => option.rows));
  const cols = Math.max(...options.map((option) => option.cols));
  const cells = createCells(rows, cols, context);
  const optionAt = (option: FormulaValue, row: number, col: number): FormulaValue =>
    isArray(option) ? option.at(option.rows === 1 ? 0 : row, option.cols === 1 ? 0 : col) : option;
  for (let at = 0; at < cells.length; at += 1) {
    const [row, col] = [Math.floor(at / cols), at % cols];
    const [column, single] = [optionAt(byColumn, row, col), optionAt(once, row, col)];
    const truths = [truthOf(column, false), truthOf(single, false)];
    const first = at === 0 ? unique([source, column, single], context) : 0;
    cells[at] = truths.find((truth) => truth instanceof CellError) ?? singleOf(first) ?? 0;
  }
  return new ArrayMatrix(rows, cols, cells);
}

function unique([source, byColumn, once]: FormulaValue[], context: CallContext): FormulaValue {
  if (isArray(byColumn) || isArray(once)) return uniqueOfEach(source, byColumn, once, context);
  const array = arrayOf(source, context);
  if (array instanceof CellError) return array;
  const isByColumn = truthOf(byColumn, false);
  if (isByColumn instanceof CellError) return isByColumn;
  const isOnce = truthOf(once, false);
  if (isOnce instanceof CellError) return isOnce;
  context.spend(array.cells.length);
  const found = new Map<string, { at: number; count: number }>();
  const count = isByColumn ? array.cols : array.rows;
  for (let at = 0; at < count; at += 1) {
    const key = sameKeyOf(isByColumn ? colOf(array, at) : rowOf(array, at));
    const entry = found.get(key);
    if (entry) entry.count += 1;
    else found.set(key, { at, count: 1 });
  }
  const positions = [...found.values()].filter((entry) => !isOnce || entry.count === 1).map(({ at }) => at);
  return isByColumn ? pickCols(array, positions, context) : pickRows(array, positions, context);
}

export const sortingFunctions: FunctionDefinition[] = [
  defineFunction('FILTER', 'aar', filter, { required: 2 }),
  defineFunction('SORT', 'arrv', sort, { required: 1 }),
  defineFunction('SORTBY', 'aar', sortBy, { required: 2, repeat: 2 }),
  defineFunction('UNIQUE', 'arr', unique, { required: 1 }),
];
