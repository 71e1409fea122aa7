/** Positions and sizes of references: ROW, COLUMN, ROWS, COLUMNS, AREAS, ADDRESS. */
import { columnLetters, MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { CellError, type CellValue } from '#server/calculation/values/cell-value.ts';
import { REF_ERROR, toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, asMatrix, Range, type FormulaValue } from '#server/calculation/values/matrix.ts';
import { checkSize, createCells, truthOf, wholeOf } from '../array/cells.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';

/** Returns the single range of a reference. */
function rangeOf(reference: FormulaValue): Range | CellError {
  if (reference instanceof Range) return reference;
  if (reference instanceof Areas && reference.ranges.length === 1) return reference.ranges[0]!;
  return reference instanceof Areas ? REF_ERROR : VALUE_ERROR;
}

/** Returns the cells of the current formula; an array formula can fill several. */
function ownCells(context: CallContext): Range {
  const { sheet, row: top, col: left, filled } = context;
  return context.range(sheet, filled ?? { top, left, bottom: top, right: left });
}

function row([reference]: FormulaValue[], context: CallContext): FormulaValue {
  const range = reference === undefined ? ownCells(context) : rangeOf(reference);
  if (range instanceof CellError || range.rows === 1) return range instanceof CellError ? range : range.top + 1;
  checkSize(range.rows, 1);
  return ArrayMatrix.ofNumbers(range.rows, range.top + 1);
}

function column([reference]: FormulaValue[], context: CallContext): FormulaValue {
  const range = reference === undefined ? ownCells(context) : rangeOf(reference);
  if (range instanceof CellError || range.cols === 1) return range instanceof CellError ? range : range.left + 1;
  const cells = createCells(1, range.cols, context);
  for (let index = 0; index < cells.length; index += 1) cells[index] = range.left + index + 1;
  return new ArrayMatrix(1, range.cols, cells);
}

/** ROWS and COLUMNS: of a reference or an array; a single value has one of each. */
function extent(of: 'rows' | 'cols'): FunctionDefinition['call'] {
  return ([arg]) => {
    if (arg instanceof CellError) return arg;
    if (arg instanceof Areas) return REF_ERROR;
    return arg === undefined ? VALUE_ERROR : (asMatrix(arg)?.[of] ?? VALUE_ERROR);
  };
}

/** Whether row and column are absolute, by reference type 1 to 4. */
const FIXED = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

/**
 * Returns a sheet name as written before '!', quoted if necessary. A workbook name in brackets requires no quotes
 * itself (Microsoft's page has them, the values saved by Excel do not).
 */
function sheetPrefix(sheet: string): string {
  const own = sheet.replace(/^\[[\p{L}\p{N}_.]+\](?=.)/u, '');
  const isPlain = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(own) && !/^([a-z]{1,3}\d+|r\d*c?\d*|c\d*)$/i.test(own);
  return isPlain || sheet === '' ? `${sheet}!` : `'${sheet.replaceAll("'", "''")}'!`;
}

function address([rowNumber, colNumber, kind, style, sheet]: FormulaValue[]): FormulaValue {
  const numbers: number[] = [];
  for (const [arg, fallback] of [
    [rowNumber, 0],
    [colNumber, 0],
    [kind, 1],
  ] as const) {
    const number = wholeOf(arg, fallback);
    if (typeof number !== 'number') return number;
    numbers.push(number);
  }
  const [row, col, type] = numbers as [number, number, number];
  const isA1 = truthOf(style, true);
  if (isA1 instanceof CellError) return isA1;
  const prefix = sheet === undefined ? '' : toText(sheet as CellValue);
  if (typeof prefix !== 'string') return prefix;
  const fixed = FIXED[type - 1];
  // Relative R1C1 addresses are distances and can have any value.
  const isOutside = row < 1 || row > MAX_ROWS || col < 1 || col > MAX_COLS;
  if (!fixed || (isOutside && (isA1 || type === 1))) return VALUE_ERROR;
  const text = isA1 ? a1(row, col, fixed) : r1c1(row, col, fixed);
  return sheet === undefined ? text : sheetPrefix(prefix) + text;
}

const a1 = (row: number, col: number, [fixedRow, fixedCol]: readonly [boolean, boolean]): string =>
  `${fixedCol ? '$' : ''}${columnLetters(col - 1)}${fixedRow ? '$' : ''}${row}`;

const r1c1 = (row: number, col: number, [fixedRow, fixedCol]: readonly [boolean, boolean]): string =>
  `R${fixedRow ? row : `[${row}]`}C${fixedCol ? col : `[${col}]`}`;

export const positionFunctions: FunctionDefinition[] = [
  defineFunction('ROW', 'R', row, { required: 0 }),
  defineFunction('COLUMN', 'R', column, { required: 0 }),
  defineFunction('ROWS', 'a', extent('rows')),
  defineFunction('COLUMNS', 'a', extent('cols')),
  defineFunction('AREAS', 'R', ([reference]) => (reference instanceof Areas ? reference.ranges.length : 1)),
  defineFunction('ADDRESS', 'vvvvv', address, { required: 2 }),
];
