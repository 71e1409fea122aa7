/** What is selected in a sheet: the active cell, and the opposite corner of what was dragged or extended from there. */
import { MAX_COLS, MAX_ROWS, type CellBlock, type CellPosition } from '#shared/codecs/cell-address.ts';
import { nextShown, shownAt } from './axis.ts';
import { blockBetween } from './blocks.ts';
import { withWholeMerges } from './merges.ts';
import type { SheetLayout } from './sheet-layout.ts';

export interface Selection {
  active: CellPosition;
  head: CellPosition;
}

export const selectionAt = (at: CellPosition): Selection => ({ active: at, head: at });

/** The selected cells, merged ones whole. */
export const selectedBlock = ({ active, head }: Selection, { merges }: SheetLayout): CellBlock =>
  withWholeMerges(blockBetween(active, head), merges);

/** The whole block, from its first cell. */
export const selectionOf = (block: CellBlock): Selection => ({
  active: { row: block.top, col: block.left },
  head: { row: block.bottom, col: block.right },
});

export interface MoveKey {
  key: string;
  ctrl: boolean;
}

/** Rows that PageUp and PageDown pass. */
export interface MoveOptions {
  page: number;
}

const STEPS: Readonly<Record<string, readonly [rows: 1 | -1 | 0, cols: 1 | -1 | 0]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The step of an arrow key in the sheet; null for other keys. Sheets from right to left turn those to the sides. */
export function arrowStep(key: string, isRightToLeft: boolean): readonly [rows: 1 | -1 | 0, cols: 1 | -1 | 0] | null {
  const step = STEPS[key];
  if (!step) return null;
  return isRightToLeft && step[1] !== 0 ? [0, step[1] === 1 ? -1 : 1] : step;
}

/** Where a key leads from a cell; null where it is none that moves. Ctrl+arrow depends on the cells and is no matter of this. */
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

/** One cell on, past all of a merged one. */
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

/** The cell that stands for a position: of merged ones the first. */
export function anchorOf(at: CellPosition, { merges }: SheetLayout): CellPosition {
  const merge = merges.at(at.row, at.col);
  return merge ? { row: merge.top, col: merge.left } : at;
}

export const isInSheet = ({ row, col }: CellPosition): boolean =>
  row >= 0 && row < MAX_ROWS && col >= 0 && col < MAX_COLS;
