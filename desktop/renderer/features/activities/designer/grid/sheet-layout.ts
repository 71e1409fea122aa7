/** Positions of everything on a sheet, in pixels at 100 %. */
import { MAX_COLS, MAX_ROWS, type CellBlock } from '#shared/codecs/cell-address.ts';
import type { DesignSheet } from '#shared/contract/designs.ts';
import { createAxis, type Axis } from './axis.ts';
import { createMerges, type Merges } from './merges.ts';

export const HEAD_HEIGHT = 22;

/** Blank rows and columns after the last cell, so that they can be marked too. */
const ROWS_AFTER = 40;
const COLS_AFTER = 8;

export interface SheetLayout {
  rows: Axis;
  cols: Axis;
  merges: Merges;
  /** Size of the used range. */
  usedRows: number;
  usedCols: number;
  frozenRows: number;
  frozenCols: number;
  /** Width of the row numbers. */
  headWidth: number;
  /** Pixels of the frozen cells, without the headings. */
  frozenWidth: number;
  frozenHeight: number;
  isRightToLeft: boolean;
}

export function layoutOf(sheet: DesignSheet): SheetLayout {
  const after = sheet.RowsLeftOut > 0 ? 0 : ROWS_AFTER;
  const rowCount = Math.min(MAX_ROWS, Math.max(1, sheet.Rows) + after);
  const colCount = Math.min(MAX_COLS, Math.max(1, sheet.Columns) + COLS_AFTER);
  const rows = createAxis(rowCount, sheet.DefaultHeight, sheet.Heights);
  const cols = createAxis(colCount, sheet.DefaultWidth, sheet.Widths);
  const frozenRows = Math.min(sheet.FrozenRows, rowCount);
  const frozenCols = Math.min(sheet.FrozenColumns, colCount);
  return {
    rows,
    cols,
    merges: createMerges(sheet.Merges),
    usedRows: Math.max(1, sheet.Rows),
    usedCols: Math.max(1, sheet.Columns),
    frozenRows,
    frozenCols,
    headWidth: 20 + 8 * String(rowCount).length,
    frozenWidth: cols.offset(frozenCols),
    frozenHeight: rows.offset(frozenRows),
    isRightToLeft: sheet.IsRightToLeft,
  };
}

/**
 * The cells to draw: the visible ones and some around them. The window moves in steps, so that scrolling rarely
 * renders.
 */
export interface GridWindow {
  firstRow: number;
  lastRow: number;
  firstCol: number;
  lastCol: number;
}

const ROW_STEP = 8;
const COL_STEP = 4;

export interface Viewport {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function windowOf(
  { rows, cols, frozenRows, frozenCols, frozenWidth, frozenHeight }: SheetLayout,
  view: Viewport,
): GridWindow {
  const down = (index: number, step: number): number => Math.floor(index / step) * step;
  const up = (index: number, step: number): number => (Math.floor(index / step) + 1) * step - 1;
  return {
    firstRow: Math.max(frozenRows, down(rows.indexAt(view.top + frozenHeight), ROW_STEP) - ROW_STEP),
    lastRow: Math.min(rows.count - 1, up(rows.indexAt(view.top + view.height), ROW_STEP) + ROW_STEP),
    firstCol: Math.max(frozenCols, down(cols.indexAt(view.left + frozenWidth), COL_STEP)),
    lastCol: Math.min(cols.count - 1, up(cols.indexAt(view.left + view.width), COL_STEP)),
  };
}

export const isSameWindow = (a: GridWindow, b: GridWindow): boolean =>
  a.firstRow === b.firstRow && a.lastRow === b.lastRow && a.firstCol === b.firstCol && a.lastCol === b.lastCol;

/** Returns the position of a block in pixels, including the headings. */
export function boxOf({ rows, cols, headWidth }: SheetLayout, block: CellBlock): Viewport {
  const [left, top] = [cols.offset(block.left), rows.offset(block.top)];
  return {
    left: left + headWidth,
    top: top + HEAD_HEIGHT,
    width: cols.offset(block.right + 1) - left,
    height: rows.offset(block.bottom + 1) - top,
  };
}

/** Returns the scroll position that brings a block into view; the current position if it is visible. */
export function scrollTo(layout: SheetLayout, block: CellBlock, view: Viewport): { left: number; top: number } {
  const { rows, cols, frozenWidth, frozenHeight, frozenRows, frozenCols, headWidth } = layout;
  const near = (from: number, to: number, position: number, extent: number, frozen: number): number => {
    if (from < position + frozen || to - from > extent - frozen) return Math.max(0, from - frozen);
    return to > position + extent ? to - extent : position;
  };
  const viewWidth = view.width - headWidth;
  const viewHeight = view.height - HEAD_HEIGHT;
  const top =
    block.bottom < frozenRows
      ? view.top
      : near(rows.offset(block.top), rows.offset(block.bottom + 1), view.top, viewHeight, frozenHeight);
  const left =
    block.right < frozenCols
      ? view.left
      : near(cols.offset(block.left), cols.offset(block.right + 1), view.left, viewWidth, frozenWidth);
  return { left, top };
}
