/** Information on formulas and sheets of the workbook: FORMULATEXT, ISFORMULA, SHEET, SHEETS, INFO. */
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, ArrayMatrix, Range } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';
import { typed } from '../typed.ts';

/** Longest formula that Excel shows, in characters. */
const MAX_FORMULA = 8192;

const onlyRange = (value: FormulaValue): Range | null => {
  if (value instanceof Areas) return value.ranges.length === 1 ? value.ranges[0]! : null;
  return value instanceof Range ? value : null;
};

/** Creates a function with a result for each cell of a reference. */
function perCell(
  name: string,
  ask: (sheet: number, row: number, col: number, context: CallContext) => CellValue,
): FunctionDefinition {
  return defineFunction(name, 'R', ([reference], context) => {
    const range = onlyRange(reference);
    if (!range) return VALUE_ERROR;
    const { sheet, top, left, rows, cols } = range;
    if (rows * cols === 1) return ask(sheet, top, left, context);
    context.spend(rows * cols);
    const cells = Array.from({ length: rows * cols }, (_, index) =>
      ask(sheet, top + Math.floor(index / cols), left + (index % cols), context),
    );
    return new ArrayMatrix(rows, cols, cells);
  });
}

function sheetNumber([value]: FormulaValue[], context: CallContext): FormulaValue {
  if (value === undefined) return context.sheet + 1;
  const range = value instanceof Areas ? value.ranges[0]! : value;
  // Sheets of other workbooks have no number here.
  if (range instanceof Range) return range.sheet < context.sheetNames().length ? range.sheet + 1 : NA_ERROR;
  if (value instanceof CellError) return value;
  if (typeof value !== 'string') return NA_ERROR;
  const name = value.toLowerCase();
  const index = context.sheetNames().findIndex((sheet) => sheet.toLowerCase() === name);
  return index < 0 ? NA_ERROR : index + 1;
}

function sheetCount([value]: FormulaValue[], context: CallContext): FormulaValue {
  if (value === undefined) return context.sheetNames().length;
  if (value instanceof Range) return 1;
  if (value instanceof CellError) return value;
  return value instanceof Areas ? new Set(value.ranges.map(({ sheet }) => sheet)).size : NA_ERROR;
}

/** INFO describes a Windows computer with Excel 2016 or later, which no longer reports memory. */
function info(kind: string, context: CallContext): FormulaValue {
  switch (kind.toLowerCase()) {
    case 'numfile':
      return context.sheetNames().length;
    case 'origin':
      return '$A:$A$1';
    case 'osversion':
      return 'Windows (64-bit) NT 10.00';
    case 'recalc':
      return 'Automatic';
    case 'release':
      return '16.0';
    case 'system':
      return 'pcdos';
    case 'directory':
      return '';
    case 'memavail':
    case 'memused':
    case 'totmem':
      return NA_ERROR;
    default:
      return VALUE_ERROR;
  }
}

export const sheetFunctions: FunctionDefinition[] = [
  perCell('FORMULATEXT', (sheet, row, col, context) => {
    const text = context.formulaText(sheet, row, col);
    return text === null || text.length > MAX_FORMULA ? NA_ERROR : text;
  }),
  perCell('ISFORMULA', (sheet, row, col, context) => context.formulaText(sheet, row, col) !== null),
  defineFunction('SHEET', 'r', sheetNumber, { required: 0 }),
  defineFunction('SHEETS', 'r', sheetCount, { required: 0 }),
  typed('INFO', 't', ([kind], context) => info(kind, context)),
];
