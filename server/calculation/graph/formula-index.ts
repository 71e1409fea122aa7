/** Indexes the formula cells of a workbook: parsed, numbered in sheet and row order, and searchable by block. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { FormulaModel, WorkbookModel } from '../reader/workbook-model.ts';
import type { Node } from '../syntax/ast.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { parseFormula } from '../syntax/parser.ts';
import { printFormula, printRelative } from '../syntax/printer.ts';
import { dataTable } from './data-tables.ts';
import { precedents } from './precedents.ts';
import type { Precedents } from './precedents.ts';
import { Scope } from './scope.ts';
import type { SheetBlock } from './scope.ts';

export interface FormulaCell extends CellPosition {
  sheet: number;
  /** Index into SheetCells of its sheet. */
  cell: number;
  formula: FormulaModel;
  /** Null if the text cannot be parsed. */
  tree: Node | null;
}

/**
 * Formula cells of one column of a sheet, by ascending row. All cells of an array formula or what-if table stand for
 * its anchor.
 */
export interface FormulaColumn {
  col: number;
  rows: number[];
  ids: number[];
}

/** Types of formulas whose results fill their block. */
export const FILLS_BLOCK: ReadonlySet<FormulaModel['kind']> = new Set(['array', 'dynamicArray', 'dataTable']);
/** An array formula over more cells than this is indexed by its anchor only. */
const MAX_ARRAY_CELLS = 1_000_000;

export class FormulaIndex {
  readonly cells: FormulaCell[] = [];
  readonly columns: FormulaColumn[][];
  readonly scope: Scope;

  constructor(model: WorkbookModel) {
    this.scope = new Scope(model);
    const trees = parseFormulas(model);
    this.columns = model.sheets.map((sheet, index) => {
      const byColumn = new Map<number, { row: number; id: number }[]>();
      const add = (row: number, col: number, id: number): void => {
        const list = byColumn.get(col);
        if (list) list.push({ row, id });
        else byColumn.set(col, [{ row, id }]);
      };
      const { cells } = sheet;
      for (let cell = 0; cell < cells.count; cell += 1) {
        const at = cells.formulas[cell]!;
        if (at < 0) continue;
        const formula = cells.formulaTable[at]!;
        const id = this.cells.length;
        const row = cells.rows[cell]!;
        const col = cells.cols[cell]!;
        this.cells.push({ sheet: index, row, col, cell, formula, tree: trees[index]![at]! });
        for (const position of arrayCells(formula, row, col)) add(position.row, position.col, id);
      }
      return [...byColumn]
        .map(([col, entries]) => {
          entries.sort((a, b) => a.row - b.row);
          return { col, rows: entries.map(({ row }) => row), ids: entries.map(({ id }) => id) };
        })
        .sort((a, b) => a.col - b.col);
    });
  }

  precedents(id: number): Precedents {
    const { tree, sheet, row, col, formula } = this.cells[id]!;
    if (formula.kind === 'dataTable') return { areas: tablePrecedents(sheet, formula), unknown: false };
    return tree ? precedents(tree, sheet, { row, col }, this.scope) : { areas: [], unknown: false };
  }

  /**
   * Calls `visit` for the columns of a block that contain formulas, with the positions from `from` up to but not
   * including `to`.
   */
  scan(sheet: number, block: CellBlock, visit: (column: FormulaColumn, from: number, to: number) => void): void {
    // Sheets of linked workbooks come after the workbook's own, and contain no formulas.
    const columns = this.columns[sheet] ?? [];
    for (let at = lowerBound(columns, block.left, ({ col }) => col); at < columns.length; at += 1) {
      const column = columns[at]!;
      if (column.col > block.right) break;
      const from = lowerBound(column.rows, block.top, (row) => row);
      const to = lowerBound(column.rows, block.bottom + 1, (row) => row);
      if (from < to) visit(column, from, to);
    }
  }
}

/**
 * Returns the formula as Excel shows it in its cell, without '='. For formulas that were filled down, the file contains
 * only the text of the first cell.
 */
export function textAt({ row, col, formula, tree }: FormulaCell): string {
  const isOwn = formula.cell.row === row && formula.cell.col === col;
  return isOwn || !tree ? formula.text : printFormula(tree, { row, col });
}

/** Returns the first position whose key is not less than `wanted`. */
export function lowerBound<T>(list: T[], wanted: number, key: (item: T) => number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]!) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* arrayCells(formula: FormulaModel, row: number, col: number): Generator<CellPosition> {
  yield { row, col };
  const { kind, block, cell } = formula;
  if (!FILLS_BLOCK.has(kind) || !block || cell.row !== row || cell.col !== col) return;
  if ((block.bottom - block.top + 1) * (block.right - block.left + 1) > MAX_ARRAY_CELLS) return;
  for (let y = block.top; y <= block.bottom; y += 1) {
    for (let x = block.left; x <= block.right; x += 1) {
      if (y !== row || x !== col) yield { row: y, col: x };
    }
  }
}

/**
 * Returns the trees by sheet and position in its formula table; equal formulas share one. Null if a text cannot be
 * parsed.
 */
function parseFormulas(model: WorkbookModel): (Node | null)[][] {
  const shared = new Map<string, Node>();
  return model.sheets.map(({ cells }) =>
    cells.formulaTable.map((formula) => {
      if (formula.kind === 'dataTable') return null;
      try {
        const tree = parseFormula(formula.text, formula.cell);
        const key = printRelative(tree);
        const known = shared.get(key);
        if (!known) shared.set(key, tree);
        return known ?? tree;
      } catch (error) {
        if (error instanceof ParseError) return null;
        throw error;
      }
    }),
  );
}

/** Returns what a what-if table reads: the values and formulas above it and to its left, and its input cells. */
function tablePrecedents(sheet: number, formula: FormulaModel): SheetBlock[] {
  const table = dataTable(sheet, formula);
  if (!table) return [];
  const { top, left, bottom, right } = table.block;
  const inputs = [table.rowInput, table.colInput].filter((input) => input !== null);
  return [
    { top: top - 1, left: left - 1, bottom: top - 1, right },
    { top, left: left - 1, bottom, right: left - 1 },
    ...inputs.map(({ row, col }) => ({ top: row, left: col, bottom: row, right: col })),
  ].map((block) => ({ sheet, block }));
}
