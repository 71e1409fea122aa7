/**
 * Cells inserted into a sheet, which push what stands below them down: where positions, blocks and references lie afterwards.
 * The rules are those of Excel's "Insert, Shift cells down"; everything that refers to cells follows by these functions.
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

/** New cells between two columns, both included. Rows and columns count from 0. */
export interface CellInsertion {
  sheet: number;
  /** The first of the new rows. */
  row: number;
  count: number;
  left: number;
  right: number;
}

/** Sheets by the names that formulas use. */
export type SheetNames = Pick<Scope, 'prefixSheets'>;

export const isWholeRows = ({ left, right }: CellInsertion): boolean => left === 0 && right === MAX_COLS - 1;

/** Where the cell of a row and a column of the insertion's sheet stands afterwards. */
export function insertedRow(row: number, col: number, { row: first, count, left, right }: CellInsertion): number {
  return row >= first && col >= left && col <= right ? row + count : row;
}

/** Where it stood before; null for a new cell. */
export function rowBefore(row: number, col: number, { row: first, count, left, right }: CellInsertion): number | null {
  if (row < first || col < left || col > right) return row;
  return row < first + count ? null : row - count;
}

/** A block grows around new cells inside it, and moves with those below; the same object where it stays, or is wider than they are. */
export function insertedBlock(block: CellBlock, { row, count, left, right }: CellInsertion): CellBlock {
  if (block.left < left || block.right > right || block.bottom < row) return block;
  const shift = (at: number): number => (at >= row ? Math.min(at + count, MAX_ROWS - 1) : at);
  const [top, bottom] = [shift(block.top), shift(block.bottom)];
  return top === block.top && bottom === block.bottom ? block : { ...block, top, bottom };
}

/** Whether the insertion would move some columns of a block and leave others. */
export function tearsBlock(block: CellBlock, { row, left, right }: CellInsertion): boolean {
  const overlaps = block.left <= right && block.right >= left && block.bottom >= row;
  return overlaps && (block.left < left || block.right > right);
}

/** The formula of the cell `from`, as it reads in `to` afterwards; the tree itself where the text stays the same. */
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

/** The cells of one sheet that a reference means; null for others, and for whole columns. */
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

/** The reference to the same cells from `to`, its corners moved past new rows where it follows. Each corner keeps its '$'. */
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

/** A reference of a formula, for those who ask what an insertion would do to it. */
export interface FoundReference {
  sheets: readonly number[];
  block: CellBlock;
  /** A:C, which no insertion of cells changes. */
  isColumns: boolean;
}

/** The cells of this workbook that a formula names in `at`. */
export function referencesOf(tree: Node, sheet: number, at: CellPosition, names: SheetNames): FoundReference[] {
  const found: FoundReference[] = [];
  walk(tree, (node) => {
    if (node.type !== 'reference' || isOtherBook(node.prefix)) return;
    const sheets = names.prefixSheets(node.prefix, sheet);
    if (sheets) found.push({ sheets, block: referenceBlock(node, at), isColumns: node.shape === 'columns' });
  });
  return found;
}
