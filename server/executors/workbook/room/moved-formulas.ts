/**
 * Computes what an insertion of cells does to the formulas of all cells: the new texts, by the old position of the
 * cell.
 */
import {
  insertedBlock,
  insertedRow,
  insertIntoTree,
  referencesOf,
  tearsBlock,
} from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion, SheetNames } from '#server/calculation/tables/insert-cells.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { printFormula, printRelative } from '#server/calculation/syntax/printer.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { placedRecords } from './placed-records.ts';
import type { PlacedRecord } from './placed-records.ts';

export interface FormulaChange {
  /** The new text; undefined leaves it unchanged, except for the addresses in attributes. */
  text?: string;
  /** True if the cell leaves its group of shared formulas. */
  isAlone?: boolean;
}

/** By row, then by column. */
export type FormulaChanges = Map<number, Map<number, FormulaChange>>;

/** Returns the changes by sheet, without sheets that have none. */
export function movedFormulas(
  model: WorkbookModel,
  insertion: CellInsertion,
  names: SheetNames,
): Map<number, FormulaChanges> {
  const found = new Map<number, FormulaChanges>();
  for (const [sheet, records] of placedRecords(model).entries()) {
    const changes = changesIn(model, sheet, records, insertion, names);
    if (changes.size > 0) found.set(sheet, changes);
  }
  return found;
}

/** 'first': only the first cell gets a new text, and the others share it. */
type Rewrite = 'each' | 'first' | 'apart';

function changesIn(
  model: WorkbookModel,
  sheet: number,
  records: readonly PlacedRecord[],
  insertion: CellInsertion,
  names: SheetNames,
): FormulaChanges {
  const { cells } = model.sheets[sheet]!;
  const rewrites = new Map<PlacedRecord['record'], { rewrite: Rewrite; tree: Node | null }>();
  for (const placed of records) {
    const rewrite = rewriteOf(placed, sheet, insertion, names);
    if (rewrite) rewrites.set(placed.record, { rewrite, tree: placed.tree });
  }
  const changes: FormulaChanges = new Map();
  if (rewrites.size === 0) return changes;
  for (let at = 0; at < cells.count; at++) {
    const record = cells.formulaTable[cells.formulas[at]!];
    const found = record && rewrites.get(record);
    if (!found) continue;
    const from = { row: cells.rows[at]!, col: cells.cols[at]! };
    const isFirst = record.cell.row === from.row && record.cell.col === from.col;
    if (found.rewrite === 'first' && !isFirst) continue;
    const change = changeOf(found.tree, sheet, from, insertion, names, found.rewrite === 'apart');
    if (change) setIn(changes, from, change);
  }
  return changes;
}

function changeOf(
  tree: Node | null,
  sheet: number,
  from: CellPosition,
  insertion: CellInsertion,
  names: SheetNames,
  isAlone: boolean,
): FormulaChange | null {
  // A what-if table: its input cells are in attributes.
  if (!tree) return {};
  const to = movedTo(sheet, from, insertion);
  const moved = insertIntoTree(tree, sheet, { from, to }, insertion, names);
  if (moved !== tree) return { text: printFormula(moved, to), ...(isAlone ? { isAlone } : {}) };
  return isAlone ? { text: printFormula(tree, from), isAlone } : null;
}

export function movedTo(sheet: number, { row, col }: CellPosition, insertion: CellInsertion): CellPosition {
  return sheet === insertion.sheet ? { row: insertedRow(row, col, insertion), col } : { row, col };
}

function rewriteOf(placed: PlacedRecord, sheet: number, insertion: CellInsertion, names: SheetNames): Rewrite | null {
  const { record, tree, box } = placed;
  const isOwn = sheet === insertion.sheet;
  if (!tree) return record.kind === 'dataTable' && isOwn ? 'each' : null;
  const isAffected = reaches(placed, sheet, insertion, names);
  const isShared = record.kind === 'shared';
  const isSplit =
    isOwn &&
    (insertedBlock(box, insertion).top !== insertedBlock(box, insertion).bottom - (box.bottom - box.top) ||
      tearsBlock(box, insertion));
  if (!isShared) return isAffected ? 'each' : null;
  if (!isAffected) return isSplit ? 'apart' : null;
  return isSplit || !isUniform(placed, tree, sheet, insertion, names) ? 'apart' : 'first';
}

/** Returns true if a reference of one of the cells may move. */
function reaches({ tree, box }: PlacedRecord, sheet: number, insertion: CellInsertion, names: SheetNames): boolean {
  const first = referencesOf(tree!, sheet, { row: box.top, col: box.left }, names);
  const last = referencesOf(tree!, sheet, { row: box.bottom, col: box.right }, names);
  return first.some(({ sheets, block, isColumns }, index) => {
    if (isColumns || sheets.length !== 1 || sheets[0] !== insertion.sheet) return false;
    return around(block, last[index]!.block).bottom >= insertion.row;
  });
}

/** Returns the smallest block that contains both. */
export function around(a: CellBlock, b: CellBlock): CellBlock {
  return {
    top: Math.min(a.top, b.top),
    left: Math.min(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.max(a.right, b.right),
  };
}

/** Returns true if all cells of a column change in the same way; comparing its first and last cell suffices. */
function isUniform(
  { box }: PlacedRecord,
  tree: Node,
  sheet: number,
  insertion: CellInsertion,
  names: SheetNames,
): boolean {
  if (box.left !== box.right) return false;
  const at = (row: number): string => {
    const from = { row, col: box.left };
    const to = movedTo(sheet, from, insertion);
    return printRelative(insertIntoTree(tree, sheet, { from, to }, insertion, names));
  };
  return at(box.top) === at(box.bottom);
}

function setIn(changes: FormulaChanges, { row, col }: CellPosition, change: FormulaChange): void {
  let cells = changes.get(row);
  if (!cells) changes.set(row, (cells = new Map()));
  cells.set(col, change);
}
