/**
 * What-if tables: each cell shows what a formula at the table's edge would come to if the values at its edges stood in one
 * or two input cells. Source: ECMA-376 part 1, 18.3.1.40 (dataTable formulas), and Microsoft, 'Calculate multiple results
 * by using a data table'.
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
  /** Where the values of the row above stand in turn; where neither is there, they have been deleted, and all is #REF!. */
  rowInput: CellPosition | null;
  /** Where the values of the column to the left do. */
  colInput: CellPosition | null;
}

/** Each cell of a table is a calculation of its own. */
const MOST_CELLS = 20_000;

/** The table a formula stands for; null where it names no input cell, or is too large to calculate. */
export function dataTable(sheet: number, { kind, text, block }: FormulaModel): DataTable | null {
  const inputs = kind === 'dataTable' && block ? /^TABLE\(([^,]*),([^,]*)\)$/.exec(text) : null;
  if (!inputs || !block || block.top === 0 || block.left === 0) return null;
  if ((block.bottom - block.top + 1) * (block.right - block.left + 1) > MOST_CELLS) return null;
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

/** The cells whose formulas the table tries: at its corner, or along the edge that has no values. */
export function formulaBlock({ block, rowInput, colInput }: DataTable): CellBlock {
  const { top, left, bottom, right } = block;
  return {
    top: rowInput && !colInput ? top : top - 1,
    bottom: rowInput && !colInput ? bottom : top - 1,
    left: colInput && !rowInput ? left : left - 1,
    right: colInput && !rowInput ? right : left - 1,
  };
}

/** A model that may be changed for trying. */
export interface Trial {
  setCells(edits: readonly CellEdit[]): void;
  calculate(): void;
  value(sheet: number, row: number, col: number): CellValue;
}

/** Calls `put` with the result of each cell. `value` reads the model itself, `trial` is a copy of it. */
export function calculateDataTable(
  { sheet, block, rowInput, colInput }: DataTable,
  value: (sheet: number, row: number, col: number) => CellValue,
  trial: Trial,
  put: (row: number, col: number, value: CellValue) => void,
): void {
  const { top, left } = block;
  const edit = (at: CellPosition, given: CellValue): CellEdit => ({ sheet, ...at, value: given });
  for (const row of span(block.top, block.bottom)) {
    for (const col of span(block.left, block.right)) {
      if (!rowInput && !colInput) {
        put(row, col, REF_ERROR);
        continue;
      }
      const edits: CellEdit[] = [];
      if (rowInput) edits.push(edit(rowInput, value(sheet, top - 1, col)));
      if (colInput) edits.push(edit(colInput, value(sheet, row, left - 1)));
      const formula = { row: rowInput && !colInput ? row : top - 1, col: colInput && !rowInput ? col : left - 1 };
      trial.setCells(edits);
      trial.calculate();
      put(row, col, trial.value(sheet, formula.row, formula.col) ?? 0);
    }
  }
}

const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
