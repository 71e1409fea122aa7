import { Regions, type Region } from '@blueprintjs/table';
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
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
  at: CellPosition;
  regions: Region[];
  setRegions: (regions: Region[]) => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  /** Puts the focus on a cell, scrolling to it. */
  focusCell: (at: CellPosition) => void;
  /** To be called when cells have been drawn: a cell waited for may have appeared. */
  onDrawn: () => void;
}

const WIDGETS = 'button, a[href], input, select';

/** The keyboard of the grid: one cell holds the tab stop, arrows move it, Shift extends the selection, Ctrl+C copies. */
export function useGridFocus(options: GridFocusOptions): GridFocus {
  const { gridId, root, rows, cols } = options;
  const [wanted, setWanted] = useState<CellPosition>({ row: 0, col: 0 });
  const [regions, setRegions] = useState<Region[]>([]);
  const anchor = useRef<CellPosition>(wanted);
  const waiting = useRef(false);
  const at = {
    row: Math.max(0, Math.min(wanted.row, rows - 1)),
    col: Math.max(0, Math.min(wanted.col, cols - 1)),
  };

  const onDrawn = useCallback(() => {
    if (!waiting.current) return;
    const cell = document.getElementById(cellId(gridId, wanted));
    if (!cell) return;
    waiting.current = false;
    cell.focus({ preventScroll: true });
  }, [gridId, wanted]);
  useEffect(onDrawn, [onDrawn]);

  const focusCell = (target: CellPosition): void => {
    waiting.current = true;
    scrollTo(root.current, target, options.widths);
    setWanted({ ...target });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[role="gridcell"]');
    if (!cell || rows === 0) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const done = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (ctrl && event.key.toLowerCase() === 'c' && !window.getSelection()?.toString()) {
      options.onCopy(regions[0] ?? Regions.cell(at.row, at.col));
      return done();
    }
    if (ctrl && event.key.toLowerCase() === 'a') {
      setRegions([Regions.cell(0, 0, rows - 1, cols - 1)]);
      return done();
    }
    if (event.key === 'Enter' && event.target === cell && (options.onEnter(at) || enterWidget(cell))) return done();
    if (event.key === 'Escape' && event.target !== cell) {
      cell.focus();
      return done();
    }
    const next = moveFocus(at, { key: event.key, ctrl }, options);
    if (!next) return;
    if (event.shiftKey) {
      if (regions.length === 0) anchor.current = at;
      setRegions([Regions.cell(anchor.current.row, anchor.current.col, next.row, next.col)]);
    } else {
      setRegions([]);
    }
    focusCell(next);
    done();
  };

  return { at, regions, setRegions, onKeyDown, focusCell, onDrawn };
}

export const cellId = (gridId: string, at: CellPosition): string => `${gridId}-r${at.row}c${at.col}`;

/** Enter goes to the first button or link of a cell; Escape comes back. */
function enterWidget(cell: HTMLElement): boolean {
  const widget = cell.querySelector<HTMLElement>(WIDGETS);
  widget?.focus();
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
