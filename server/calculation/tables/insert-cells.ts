/**
 * Positions, blocks and references after cells are inserted into a sheet, which shifts the cells below down. The rules
 * are those of Excel's "Insert, Shift cells down". Everything that refers to cells is adjusted by these functions.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { Scope } from '../graph/scope.ts';
import { isOtherBook } from '../graph/scope.ts';
import { referenceBlock } from '../syntax/areas.ts';
import type { Node, ReferenceNode } from '../syntax/ast.ts';
import { Absolute } from '../syntax/ast.ts';
import { wrapRow } from '../syntax/scanner.ts';
import { mapChildren, walk } from '../syntax/traverse.ts';

/** New cells between two columns, both inclusive. Rows and columns count from 0. */
export interface CellInsertion {
  sheet: number;
  /** The first new row. */
  row: number;
  count: number;
  left: number;
  right: number;
}

/** Finds sheets by the names used in formulas. */
export type SheetNames = Pick<Scope, 'prefixSheets'>;

export const isWholeRows = ({ left, right }: CellInsertion): boolean => left === 0 && right === MAX_COLS - 1;

/** Returns the row of a cell after the insertion; the cell must be on the insertion's sheet. */
export function insertedRow(row: number, col: number, { row: first, count, left, right }: CellInsertion): number {
  return row >= first && col >= left && col <= right ? row + count : row;
}

/** Returns the row of a cell before the insertion; null for a new cell. */
export function rowBefore(row: number, col: number, { row: first, count, left, right }: CellInsertion): number | null {
  if (row < first || col < left || col > right) return row;
  return row < first + count ? null : row - count;
}

/**
 * Grows a block around new cells inside it, or moves it if it is below. Returns the same object if the block does not
 * change, or is wider than the new cells.
 */
export function insertedBlock(block: CellBlock, { row, count, left, right }: CellInsertion): CellBlock {
  if (block.left < left || block.right > right || block.bottom < row) return block;
  const shift = (at: number): number => (at >= row ? Math.min(at + count, MAX_ROWS - 1) : at);
  const [top, bottom] = [shift(block.top), shift(block.bottom)];
  return top === block.top && bottom === block.bottom ? block : { ...block, top, bottom };
}

/** True if the insertion would move some columns of a block but not others. */
export function tearsBlock(block: CellBlock, { row, left, right }: CellInsertion): boolean {
  const overlaps = block.left <= right && block.right >= left && block.bottom >= row;
  return overlaps && (block.left < left || block.right > right);
}

/**
 * Returns the formula of cell `from` as it reads in cell `to` after the insertion; the same tree if the text does not
 * change.
 */
export function insertIntoTree(
  tree: Node,
  sheet: number,
  { from, to }: { from: CellPosition; to: CellPosition },
  insertion: CellInsertion,
  names: SheetNames,
): Node {
  let isChanged = false;
  const visit = (node: Node): Node => {
    if (node.type !== 'reference') return mapChildren(node, visit);
    const block = targetOf(node, sheet, from, names, insertion.sheet);
    const moved = block && insertedBlock(block, insertion);
    if (moved && moved !== block) isChanged = true;
    const rows = moved && moved !== block ? { row: insertion.row, count: insertion.count } : null;
    return rebased(node, from, to, rows);
  };
  const result = visit(tree);
  return isChanged ? result : tree;
}

/** Returns the cells of one sheet that a reference means; null for other sheets and for whole columns. */
function targetOf(
  node: ReferenceNode,
  sheet: number,
  at: CellPosition,
  names: SheetNames,
  target: number,
): CellBlock | null {
  if (node.shape === 'columns' || isOtherBook(node.prefix)) return null;
  const sheets = names.prefixSheets(node.prefix, sheet);
  return sheets?.length === 1 && sheets[0] === target ? referenceBlock(node, at) : null;
}

/**
 * Returns the reference to the same cells from `to`. If it follows the insertion, its corners move past the new rows.
 * Each corner retains its '$'.
 */
function rebased(
  node: ReferenceNode,
  from: CellPosition,
  to: CellPosition,
  rows: { row: number; count: number } | null,
): ReferenceNode {
  const rowOf = (row: number, bit: number): number => {
    const isFixed = (node.absolute & bit) !== 0;
    const own = isFixed ? row : wrapRow(row + from.row);
    const moved = rows && own >= rows.row ? Math.min(own + rows.count, MAX_ROWS - 1) : own;
    return isFixed ? moved : moved - to.row;
  };
  const colOf = (col: number, bit: number): number => (node.absolute & bit ? col : col + from.col - to.col);
  return {
    ...node,
    row1: rowOf(node.row1, Absolute.row1),
    row2: rowOf(node.row2, Absolute.row2),
    col1: colOf(node.col1, Absolute.col1),
    col2: colOf(node.col2, Absolute.col2),
  };
}

/** A reference in a formula, to find out how an insertion would change it. */
export interface FoundReference {
  sheets: readonly number[];
  block: CellBlock;
  /** True for references such as A:C, which no insertion of cells changes. */
  isColumns: boolean;
}

/** Returns the cells of this workbook that a formula at `at` names. */
export function referencesOf(tree: Node, sheet: number, at: CellPosition, names: SheetNames): FoundReference[] {
  const found: FoundReference[] = [];
  walk(tree, (node) => {
    if (node.type !== 'reference' || isOtherBook(node.prefix)) return;
    const sheets = names.prefixSheets(node.prefix, sheet);
    if (sheets) found.push({ sheets, block: referenceBlock(node, at), isColumns: node.shape === 'columns' });
  });
  return found;
}
