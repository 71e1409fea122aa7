/** Builds small workbooks for tests from what a user would type. */
import { parseBlock, parseCell } from '#shared/codecs/cell-address.ts';
import { CellKind } from '../reader/workbook-model.ts';
import type {
  FormulaModel,
  SheetCells,
  SheetModel,
  TableModel,
  WorkbookModel,
  WorkbookOrigin,
} from '../reader/workbook-model.ts';
import { CellError, ERROR_CODES } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';

/**
 * A constant (as `constant` if it starts with '='), a formula '=…', or a formula with its saved value, and with its
 * block if it is an array formula.
 */
export type TestCell =
  | CellValue
  | { constant: CellValue }
  | { formula: string; saved?: CellValue; kind?: FormulaModel['kind']; block?: string };

export interface TestWorkbook {
  /** Cells by address; sheets by name in tab order. */
  sheets: Record<string, Record<string, TestCell>>;
  /** 'Name' or 'Sheet1!Name' with its text. */
  names?: Record<string, string>;
  tables?: {
    name: string;
    sheet: string;
    block: string;
    totals?: boolean;
    columns: (string | { name: string; calculatedFormula: string })[];
  }[];
  hiddenRows?: Record<string, number[]>;
  /** Blocks with an active filter, by sheet. */
  filters?: Record<string, string[]>;
  date1904?: boolean;
  origin?: Partial<WorkbookOrigin>;
}

export function buildModel(book: TestWorkbook): WorkbookModel {
  const strings: string[] = [];
  const names = Object.keys(book.sheets);
  const sheetOf = (name: string): number => names.indexOf(name);
  return {
    date1904: book.date1904 ?? false,
    iteration: { enabled: false, count: 100, delta: 0.001 },
    sheets: names.map((name, index) => ({
      ...buildSheet(name, index, book.sheets[name]!, strings, book.hiddenRows?.[name] ?? []),
      filters: (book.filters?.[name] ?? []).map((block) => parseBlock(block)!),
    })),
    names: Object.entries(book.names ?? {}).map(([key, text]) => {
      const [sheet, name] = key.includes('!') ? key.split('!') : [null, key];
      return { name: name!, sheet: sheet === null ? null : sheetOf(sheet!), text, hidden: false };
    }),
    tables: (book.tables ?? []).map((table): TableModel => ({
      name: table.name,
      part: `xl/tables/${table.name}.xml`,
      sheet: sheetOf(table.sheet),
      block: parseBlock(table.block)!,
      headerRows: 1,
      totalsRows: table.totals === true ? 1 : 0,
      columns: table.columns.map((column) => (typeof column === 'string' ? { name: column } : column)),
    })),
    strings,
    numberFormats: ['General'],
    externalLinks: [],
    hasMacros: false,
    origin: {
      program: null,
      calculatesOnLoad: false,
      isIncomplete: false,
      roundsToDisplay: false,
      ...book.origin,
    },
  };
}

function buildSheet(
  name: string,
  index: number,
  entries: Record<string, TestCell>,
  strings: string[],
  hidden: number[],
): SheetModel {
  const cells = Object.entries(entries)
    .map(([address, cell]) => ({ at: parseCell(address)!, cell }))
    .sort((a, b) => a.at.row - b.at.row || a.at.col - b.at.col);
  const formulaTable: FormulaModel[] = [];
  const stored: SheetCells = {
    count: cells.length,
    rows: Uint32Array.from(cells, ({ at }) => at.row),
    cols: Uint16Array.from(cells, ({ at }) => at.col),
    kinds: new Uint8Array(cells.length),
    values: new Float64Array(cells.length),
    styles: new Uint32Array(cells.length),
    formulas: new Int32Array(cells.length).fill(-1),
    formulaTable,
  };
  cells.forEach(({ at, cell }, position) => {
    const { formula, saved } = asFormula(cell);
    if (formula) stored.formulas[position] = formulaTable.push({ ...formula, cell: at }) - 1;
    const [kind, value] = encode(saved, strings);
    stored.kinds[position] = kind;
    stored.values[position] = value;
  });
  return {
    name,
    part: `xl/worksheets/sheet${index + 1}.xml`,
    visibility: 'visible',
    cells: stored,
    merges: [],
    validations: [],
    notes: [],
    hiddenRows: Uint32Array.from(hidden),
    hiddenColumns: [],
    columnStyles: [],
    rowStyles: new Map(),
  };
}

function asFormula(cell: TestCell): { formula: Omit<FormulaModel, 'cell'> | null; saved: CellValue } {
  if (typeof cell === 'string' && cell.startsWith('=')) {
    return { formula: { kind: 'normal', text: cell.slice(1) }, saved: null };
  }
  if (cell === null || typeof cell !== 'object' || cell instanceof CellError) return { formula: null, saved: cell };
  if ('constant' in cell) return { formula: null, saved: cell.constant };
  const { formula, saved = null, kind = 'normal', block } = cell;
  return { formula: { kind, text: formula.slice(1), ...(block ? { block: parseBlock(block)! } : {}) }, saved };
}

function encode(value: CellValue, strings: string[]): [number, number] {
  if (value === null) return [CellKind.Blank, 0];
  if (typeof value === 'number') return [CellKind.Number, value];
  if (typeof value === 'boolean') return [CellKind.Boolean, value ? 1 : 0];
  if (typeof value === 'string') return [CellKind.Text, strings.push(value) - 1];
  return [CellKind.Error, ERROR_CODES.indexOf(value.code)];
}
