/**
 * The selection in an input grid and how keys move it. Keys follow the grid pattern of the ARIA Authoring Practices.
 */
import type { CellBlock, GridShape } from './grid-rows.ts';

export interface GridPosition {
  row: number;
  col: number;
}

/** The active cell, and the cell in which the selection began. */
export interface GridSelection {
  active: GridPosition;
  anchor: GridPosition;
}

export interface GridSize {
  rows: number;
  cols: number;
  /** Number of rows that PageUp and PageDown move. */
  page: number;
}

export const selectCell = (row: number, col: number): GridSelection => ({
  active: { row, col },
  anchor: { row, col },
});

export const selectedBlock = ({ active, anchor }: GridSelection): CellBlock => ({
  top: Math.min(active.row, anchor.row),
  left: Math.min(active.col, anchor.col),
  bottom: Math.max(active.row, anchor.row),
  right: Math.max(active.col, anchor.col),
});

export const isInBlock = (block: CellBlock, row: number, col: number): boolean =>
  row >= block.top && row <= block.bottom && col >= block.left && col <= block.right;

export interface GridKey {
  key: string;
  ctrl: boolean;
  shift: boolean;
}

/** Returns null for keys that do not move. */
export function moveSelection(selection: GridSelection, pressed: GridKey, size: GridSize): GridSelection | null {
  if (pressed.ctrl && pressed.key.toLowerCase() === 'a') {
    return { anchor: { row: 0, col: 0 }, active: { row: size.rows - 1, col: size.cols - 1 } };
  }
  const target = keyTarget(selection.active, pressed, size);
  if (!target) return null;
  const active = clampPosition(target, size);
  return { active, anchor: pressed.shift ? selection.anchor : active };
}

const clampPosition = ({ row, col }: GridPosition, size: GridSize): GridPosition => ({
  row: Math.max(0, Math.min(row, size.rows - 1)),
  col: Math.max(0, Math.min(col, size.cols - 1)),
});

function keyTarget({ row, col }: GridPosition, { key, ctrl }: GridKey, size: GridSize): GridPosition | null {
  const far = ctrl ? Infinity : 1;
  switch (key) {
    case 'ArrowUp':
      return { row: row - far, col };
    case 'ArrowDown':
      return { row: row + far, col };
    case 'ArrowLeft':
      return { row, col: col - far };
    case 'ArrowRight':
      return { row, col: col + far };
    case 'Home':
      return { row: ctrl ? 0 : row, col: 0 };
    case 'End':
      return { row: ctrl ? size.rows - 1 : row, col: size.cols - 1 };
    case 'PageUp':
      return { row: row - size.page, col };
    case 'PageDown':
      return { row: row + size.page, col };
    default:
      return null;
  }
}

/** Skips hidden columns in the direction of the movement. */
export function passHidden(
  selection: GridSelection,
  from: number,
  shape: Pick<GridShape, 'width' | 'isHidden'>,
): GridSelection {
  const { row, col } = selection.active;
  const step = col < from ? -1 : 1;
  let target = col;
  while (target >= 0 && target < shape.width && shape.isHidden(target)) target += step;
  if (target < 0 || target >= shape.width) target = from;
  const isSingle = selection.anchor.row === row && selection.anchor.col === col;
  const active = { row, col: target };
  return { active, anchor: isSingle ? active : selection.anchor };
}
