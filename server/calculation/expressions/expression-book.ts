/** Builds the workbook in which an expression is evaluated: one sheet for each value that it reads. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CellKind } from '../reader/workbook-model.ts';
import type { SheetCells, SheetModel, WorkbookModel } from '../reader/workbook-model.ts';
import { Absolute } from '../syntax/ast.ts';
import type { ReferenceNode } from '../syntax/ast.ts';
import { CellError, ERROR_CODES } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';

/** Sheet of the expression itself, which is blank. */
export const OWN_SHEET = 0;

const sheetName = (index: number): string => `Value ${index + 1}`;

/** The cells of a value. */
export interface ValueCells {
  values: readonly (readonly CellValue[])[];
  /** Number of columns. */
  width: number;
}

export function expressionBook(values: readonly ValueCells[]): WorkbookModel {
  const strings: string[] = [];
  const own = sheetModel('Expression', { values: [], width: 0 }, strings);
  return {
    date1904: false,
    iteration: { enabled: false, count: 100, delta: 0.001 },
    sheets: [own, ...values.map((value, index) => sheetModel(sheetName(index), value, strings))],
    names: [],
    tables: [],
    strings,
    numberFormats: ['General'],
    externalLinks: [],
    hasMacros: false,
  };
}

function sheetModel(name: string, value: ValueCells, strings: string[]): SheetModel {
  return {
    name,
    part: '',
    visibility: 'visible',
    cells: sheetCells(value, strings),
    merges: [],
    validations: [],
    notes: [],
    hiddenRows: new Uint32Array(),
    hiddenColumns: [],
    columnStyles: [],
    rowStyles: new Map(),
  };
}

/** A corner cell beyond the value keeps its last rows and columns in use if they are blank. */
function sheetCells({ values, width }: ValueCells, strings: string[]): SheetCells {
  const corner: CellValue[] = [];
  corner[width] = '';
  const rows = [...values, ...(values.length === 0 ? [[]] : []), Array.from(corner, (cell) => cell ?? null)];
  const count = rows.reduce((sum, row) => sum + row.filter((value) => value !== null).length, 0);
  const cells: SheetCells = {
    count,
    rows: new Uint32Array(count),
    cols: new Uint16Array(count),
    kinds: new Uint8Array(count),
    values: new Float64Array(count),
    styles: new Uint32Array(count),
    formulas: new Int32Array(count).fill(-1),
    formulaTable: [],
  };
  const indexes = new Map<string, number>();
  let at = 0;
  for (const [y, row] of rows.entries()) {
    for (const [x, value] of row.entries()) {
      if (value === null) continue;
      cells.rows[at] = y;
      cells.cols[at] = x;
      cells.kinds[at] = kindOf(value);
      cells.values[at] = storedValue(value, strings, indexes);
      at += 1;
    }
  }
  return cells;
}

function kindOf(value: CellValue): number {
  if (typeof value === 'number') return CellKind.Number;
  if (typeof value === 'string') return CellKind.Text;
  return typeof value === 'boolean' ? CellKind.Boolean : CellKind.Error;
}

function storedValue(value: CellValue, strings: string[], indexes: Map<string, number>): number {
  if (value instanceof CellError) return ERROR_CODES.indexOf(value.code);
  if (typeof value !== 'string') return Number(value);
  let index = indexes.get(value);
  if (index === undefined) indexes.set(value, (index = strings.push(value) - 1));
  return index;
}

/** Returns a reference to cells of a value. */
export function referenceTo(value: number, { top, left, bottom, right }: CellBlock): ReferenceNode {
  return {
    type: 'reference',
    prefix: { book: null, first: sheetName(value), last: null },
    shape: top === bottom && left === right ? 'cell' : 'range',
    row1: top,
    col1: left,
    row2: bottom,
    col2: right,
    absolute: Absolute.row1 | Absolute.col1 | Absolute.row2 | Absolute.col2,
  };
}
