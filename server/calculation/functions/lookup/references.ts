/** Calculated references: INDEX, OFFSET, INDIRECT; and HYPERLINK, of which a cell shows only the name. */
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { REF_ERROR, toNumber, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, asMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { singleOf, slice, truthOf, wholeOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';

/** INDEX returns a reference for a reference, and values for an array; 0 selects all rows or columns. */
function index(args: FormulaValue[], context: CallContext): FormulaValue {
  const [source, first, second, area] = args;
  if (source instanceof CellError) return source;
  const areaNumber = wholeOf(area, 1);
  if (typeof areaNumber !== 'number') return areaNumber;
  const matrix = areaOf(source, areaNumber);
  if (matrix instanceof CellError) return matrix;
  const one = wholeOf(first, 0);
  if (typeof one !== 'number') return one;
  // With only one number, a single row is indexed by its columns.
  const isAlongRow = args.length === 2 && matrix.rows === 1;
  if (isAlongRow) return pick(matrix, matrix.cols === 1 ? one : 1, matrix.cols === 1 ? 1 : one, context);
  // A range with several rows and columns requires both numbers.
  if (args.length === 2 && source instanceof Range && matrix.cols > 1) return one < 0 ? VALUE_ERROR : REF_ERROR;
  const two = args.length === 2 ? (matrix.cols === 1 ? 1 : 0) : wholeOf(second, 0);
  if (typeof two !== 'number') return two;
  return pick(matrix, one, two, context);
}

function areaOf(source: FormulaValue, area: number): ArrayMatrix | Range | CellError {
  if (area < 1) return VALUE_ERROR;
  if (source instanceof Areas) return source.ranges[area - 1] ?? REF_ERROR;
  if (area !== 1) return REF_ERROR;
  return asMatrix(source) ?? VALUE_ERROR;
}

function pick(matrix: ArrayMatrix | Range, row: number, col: number, context: CallContext): FormulaValue {
  if (row < 0 || col < 0) return VALUE_ERROR;
  if (row > matrix.rows || col > matrix.cols) return REF_ERROR;
  if (row > 0 && col > 0 && matrix instanceof ArrayMatrix) return matrix.at(row - 1, col - 1);
  if (row === 0 && col === 0) return matrix;
  const top = Math.max(row - 1, 0);
  const left = Math.max(col - 1, 0);
  return slice(matrix, top, left, row === 0 ? matrix.rows : 1, col === 0 ? matrix.cols : 1, context);
}

function offset([reference, rowCount, colCount, height, width]: FormulaValue[], context: CallContext): FormulaValue {
  if (!(reference instanceof Range)) return VALUE_ERROR;
  const numbers: number[] = [];
  for (const [arg, fallback, isSize] of [
    [rowCount, 0, false],
    [colCount, 0, false],
    [height, reference.rows, true],
    [width, reference.cols, true],
  ] as const) {
    const number = wholeOf(arg, fallback);
    if (typeof number !== 'number') return number;
    // A size between 0 and 1 means one row or column. Source: values saved by Excel.
    numbers.push(number === 0 && isSize && isPartOfOne(arg) ? 1 : number);
  }
  const [down, right, rows, cols] = numbers as [number, number, number, number];
  if (rows === 0 || cols === 0) return REF_ERROR;
  // A negative height or width extends up or to the left of the same corner.
  const top = reference.top + down + (rows < 0 ? rows + 1 : 0);
  const left = reference.left + right + (cols < 0 ? cols + 1 : 0);
  const bottom = top + Math.abs(rows) - 1;
  const last = left + Math.abs(cols) - 1;
  if (top < 0 || left < 0 || bottom >= MAX_ROWS || last >= MAX_COLS) return REF_ERROR;
  return context.range(reference.sheet, { top, left, bottom, right: last });
}

function indirect([text, style]: FormulaValue[], context: CallContext): FormulaValue {
  const address = toText(text as CellValue);
  if (typeof address !== 'string') return address;
  const isA1 = truthOf(style, true);
  return isA1 instanceof CellError ? isA1 : context.resolve(address, isA1);
}

const isPartOfOne = (arg: FormulaValue): boolean => arg !== undefined && Number(toNumber(singleOf(arg))) > 0;

export const referenceFunctions: FunctionDefinition[] = [
  defineFunction('INDEX', 'rvvv', index, { required: 2 }),
  defineFunction('OFFSET', 'Rvvvv', offset, { required: 3, volatile: true, givesReferences: true }),
  defineFunction('INDIRECT', 'vv', indirect, { required: 1, volatile: true, givesReferences: true }),
  defineFunction('HYPERLINK', 'vv', ([link, name]) => (name === undefined ? link : name), { required: 1 }),
];
