/** The selection in a sheet: the active cell, and the opposite corner of a dragged or extended range. */
import { type CellBlock, type CellPosition } from '#shared/codecs/cell-address.ts';
import { nextShown, shownAt } from './axis.ts';
import { blockBetween } from './blocks.ts';
import { withWholeMerges } from './merges.ts';
import type { SheetLayout } from './sheet-layout.ts';

export interface Selection {
  active: CellPosition;
  head: CellPosition;
}

export const selectionAt = (at: CellPosition): Selection => ({ active: at, head: at });

/** Returns the selected cells, extended to whole merged cells. */
export const selectedBlock = ({ active, head }: Selection, { merges }: SheetLayout): CellBlock =>
  withWholeMerges(blockBetween(active, head), merges);

/** Selects the whole block and activates its first cell. */
export const selectionOf = (block: CellBlock): Selection => ({
  active: { row: block.top, col: block.left },
  head: { row: block.bottom, col: block.right },
});

export interface MoveKey {
  key: string;
  ctrl: boolean;
}

/** `page` is the number of rows that PageUp and PageDown move. */
export interface MoveOptions {
  page: number;
}

const STEPS: Readonly<Record<string, readonly [rows: 1 | -1 | 0, cols: 1 | -1 | 0]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Returns the step of an arrow key; null for other keys. Right-to-left sheets swap left and right. */
export function arrowStep(key: string, isRightToLeft: boolean): readonly [rows: 1 | -1 | 0, cols: 1 | -1 | 0] | null {
  const step = STEPS[key];
  if (!step) return null;
  return isRightToLeft && step[1] !== 0 ? [0, step[1] === 1 ? -1 : 1] : step;
}

/**
 * Returns the target of a key; null if the key does not move. Ctrl+arrow is not handled here, because it depends on the
 * cell contents.
 */
export function moveFrom(
  from: CellPosition,
  { key, ctrl }: MoveKey,
  layout: SheetLayout,
  { page }: MoveOptions,
): CellPosition | null {
  const step = ctrl ? null : arrowStep(key, layout.isRightToLeft);
  if (step) return stepFrom(from, step, layout);
  const { rows, cols } = layout;
  const to = (row: number, col: number): CellPosition => ({ row: shownAt(rows, row), col: shownAt(cols, col) });
  switch (key) {
    case 'Home':
      return ctrl ? to(0, 0) : to(from.row, 0);
    case 'End':
      return to(ctrl ? layout.usedRows - 1 : from.row, layout.usedCols - 1);
    case 'PageUp':
      return ctrl ? null : to(from.row - page, from.col);
    case 'PageDown':
      return ctrl ? null : to(from.row + page, from.col);
    default:
      return null;
  }
}

/** Moves by one cell, and past the whole of a merged cell. */
export function stepFrom(
  from: CellPosition,
  [rowStep, colStep]: readonly [1 | -1 | 0, 1 | -1 | 0],
  layout: SheetLayout,
): CellPosition {
  const merge = layout.merges.at(from.row, from.col) ?? {
    top: from.row,
    bottom: from.row,
    left: from.col,
    right: from.col,
  };
  const row = rowStep === 0 ? from.row : nextShown(layout.rows, rowStep === 1 ? merge.bottom : merge.top, rowStep);
  const col = colStep === 0 ? from.col : nextShown(layout.cols, colStep === 1 ? merge.right : merge.left, colStep);
  return { row, col };
}

/** Returns the cell that represents a position: the first cell of a merge. */
export function anchorOf(at: CellPosition, { merges }: SheetLayout): CellPosition {
  const merge = merges.at(at.row, at.col);
  return merge ? { row: merge.top, col: merge.left } : at;
}
