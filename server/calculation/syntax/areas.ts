/** Converts references to the cells they refer to, and back. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { ReferenceNode, SheetPrefix } from './ast.ts';
import { Absolute } from './ast.ts';
import { wrapCol, wrapRow } from './scanner.ts';

/**
 * Returns the block that a reference covers if its formula is in `at`; whole columns and rows reach to the edges of the
 * sheet.
 */
export function referenceBlock(node: ReferenceNode, at: CellPosition): CellBlock {
  const { absolute, shape } = node;
  const row1 = absolute & Absolute.row1 ? node.row1 : wrapRow(node.row1 + at.row);
  const col1 = absolute & Absolute.col1 ? node.col1 : wrapCol(node.col1 + at.col);
  if (shape === 'cell') return { top: row1, left: col1, bottom: row1, right: col1 };
  const row2 = absolute & Absolute.row2 ? node.row2 : wrapRow(node.row2 + at.row);
  const col2 = absolute & Absolute.col2 ? node.col2 : wrapCol(node.col2 + at.col);
  return {
    top: shape === 'columns' ? 0 : Math.min(row1, row2),
    left: shape === 'rows' ? 0 : Math.min(col1, col2),
    bottom: shape === 'columns' ? MAX_ROWS - 1 : Math.max(row1, row2),
    right: shape === 'rows' ? MAX_COLS - 1 : Math.max(col1, col2),
  };
}

/** Returns true if the rows of a reference stay the same wherever its formula is filled to. */
export function hasFixedRows({ absolute, shape }: ReferenceNode): boolean {
  const rows = shape === 'cell' ? Absolute.row1 : Absolute.row1 | Absolute.row2;
  return shape !== 'columns' && (absolute & rows) === rows;
}

/** Returns an absolute reference to a block. */
export function blockReference(block: CellBlock, prefix: SheetPrefix | null): ReferenceNode {
  return {
    type: 'reference',
    prefix,
    shape: block.top === block.bottom && block.left === block.right ? 'cell' : 'range',
    row1: block.top,
    col1: block.left,
    row2: block.bottom,
    col2: block.right,
    absolute: Absolute.row1 | Absolute.col1 | Absolute.row2 | Absolute.col2,
  };
}

/** Returns the same reference with its corners at `block`, for a formula in `at`. Its '$' signs stay. */
export function moveReference(node: ReferenceNode, block: CellBlock, at: CellPosition): ReferenceNode {
  const { absolute } = node;
  return {
    ...node,
    row1: absolute & Absolute.row1 ? block.top : block.top - at.row,
    col1: absolute & Absolute.col1 ? block.left : block.left - at.col,
    row2: absolute & Absolute.row2 ? block.bottom : block.bottom - at.row,
    col2: absolute & Absolute.col2 ? block.right : block.right - at.col,
  };
}

/** Returns the prefix of one sheet of this workbook. */
export function sheetPrefix(name: string): SheetPrefix {
  return { book: null, first: name, last: null };
}

/** Returns the intersection of two blocks, or null. */
export function intersectBlocks(a: CellBlock, b: CellBlock): CellBlock | null {
  const top = Math.max(a.top, b.top);
  const left = Math.max(a.left, b.left);
  const bottom = Math.min(a.bottom, b.bottom);
  const right = Math.min(a.right, b.right);
  return top <= bottom && left <= right ? { top, left, bottom, right } : null;
}
