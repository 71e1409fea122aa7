/** Parses each formula record of a workbook once; several cells may share a record. */
import type { FormulaModel, SheetCells, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';

export interface PlacedRecord {
  record: FormulaModel;
  /** Null if the text cannot be parsed, and for what-if tables. */
  tree: Node | null;
  /** The smallest block that contains all cells with the record. */
  box: CellBlock;
  /** Number of cells with the record. */
  count: number;
}

const known = new WeakMap<WorkbookModel, (readonly PlacedRecord[])[]>();

/** Returns the records by sheet, without those that no cell uses. */
export function placedRecords(model: WorkbookModel): readonly (readonly PlacedRecord[])[] {
  let sheets = known.get(model);
  if (!sheets) known.set(model, (sheets = model.sheets.map(({ cells }) => recordsIn(cells))));
  return sheets;
}

function recordsIn(cells: SheetCells): PlacedRecord[] {
  const found = new Map<number, PlacedRecord>();
  for (let at = 0; at < cells.count; at++) {
    const formula = cells.formulas[at]!;
    if (formula < 0) continue;
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    const placed = found.get(formula);
    if (!placed) {
      const record = cells.formulaTable[formula]!;
      const tree = record.kind === 'dataTable' ? null : treeOf(record.text, record.cell);
      found.set(formula, { record, tree, box: { top: row, left: col, bottom: row, right: col }, count: 1 });
      continue;
    }
    const { box } = placed;
    box.bottom = Math.max(box.bottom, row);
    box.left = Math.min(box.left, col);
    box.right = Math.max(box.right, col);
    placed.count += 1;
  }
  return [...found.values()];
}

/** Returns the tree of a formula at a cell; null if the text cannot be parsed. */
export function treeOf(text: string, at: CellPosition): Node | null {
  try {
    return parseFormula(text, at);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
