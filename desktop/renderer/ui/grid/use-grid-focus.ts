import { Regions, type Region } from '@blueprintjs/table';
import { useCallback, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { HEADER_HEIGHT, moveFocus, type CellPosition } from './grid-model.ts';

interface GridFocusOptions {
  gridId: string;
  root: RefObject<HTMLDivElement | null>;
  rows: number;
  cols: number;
  page: number;
  widths: readonly number[];
  /** Height of a row in pixels. */
  rowHeight: number;
  onCopy: (region: Region) => void;
  /** Handles Enter on a cell; returns false if it does nothing. */
  onEnter: (at: CellPosition) => boolean;
}

export interface GridFocus {
  regions: Region[];
  setRegions: (regions: Region[]) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** Focuses a cell and scrolls to it. */
  focusCell: (at: CellPosition) => void;
  /**
   * Must be called after cells were rendered, because they may include the tab stop or a cell that is to be focused.
   */
  onDrawn: () => void;
}

const WIDGETS = 'button, a[href], input, select';

/**
 * Keyboard control of the grid: one cell holds the tab stop, arrow keys move it, Shift extends the selection, Ctrl+C
 * copies. The focus position is not React state, because moving it must not render the table again.
 */
export function useGridFocus(options: GridFocusOptions): GridFocus {
  const { gridId, root, rows, cols } = options;
  const [regions, setRegions] = useState<Region[]>([]);
  const focused = useRef<CellPosition>({ row: 0, col: 0 });
  const anchor = useRef<CellPosition>({ row: 0, col: 0 });
  const isWaiting = useRef(false);

  const onDrawn = useCallback(() => {
    const cell = document.getElementById(cellId(gridId, focused.current));
    setTabStop(root.current, cell);
    if (!isWaiting.current || !cell) return;
    isWaiting.current = false;
    cell.focus({ preventScroll: true });
  }, [gridId, root]);

  const focusCell = (target: CellPosition): void => {
    focused.current = target;
    isWaiting.current = true;
    scrollTo(root.current, target, options);
    onDrawn();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const onCell = readKey(event);
    if (rows === 0 || !onCell) return;
    const done =
      focusFromHeader(onCell, focusCell) || actOnCell(onCell, options, regions) || selectAll(onCell) || move(onCell);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const selectAll = ({ ctrl, key, cell }: GridKey): boolean => {
    if (cell === null || !ctrl || key.toLowerCase() !== 'a') return false;
    setRegions([Regions.cell(0, 0, rows - 1, cols - 1)]);
    return true;
  };

  const move = (pressed: GridKey): boolean => {
    const { at: from, shift } = pressed;
    if (pressed.cell === null) return false;
    if (pressed.key === 'ArrowUp' && from.row === 0 && !shift) return focusHeader(gridId, from.col);
    const next = moveFocus(from, pressed, options);
    if (!next) return false;
    if (shift && regions.length === 0) anchor.current = from;
    setRegions(shift ? [Regions.cell(anchor.current.row, anchor.current.col, next.row, next.col)] : []);
    focusCell(next);
    return true;
  };

  return { regions, setRegions, onKeyDown, focusCell, onDrawn };
}

/** Sets the only tab stop: the focused cell, or the first rendered cell if the focused one was scrolled away. */
function setTabStop(root: HTMLElement | null, focused: HTMLElement | null): void {
  const stop = focused ?? root?.querySelector<HTMLElement>('[role="gridcell"]');
  for (const cell of root?.querySelectorAll<HTMLElement>('[role="gridcell"][tabindex="0"]') ?? []) cell.tabIndex = -1;
  if (stop) stop.tabIndex = 0;
}

export const cellId = (gridId: string, at: CellPosition): string => `${gridId}-r${at.row}c${at.col}`;

/** A key pressed on a cell, on an element inside it, or on a header. */
interface GridKey {
  key: string;
  ctrl: boolean;
  shift: boolean;
  at: CellPosition;
  /** Null on a header. */
  cell: HTMLElement | null;
  /** True if the cell itself has the focus, not a button inside it. */
  isOnCell: boolean;
}

function readKey(event: KeyboardEvent<HTMLElement>): GridKey | null {
  const target = event.target as HTMLElement;
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  const header = target.closest<HTMLElement>('[role="columnheader"]');
  if (!cell && !header) return null;
  const at = cell
    ? { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) }
    : { row: -1, col: Number(header?.ariaColIndex) - 1 };
  const { key, ctrlKey, metaKey, shiftKey: shift } = event;
  return { key, ctrl: ctrlKey || metaKey, shift, at, cell, isOnCell: target === cell };
}

/** ArrowDown moves from a header into its column; all other keys are left to the header. */
function focusFromHeader({ cell, key, at }: GridKey, focusCell: (at: CellPosition) => void): boolean {
  if (cell === null && key === 'ArrowDown') focusCell({ row: 0, col: at.col });
  return cell === null && key === 'ArrowDown';
}

function focusHeader(gridId: string, col: number): boolean {
  document.getElementById(`${gridId}-h${col}`)?.querySelector('button')?.focus();
  return true;
}

/** Handles copying, Enter and Escape. */
function actOnCell(pressed: GridKey, options: GridFocusOptions, regions: readonly Region[]): boolean {
  const { key, ctrl, at, cell, isOnCell } = pressed;
  if (!cell) return false;
  if (ctrl && key.toLowerCase() === 'c' && !window.getSelection()?.toString()) {
    options.onCopy(regions[0] ?? Regions.cell(at.row, at.col));
    return true;
  }
  if (key === 'Enter' && isOnCell) return options.onEnter(at) || enterWidget(cell);
  if (key !== 'Escape' || isOnCell) return false;
  cell.focus();
  return true;
}

/** Enter focuses the first button or link of a cell; Escape returns to the cell. */
function enterWidget(cell: HTMLElement): boolean {
  const widget = cell.querySelector<HTMLElement>(WIDGETS);
  // Waits for keyup, because Blueprint's buttons react to the release of Enter.
  if (widget) window.addEventListener('keyup', () => widget.focus(), { once: true });
  return widget !== null;
}

/** Buttons in cells are reached with Enter, not with Tab; otherwise a grid could have a hundred tab stops. */
export function takeOutOfTabOrder(cell: HTMLElement): void {
  for (const widget of cell.querySelectorAll<HTMLElement>(WIDGETS)) widget.tabIndex = -1;
}

function scrollTo(
  root: HTMLElement | null,
  at: CellPosition,
  { widths, rowHeight }: Pick<GridFocusOptions, 'widths' | 'rowHeight'>,
): void {
  const box = root?.querySelector<HTMLElement>('.bp6-table-quadrant-main .bp6-table-quadrant-scroll-container');
  if (!box) return;
  const top = at.row * rowHeight;
  const height = box.clientHeight - HEADER_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + rowHeight > box.scrollTop + height) box.scrollTop = top + rowHeight - height;
  const left = widths.slice(0, at.col).reduce((sum, width) => sum + width, 0);
  const width = widths[at.col] ?? 0;
  if (left < box.scrollLeft) box.scrollLeft = left;
  else if (left + width > box.scrollLeft + box.clientWidth) box.scrollLeft = left + width - box.clientWidth;
}
