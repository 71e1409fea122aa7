/** Resolves the names of sheets, defined names and tables in a workbook, ignoring case. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { TableModel, WorkbookModel } from '../reader/workbook-model.ts';
import type { NameNode, Node, SheetPrefix, StructuredNode } from '../syntax/ast.ts';
import { parseFormula } from '../syntax/parser.ts';
import type { ErrorCode } from '../values/cell-value.ts';
import { ExternalBooks } from './external-books.ts';

export interface SheetBlock {
  sheet: number;
  block: CellBlock;
}

/**
 * A name's formula; `tree` is null if it cannot be parsed. Relative references in it are distances from the cell that
 * uses it.
 */
export interface ResolvedName {
  tree: Node | null;
  text: string;
}

/** The properties of a table that a resize may change. */
export type TableShape = Pick<TableModel, 'name' | 'sheet' | 'block' | 'headerRows' | 'totalsRows' | 'columns'>;

export class Scope {
  readonly sheetNames: string[];
  private readonly sheets: Map<string, number>;
  private readonly names = new Map<string, { text: string; resolved: ResolvedName | null }>();
  private readonly tablesByName: Map<string, TableShape>;
  readonly tables: readonly TableShape[];

  private readonly model: WorkbookModel;
  private readonly external: ExternalBooks;

  constructor(model: WorkbookModel, tables: readonly TableShape[] = model.tables) {
    this.model = model;
    this.external = new ExternalBooks(model);
    this.sheetNames = model.sheets.map((sheet) => sheet.name);
    this.sheets = new Map(this.sheetNames.map((name, index) => [name.toLowerCase(), index]));
    for (const { name, sheet, text } of model.names) {
      this.names.set(nameKey(name, sheet), { text, resolved: null });
    }
    this.tables = tables;
    this.tablesByName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  }

  sheetIndex(name: string): number | null {
    return this.sheets.get(name.toLowerCase()) ?? null;
  }

  /** Returns the same workbook with these tables, and with every name's formula rewritten by `change`. */
  with(tables: readonly TableShape[], change: (tree: Node) => Node): Scope {
    const scope = new Scope(this.model, tables);
    for (const [key, { text, resolved }] of this.names) {
      const tree = resolved ? resolved.tree : parseName(text);
      scope.names.set(key, { text, resolved: { text, tree: tree && change(tree) } });
    }
    return scope;
  }

  /**
   * Returns the sheets that a prefix refers to for a formula on `sheet`, in tab order. Returns null for missing sheets,
   * and for sheets of other books without values.
   */
  prefixSheets(prefix: SheetPrefix | null, sheet: number): number[] | null {
    if (prefix === null) return [sheet];
    if (isOtherBook(prefix)) return this.external.sheets(prefix);
    if (prefix.first === null) return [sheet];
    const first = this.sheetIndex(prefix.first);
    const last = prefix.last === null ? first : this.sheetIndex(prefix.last);
    if (first === null || last === null) return null;
    const low = Math.min(first, last);
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => low + index);
  }

  /**
   * Resolves a name for a formula on `sheet`: a sheet-level name first, then a workbook-level name, then a table; null
   * if there is none. A table's name alone refers to its data. Source: ECMA-376 part 1, 18.17.2.3.
   */
  name(node: NameNode, sheet: number): ResolvedName | null {
    if (isOtherBook(node.prefix)) return this.external.name(node);
    const own = node.prefix?.first == null ? sheet : this.sheetIndex(node.prefix.first);
    const mayBeTable = !node.variable && node.isFunction !== true;
    return this.nameCalled(node.name, own) ?? (mayBeTable ? this.tableName(node.name) : null);
  }

  nameCalled(name: string, sheet: number | null): ResolvedName | null {
    const entry =
      (sheet === null ? undefined : this.names.get(nameKey(name, sheet))) ?? this.names.get(nameKey(name, null));
    if (!entry) return null;
    entry.resolved ??= { text: entry.text, tree: parseName(entry.text) };
    return entry.resolved;
  }

  private tableName(name: string): ResolvedName | null {
    const table = this.table(name);
    return table && { tree: wholeTable(table.name), text: table.name };
  }

  table(name: string): TableShape | null {
    return this.tablesByName.get(name.toLowerCase()) ?? null;
  }

  /** Resolves a table reference from a cell; returns an error code if it points nowhere. */
  structured(node: StructuredNode, sheet: number, at: CellPosition): SheetBlock | ErrorCode {
    if (isOtherBook(node.prefix)) return '#REF!';
    const table = node.table === null ? this.tableAround(sheet, at) : this.table(node.table);
    if (!table) return '#REF!';
    const rows = tableRows(table, node, at);
    if (typeof rows === 'string') return rows;
    let { left, right } = table.block;
    if (node.first !== null) {
      const first = columnOf(table, node.first);
      const last = columnOf(table, node.last ?? node.first);
      if (first < 0 || last < 0) return '#REF!';
      left = table.block.left + Math.min(first, last);
      right = table.block.left + Math.max(first, last);
    }
    return { sheet: table.sheet, block: { top: rows.top, left, bottom: rows.bottom, right } };
  }

  /** Returns the table that covers a cell. */
  tableAround(sheet: number, { row, col }: CellPosition): TableShape | null {
    return (
      this.tables.find(
        ({ sheet: own, block }) =>
          own === sheet && row >= block.top && row <= block.bottom && col >= block.left && col <= block.right,
      ) ?? null
    );
  }
}

/** Returns true if a prefix refers to another workbook; '[0]' is the workbook itself. */
export function isOtherBook(prefix: SheetPrefix | null): boolean {
  return prefix !== null && prefix.book !== null && prefix.book !== '0';
}

/** Returns a reference to the data of a table, as its name alone does. */
function wholeTable(table: string): StructuredNode {
  return { type: 'structured', prefix: null, table, items: [], first: null, last: null };
}

function nameKey(name: string, sheet: number | null): string {
  return `${sheet ?? ''}!${name.toLowerCase()}`;
}

function parseName(text: string): Node | null {
  try {
    return parseFormula(text.startsWith('=') ? text.slice(1) : text, { row: 0, col: 0 });
  } catch {
    return null;
  }
}

function columnOf(table: TableShape, name: string): number {
  // Column names may differ only in their blanks.
  const lower = name.toLowerCase();
  const exact = table.columns.findIndex((column) => column.name.toLowerCase() === lower);
  if (exact >= 0) return exact;
  const wanted = columnKey(name);
  return table.columns.findIndex((column) => columnKey(column.name) === wanted);
}

/** Table parts write headers with line breaks with one or the other type of break, or escaped. */
function columnKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/_x000[ad]_|\r\n|[\r\n]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}

/** Returns the first and last data row of a table. */
export function dataRows({ block, headerRows, totalsRows }: TableShape): { top: number; bottom: number } {
  return { top: block.top + headerRows, bottom: block.bottom - totalsRows };
}

function tableRows(
  table: TableShape,
  node: StructuredNode,
  at: CellPosition,
): { top: number; bottom: number } | ErrorCode {
  const data = dataRows(table);
  const { block, headerRows, totalsRows } = table;
  if (node.items.includes('#This Row')) {
    if (at.row < data.top || at.row > data.bottom) return '#VALUE!';
    return { top: at.row, bottom: at.row };
  }
  if (node.items.length === 0) return data;
  const parts = node.items.map((item): { top: number; bottom: number } | null => {
    if (item === '#All') return { top: block.top, bottom: block.bottom };
    if (item === '#Headers') return headerRows > 0 ? { top: block.top, bottom: block.top + headerRows - 1 } : null;
    if (item === '#Totals') return totalsRows > 0 ? { top: data.bottom + 1, bottom: block.bottom } : null;
    return data;
  });
  const there = parts.filter((part) => part !== null);
  if (there.length === 0) return '#REF!';
  return { top: Math.min(...there.map(({ top }) => top)), bottom: Math.max(...there.map(({ bottom }) => bottom)) };
}
