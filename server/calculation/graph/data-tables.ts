/**
 * What-if tables: each cell shows the result of a formula at the table's edge with the values at its edges substituted
 * for one or two input cells. Source: ECMA-376 part 1, 18.3.1.40 (dataTable formulas), and Microsoft, 'Calculate
 * multiple results by using a data table'.
 */
import { parseCell } from '#shared/codecs/cell-address.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellEdit } from '../engine.ts';
import type { FormulaModel, WorkbookModel } from '../reader/workbook-model.ts';
import type { CellValue } from '../values/cell-value.ts';
import { REF_ERROR } from '../values/coerce.ts';

export interface DataTable {
  sheet: number;
  block: CellBlock;
  /**
   * Input cell for the values of the row above. If both input cells are null, they have been deleted, and all results
   * are #REF!.
   */
  rowInput: CellPosition | null;
  /** Input cell for the values of the column to the left. */
  colInput: CellPosition | null;
}

/** Maximum number of cells of a table, because each one is a separate calculation. */
const MAX_CELLS = 20_000;

/** Returns the table that a formula stands for; null if it names no input cell, or is too large to calculate. */
export function dataTable(sheet: number, { kind, text, block }: FormulaModel): DataTable | null {
  const inputs = kind === 'dataTable' && block ? /^TABLE\(([^,]*),([^,]*)\)$/.exec(text) : null;
  if (!inputs || !block || block.top === 0 || block.left === 0) return null;
  if ((block.bottom - block.top + 1) * (block.right - block.left + 1) > MAX_CELLS) return null;
  if (inputs.includes(REF_ERROR.code)) return { sheet, block, rowInput: null, colInput: null };
  const rowInput = parseCell(inputs[1]!);
  const colInput = parseCell(inputs[2]!);
  const isRead = (inputs[1] === '' || rowInput) && (inputs[2] === '' || colInput) && (rowInput ?? colInput);
  return isRead ? { sheet, block, rowInput, colInput } : null;
}

export function dataTables(model: WorkbookModel): DataTable[] {
  return model.sheets.flatMap(({ cells }, sheet) =>
    cells.formulaTable.flatMap((formula) => {
      const table = formula.kind === 'dataTable' ? dataTable(sheet, formula) : null;
      return table ? [table] : [];
    }),
  );
}

/** Returns the cells with the formulas of the table: its corner, or the edge that has no values. */
export function formulaBlock({ block, rowInput, colInput }: DataTable): CellBlock {
  const { top, left, bottom, right } = block;
  return {
    top: rowInput && !colInput ? top : top - 1,
    bottom: rowInput && !colInput ? bottom : top - 1,
    left: colInput && !rowInput ? left : left - 1,
    right: colInput && !rowInput ? right : left - 1,
  };
}

/** A model that may be modified for substitutions. */
export interface Trial {
  setCells(edits: readonly CellEdit[]): void;
  calculate(): void;
  value(sheet: number, row: number, col: number): CellValue;
}

/** Returns the cells with the values to substitute: above the table, and to its left. */
export function edgeBlocks({ block: { top, left, bottom, right }, rowInput, colInput }: DataTable): CellBlock[] {
  return [
    ...(rowInput ? [{ top: top - 1, bottom: top - 1, left, right }] : []),
    ...(colInput ? [{ top, bottom, left: left - 1, right: left - 1 }] : []),
  ];
}

/**
 * Calls `put` with the result of each cell. `trial` is a copy of the model. Edge values are read while the previous
 * substitution is still in the input cells; those on the left are read once per row. Excel saves such results if edges
 * themselves read the input cell.
 */
export function calculateDataTable(
  { sheet, block, rowInput, colInput }: DataTable,
  trial: Trial,
  put: (row: number, col: number, value: CellValue) => void,
): void {
  const { top, left } = block;
  const editOf = (at: CellPosition, row: number, col: number): CellEdit => ({
    sheet,
    ...at,
    value: trial.value(sheet, row, col),
  });
  const fill = (row: number, col: number, edits: readonly CellEdit[]): void => {
    trial.setCells(edits);
    trial.calculate();
    const formula = { row: rowInput && !colInput ? row : top - 1, col: colInput && !rowInput ? col : left - 1 };
    put(row, col, trial.value(sheet, formula.row, formula.col) ?? 0);
  };
  const rows = span(block.top, block.bottom);
  const cols = span(block.left, block.right);
  if (!rowInput && !colInput) {
    for (const row of rows) for (const col of cols) put(row, col, REF_ERROR);
  } else if (!colInput) {
    for (const col of cols) {
      const edits = [editOf(rowInput!, top - 1, col)];
      for (const row of rows) fill(row, col, edits);
    }
  } else {
    for (const row of rows) {
      const own = editOf(colInput, row, left - 1);
      for (const col of cols) fill(row, col, rowInput ? [editOf(rowInput, top - 1, col), own] : [own]);
    }
  }
}

const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
