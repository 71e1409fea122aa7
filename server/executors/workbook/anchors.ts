/**
 * Support for inputs and outputs whose cells are merged in the same way in every row. Excel stores the value of merged
 * cells in their top left cell, the anchor; the other cells are hidden and stay blank. Each anchor counts as one cell
 * here.
 */
import type { CellAnchors } from '#server/executors/activity-definition.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';

/** A block as rows and columns of values. If nothing is merged, these are the rows and columns of the sheet. */
export interface ValueGrid {
  height: number;
  width: number;
  /** Returns the sheet row that holds the values of row `y` (0-based). */
  rowAt: (y: number) => number;
  /** Returns the sheet column that holds the values of column `x` (0-based). */
  colAt: (x: number) => number;
}

export function valueGrid({ top, left, bottom, right }: CellBlock, anchors?: CellAnchors): ValueGrid {
  const rows = anchors?.rows;
  const cols = anchors?.cols;
  return {
    height: rows?.length ?? bottom - top + 1,
    width: cols?.length ?? right - left + 1,
    rowAt: (y) => top + (rows ? rows[y]! : y),
    colAt: (x) => left + (cols ? cols[x]! : x),
  };
}

/** Selects the values of the anchors from the values of all cells of a block. */
export function valuesAtAnchors<T>(values: T[][], anchors?: CellAnchors): T[][] {
  if (!anchors) return values;
  const rows = anchors.rows ? anchors.rows.map((row) => values[row]!) : values;
  return anchors.cols ? rows.map((row) => anchors.cols!.map((col) => row[col]!)) : rows;
}

/** Removes the first rows and columns of a grid, such as its headings, so that the block begins at its first value. */
export function withoutHeadings(
  block: CellBlock,
  anchors: CellAnchors | undefined,
  headerRows: number,
  headerCols: number,
): { data: CellBlock; anchors?: CellAnchors } {
  const grid = valueGrid(block, anchors);
  const data = { ...block, top: grid.rowAt(headerRows), left: grid.colAt(headerCols) };
  const rows = rest(anchors?.rows, headerRows);
  const cols = rest(anchors?.cols, headerCols);
  return { data, ...(rows || cols ? { anchors: { rows, cols } } : {}) };
}

function rest(offsets: number[] | null | undefined, from: number): number[] | null {
  const left = offsets?.slice(from);
  return left ? left.map((offset) => offset - left[0]!) : null;
}
