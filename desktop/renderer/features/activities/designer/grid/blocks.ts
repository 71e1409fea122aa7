/** Blocks of cells. Corners count from 0 and are inclusive. */
import { formatBlock, parseBlock, type CellBlock, type CellPosition } from '#shared/codecs/cell-address.ts';

export const blockOfCell = ({ row, col }: CellPosition): CellBlock => ({
  top: row,
  left: col,
  bottom: row,
  right: col,
});

export const blockBetween = (a: CellPosition, b: CellPosition): CellBlock => ({
  top: Math.min(a.row, b.row),
  left: Math.min(a.col, b.col),
  bottom: Math.max(a.row, b.row),
  right: Math.max(a.col, b.col),
});

export const isInBlock = ({ top, left, bottom, right }: CellBlock, row: number, col: number): boolean =>
  row >= top && row <= bottom && col >= left && col <= right;

export const blocksMeet = (a: CellBlock, b: CellBlock): boolean =>
  a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right;

export const isSameBlock = (a: CellBlock, b: CellBlock): boolean =>
  a.top === b.top && a.left === b.left && a.bottom === b.bottom && a.right === b.right;

export const unionOfBlocks = (a: CellBlock, b: CellBlock): CellBlock => ({
  top: Math.min(a.top, b.top),
  left: Math.min(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.max(a.right, b.right),
});

export const cellCount = ({ top, left, bottom, right }: CellBlock): number => (bottom - top + 1) * (right - left + 1);

/** Parses a range sent by the server: 'B4' or 'A10:D14'. */
export function blockOfRange(range: string): CellBlock {
  const block = parseBlock(range);
  if (!block) throw new Error(`'${range}' is not a range of cells`);
  return block;
}

export const rangeOfBlock = formatBlock;
