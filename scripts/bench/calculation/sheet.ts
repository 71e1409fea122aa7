/**
 * The sheet with which engines are compared: rows of ten formulas with lookups into a table, and sums by criteria over
 * the columns.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { FormulaModel, SheetModel, TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';

/** `isArray` marks an array formula of one cell. */
export type Cell = number | string | { formula: string; isArray?: true } | null;

export interface BenchmarkSheet {
  /** 'Data', 'Table' and 'Summary', row by row. */
  sheets: { name: string; rows: Cell[][] }[];
  formulas: number;
  /** Rows of 'Data' (from 0) in which the quantity is changed. */
  inputs: { row: number; col: number }[];
  /** Blocks of numbers. Their sum must be the same for all engines. */
  checked: { sheet: number; block: CellBlock }[];
  /** Defined names of the workbook, each with its formula text. */
  names?: readonly (readonly [name: string, text: string])[];
  /** True if the whole of 'Data' is the table 'Orders'. */
  isTable?: boolean;
}

export const REGIONS = Array.from({ length: 17 }, (_, index) => `Region ${index + 1}`);
const SIZES = ['large', 'medium', 'small', '*'];

/** A seeded generator, which produces the same numbers in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/**
 * Builds `rows` rows of ten formulas and `tableRows` rows of the lookup table, plus 204 sums if `hasSummary` is true.
 */
export function benchmarkSheet(rows: number, tableRows: number, hasSummary = true): BenchmarkSheet {
  const random = randomNumbers(7);
  const table: Cell[][] = [['Code', 'Name', 'Price', 'Discount']];
  for (let row = 0; row < tableRows; row += 1) {
    table.push([code(row), `Product ${row}`, Math.round(random() * 10_000) / 100, Math.round(random() * 30) / 100]);
  }
  const data: Cell[][] = [
    'Id,Code,Date,Quantity,Price,Region,Listed,Discount,Amount,Size,Month,Due,Sum,Span,Days,Net'.split(','),
  ];
  for (let row = 0; row < rows; row += 1) data.push(dataRow(row + 2, tableRows, random));
  const sheets = [
    { name: 'Data', rows: data },
    { name: 'Table', rows: table },
  ];
  const summary = hasSummary ? summaryRows(rows + 1) : [];
  if (hasSummary) sheets.push({ name: 'Summary', rows: summary });
  const inputs = Array.from({ length: 10 }, (_, index) => ({ row: 1 + Math.floor((index * rows) / 10), col: 3 }));
  const checked = [{ sheet: 0, block: { top: 1, left: 15, bottom: rows, right: 15 } }];
  if (hasSummary) checked.push({ sheet: 2, block: { top: 0, left: 0, bottom: 16, right: 11 } });
  return { sheets, formulas: rows * 10 + summary.flat().length, inputs, checked };
}

const code = (row: number): string => `P${String(row * 7).padStart(6, '0')}`;

function dataRow(row: number, tableRows: number, random: () => number): Cell[] {
  const last = tableRows + 1;
  const formulas = [
    `VLOOKUP(B${row},Table!$A$2:$D$${last},3,FALSE)`,
    `INDEX(Table!$D$2:$D$${last},MATCH(B${row},Table!$A$2:$A$${last},0))`,
    `ROUND(D${row}*E${row}*(1-H${row}),2)`,
    `IF(I${row}>1000,"large",IF(I${row}>100,"medium","small"))`,
    `TEXT(C${row},"yyyy-mm")`,
    `DATE(YEAR(C${row}),MONTH(C${row})+1,0)`,
    `SUM(D${row}:E${row},G${row})`,
    `MAX(D${row},E${row},G${row})-MIN(D${row},E${row},G${row})`,
    `L${row}-C${row}`,
    `IF(AND(J${row}="large",F${row}="Region 1"),I${row}*0.9,I${row})`,
  ];
  return [
    row - 1,
    code(Math.floor(random() * tableRows)),
    44_000 + Math.floor(random() * 1500),
    1 + Math.floor(random() * 100),
    Math.round(random() * 5000) / 100,
    REGIONS[Math.floor(random() * REGIONS.length)]!,
    ...formulas.map((formula) => ({ formula })),
  ];
}

function summaryRows(last: number): Cell[][] {
  const column = (letter: string): string => `Data!$${letter}$2:$${letter}$${last}`;
  return REGIONS.map((region) =>
    SIZES.flatMap((size) => {
      const criteria = `${column('F')},"${region}",${column('J')},"${size}"`;
      return [
        { formula: `SUMIFS(${column('P')},${criteria})` },
        { formula: `COUNTIFS(${criteria})` },
        { formula: `IFERROR(AVERAGEIFS(${column('I')},${criteria}),0)` },
      ];
    }),
  );
}

/** Returns the sum of all checked values, or NaN if one of them is not a number. */
export function sumOf({ checked }: BenchmarkSheet, values: (sheet: number, block: CellBlock) => unknown[][]): number {
  return checked
    .flatMap(({ sheet, block }) => values(sheet, block).flat())
    .reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : Number.NaN), 0);
}

/** Converts the sheets to the model that the file reader produces. */
export function toModel({ sheets, names = [], isTable = false }: BenchmarkSheet): WorkbookModel {
  const strings: string[] = [];
  const known = new Map<string, number>();
  const text = (value: string): number => {
    let at = known.get(value);
    if (at === undefined) known.set(value, (at = strings.push(value) - 1));
    return at;
  };
  return {
    date1904: false,
    iteration: { enabled: false, count: 100, delta: 0.001 },
    sheets: sheets.map(({ name, rows }, index) => sheetModel(name, index, rows, text)),
    names: names.map(([name, own]) => ({ name, sheet: null, text: own, hidden: false })),
    tables: isTable ? [tableOf(sheets[0]!.rows)] : [],
    strings,
    numberFormats: ['General'],
    externalLinks: [],
    hasMacros: false,
  };
}

function tableOf(rows: readonly Cell[][]): TableModel {
  const columns = rows[0]!.map((name) => ({ name: name as string }));
  const block = { top: 0, left: 0, bottom: rows.length - 1, right: columns.length - 1 };
  return { name: 'Orders', part: 'xl/tables/table1.xml', sheet: 0, block, headerRows: 1, totalsRows: 0, columns };
}

/** The formula as a user types it, without the prefixes that files use. */
export const typed = ({ formula }: { formula: string }): string => formula.replaceAll(/_xlfn\.(_xlws\.)?/g, '');

function formulaAt(
  { formula, isArray }: Exclude<Cell, null | number | string>,
  row: number,
  col: number,
): FormulaModel {
  const own = { text: formula, cell: { row, col } };
  return isArray
    ? { ...own, kind: 'array', block: { top: row, left: col, bottom: row, right: col } }
    : { ...own, kind: 'normal' };
}

function sheetModel(name: string, index: number, rows: Cell[][], text: (value: string) => number): SheetModel {
  const count = rows.reduce((sum, row) => sum + row.length, 0);
  const cells = {
    count,
    rows: new Uint32Array(count),
    cols: new Uint16Array(count),
    kinds: new Uint8Array(count),
    values: new Float64Array(count),
    styles: new Uint32Array(count),
    formulas: new Int32Array(count).fill(-1),
    formulaTable: [] as FormulaModel[],
  };
  let at = 0;
  rows.forEach((row, y) =>
    row.forEach((cell, x) => {
      cells.rows[at] = y;
      cells.cols[at] = x;
      if (typeof cell === 'number') {
        cells.kinds[at] = CellKind.Number;
        cells.values[at] = cell;
      } else if (typeof cell === 'string') {
        cells.kinds[at] = CellKind.Text;
        cells.values[at] = text(cell);
      } else if (cell) {
        cells.formulas[at] = cells.formulaTable.push(formulaAt(cell, y, x)) - 1;
      }
      at += 1;
    }),
  );
  return {
    name,
    part: `xl/worksheets/sheet${index + 1}.xml`,
    visibility: 'visible',
    cells,
    merges: [],
    validations: [],
    notes: [],
    hiddenRows: new Uint32Array(),
    hiddenColumns: [],
    columnStyles: [],
    rowStyles: new Map(),
  };
}
