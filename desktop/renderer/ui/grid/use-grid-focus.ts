import { Regions, type Region } from '@blueprintjs/table';
import { useCallback, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { HEADER_HEIGHT, moveFocus, ROW_HEIGHT, type CellPosition } from './grid-model.ts';

interface GridFocusOptions {
  gridId: string;
  root: RefObject<HTMLDivElement | null>;
  rows: number;
  cols: number;
  page: number;
  widths: readonly number[];
  onCopy: (region: Region) => void;
  /** Enter on a cell; false where it does nothing. */
  onEnter: (at: CellPosition) => boolean;
}

export interface GridFocus {
  regions: Region[];
  setRegions: (regions: Region[]) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** Puts the focus on a cell, scrolling to it. */
  focusCell: (at: CellPosition) => void;
  /** To be called when cells have been drawn: the tab stop, or a cell waited for, may be among them. */
  onDrawn: () => void;
}

const WIDGETS = 'button, a[href], input, select';

/**
 * The keyboard of the grid: one cell holds the tab stop, arrows move it, Shift extends the selection, Ctrl+C copies. The
 * place of the focus is no React state: a step of it must not draw the table again.
 */
export function useGridFocus(options: GridFocusOptions): GridFocus {
  const { gridId, root, rows, cols } = options;
  const [regions, setRegions] = useState<Region[]>([]);
  const focused = useRef<CellPosition>({ row: 0, col: 0 });
  const anchor = useRef<CellPosition>({ row: 0, col: 0 });
  const isWaiting = useRef(false);

  const onDrawn = useCallback(() => {
    const cell = document.getElementById(cellId(gridId, focused.current));
    placeTabStop(root.current, cell);
    if (!isWaiting.current || !cell) return;
    isWaiting.current = false;
    cell.focus({ preventScroll: true });
  }, [gridId, root]);

  const focusCell = (target: CellPosition): void => {
    focused.current = target;
    isWaiting.current = true;
    scrollTo(root.current, target, options.widths);
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

/** The one cell that Tab leads to: the focused one, or the first drawn where that was scrolled away. */
function placeTabStop(root: HTMLElement | null, focused: HTMLElement | null): void {
  const stop = focused ?? root?.querySelector<HTMLElement>('[role="gridcell"]');
  for (const cell of root?.querySelectorAll<HTMLElement>('[role="gridcell"][tabindex="0"]') ?? []) cell.tabIndex = -1;
  if (stop) stop.tabIndex = 0;
}

export const cellId = (gridId: string, at: CellPosition): string => `${gridId}-r${at.row}c${at.col}`;

/** A key pressed on a cell, on something in it, or on a header. */
interface GridKey {
  key: string;
  ctrl: boolean;
  shift: boolean;
  at: CellPosition;
  /** Null on a header. */
  cell: HTMLElement | null;
  /** Whether the cell itself has the focus, and not a button in it. */
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

/** From a header down into its column; nothing else is a key there, and the rest is left to the header. */
function focusFromHeader({ cell, key, at }: GridKey, focusCell: (at: CellPosition) => void): boolean {
  if (cell === null && key === 'ArrowDown') focusCell({ row: 0, col: at.col });
  return cell === null && key === 'ArrowDown';
}

function focusHeader(gridId: string, col: number): boolean {
  document.getElementById(`${gridId}-h${col}`)?.querySelector('button')?.focus();
  return true;
}

/** Copying, Enter and Escape. */
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

/** Enter goes to the first button or link of a cell; Escape comes back. */
function enterWidget(cell: HTMLElement): boolean {
  const widget = cell.querySelector<HTMLElement>(WIDGETS);
  // Not before the key is up: Blueprint's buttons are pressed by an Enter let go on them.
  if (widget) window.addEventListener('keyup', () => widget.focus(), { once: true });
  return widget !== null;
}

/** Buttons in cells are reached with Enter, not with Tab: else a grid would be a hundred stops. */
export function takeOutOfTabOrder(cell: HTMLElement): void {
  for (const widget of cell.querySelectorAll<HTMLElement>(WIDGETS)) widget.tabIndex = -1;
}

function scrollTo(root: HTMLElement | null, at: CellPosition, widths: readonly number[]): void {
  const box = root?.querySelector<HTMLElement>('.bp6-table-quadrant-main .bp6-table-quadrant-scroll-container');
  if (!box) return;
  const top = at.row * ROW_HEIGHT;
  const height = box.clientHeight - HEADER_HEIGHT;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + ROW_HEIGHT > box.scrollTop + height) box.scrollTop = top + ROW_HEIGHT - height;
  const left = widths.slice(0, at.col).reduce((sum, width) => sum + width, 0);
  const width = widths[at.col] ?? 0;
  if (left < box.scrollLeft) box.scrollLeft = left;
  else if (left + width > box.scrollLeft + box.clientWidth) box.scrollLeft = left + width - box.clientWidth;
}
