/** Converts values for IronCalc, which accepts what a user would type, and reads values back. */
import type { IronCalcModelApi } from '../peers.ts';
import { cellError } from '#server/calculation/values/cell-value.ts';
import type { CellError, CellValue } from '#server/calculation/values/cell-value.ts';

/**
 * Number format with which IronCalc writes a number with all its digits, followed by a blank and an hour that is not
 * used.
 */
const EXACT_FORMAT = '@" "h';
const EXACT = /^(-?(?:\d+(?:\.\d+)?|inf|NaN)) -?\d+$/;
const FORMULA_ERRORS: Record<string, string> = {
  '#ERROR!': '#VALUE!',
  '#N/IMPL!': '#NAME?',
  '#N/IMPL': '#NAME?',
  '#CIRC!': '#REF!',
};

/** Returns what to type for the cell to hold exactly this value. */
export function inputText(value: CellValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return decimalText(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  // The apostrophe makes '1/2', '=A1' and 'TRUE' texts.
  if (typeof value === 'string') return `'${value}`;
  return errorText(value);
}

/** Error values that IronCalc does not know become #N/A. */
function errorText({ code }: CellError): string {
  return ['#GETTING_DATA', '#CONNECT!', '#BLOCKED!', '#UNKNOWN!', '#FIELD!'].includes(code) ? '#N/A' : code;
}

/** Returns all digits without an exponent. With an exponent, IronCalc would choose a scientific format. */
function decimalText(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-])(\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, first, rest = '', direction, size] = match;
  const exponent = Number(size);
  if (direction === '-') return `${sign}0.${'0'.repeat(exponent - 1)}${first}${rest}`;
  return sign + first! + rest + '0'.repeat(exponent - rest.length);
}

export function setExactFormat(
  engine: IronCalcModelApi,
  sheet: number,
  row: number,
  column: number,
  height = 1,
  width = 1,
): void {
  engine.updateRangeStyle({ sheet, row, column, width, height }, 'num_fmt', EXACT_FORMAT);
}

/** Returns the value of a cell. Rows and columns count from 1 here, as in IronCalc. */
export function readValue(engine: IronCalcModelApi, sheet: number, row: number, column: number): CellValue {
  const text = engine.getFormattedCellValue(sheet, row, column);
  switch (engine.getCellType(sheet, row, column)) {
    case 1:
      return text === '' ? null : readNumber(engine, sheet, row, column, text);
    case 4:
      return text === 'TRUE';
    case 16:
      return cellError(FORMULA_ERRORS[text] ?? text) ?? cellError('#VALUE!')!;
    default:
      return text;
  }
}

/** Some formulas set the number format of their cell (dates, currencies). Such a cell is formatted again and reread. */
function readNumber(engine: IronCalcModelApi, sheet: number, row: number, column: number, text: string): CellValue {
  let match = EXACT.exec(text);
  if (!match) {
    setExactFormat(engine, sheet, row, column);
    match = EXACT.exec(engine.getFormattedCellValue(sheet, row, column));
  }
  const value = match ? Number(match[1]) : Number.NaN;
  return Number.isFinite(value) ? value : cellError('#NUM!')!;
}
