import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { selectedBlock } from './grid-selection.ts';
import { ROW_HEIGHT } from './grid-window.ts';
import type { GridEditing } from './use-grid-editing.ts';
import type { FillTarget } from './fill-cells.ts';
import { mapSelection, screenRowOf, shownCount } from './grid-layout.ts';

export interface GridGeometry {
  offsets: readonly number[];
  headWidth: number;
  /** Total width of the frozen columns in pixels. */
  frozenWidth: number;
}

interface Point {
  x: number;
  y: number;
}

/** Scroll interval in milliseconds while the pointer is beyond the edge of the grid. */
const SCROLL_EVERY = 50;

/** Makes the handle at the corner of the selection draggable by mouse, pen and finger. */
export function useFillHandle(
  editing: GridEditing,
  scroller: RefObject<HTMLDivElement | null>,
  geometry: GridGeometry,
) {
  const [target, setTarget] = useState<FillTarget | null>(null);
  const point = useRef<Point | null>(null);
  // The timer outlives the render in which dragging began.
  const latest = useRef({ editing, geometry, target });
  useEffect(() => {
    latest.current = { editing, geometry, target };
  });
  const targetNow = (): FillTarget | null => {
    const { current } = latest;
    if (!scroller.current || !point.current) return null;
    return targetAt(point.current, scroller.current, current.editing, current.geometry, current.target);
  };
  const follow = (): void => {
    const next = targetNow();
    if (next) setTarget(next);
  };
  const isDragging = target !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    const timer = setInterval(() => {
      if (scroller.current && point.current && scrollTowards(point.current, scroller.current)) follow();
    }, SCROLL_EVERY);
    return () => clearInterval(timer);
  });
  const stop = (): void => {
    point.current = null;
    setTarget(null);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      // Take the focus, so that a cell in edit stores its text.
      scroller.current?.focus({ preventScroll: true });
      point.current = { x: event.clientX, y: event.clientY };
      setTarget({ direction: 'down', count: 0 });
    },
    onPointerMove: (event: PointerEvent) => {
      if (!point.current) return;
      point.current = { x: event.clientX, y: event.clientY };
      follow();
    },
    onPointerUp: (event: PointerEvent) => {
      if (!point.current) return;
      point.current = { x: event.clientX, y: event.clientY };
      // Use the pointer position: the last movement may not be rendered yet.
      const last = targetNow();
      stop();
      if (last && last.count > 0) latest.current.editing.fill(last, event.ctrlKey || event.metaKey);
    },
    onPointerCancel: stop,
    onDoubleClick: () => editing.fillToNeighbour(),
  };
  return { target, handlers };
}

/** Returns true if the pointer is beyond an edge. */
function scrollTowards({ x, y }: Point, scroller: HTMLElement): boolean {
  const box = scroller.getBoundingClientRect();
  const beyond = (at: number, low: number, high: number): number => (at < low ? at - low : at > high ? at - high : 0);
  const [dx, dy] = [beyond(x, box.left, box.right), beyond(y, box.top, box.bottom)];
  if (dx === 0 && dy === 0) return false;
  const step = (distance: number): number =>
    Math.sign(distance) * ROW_HEIGHT * (1 + Math.floor(Math.abs(distance) / 40));
  scroller.scrollBy({ left: dx === 0 ? 0 : step(dx), top: dy === 0 ? 0 : step(dy) });
  return true;
}

/**
 * Returns the cells between the selection and the pointer. As in Excel, the fill goes in the direction of the larger
 * distance.
 */
function targetAt(
  { x, y }: Point,
  scroller: HTMLElement,
  { selection, rows, shape, layout }: GridEditing,
  { offsets, headWidth, frozenWidth }: GridGeometry,
  before: FillTarget | null,
): FillTarget {
  const box = scroller.getBoundingClientRect();
  const block = selectedBlock(mapSelection(selection, (row) => screenRowOf(row, rows, layout.shown)));
  const maxRows = shape.rowsVariable ? shape.maxRows : shownCount(rows, layout.shown);
  // While the pointer is below the grid, allow one row more than was reached so far, so that the fill extends row by
  // row.
  const reached = before?.direction === 'down' ? block.bottom + before.count + 1 : block.bottom;
  const under = Math.floor((Math.min(y, box.bottom - 2) - box.top + scroller.scrollTop) / ROW_HEIGHT) - 1;
  const screenRow = y > box.bottom ? Math.max(under, Math.min(reached, shownCount(rows, layout.shown) + 5_000)) : under;
  const row = Math.max(0, Math.min(screenRow, maxRows - 1));
  const inView = Math.max(box.left, Math.min(x, box.right - 2)) - box.left - headWidth;
  const left = inView < frozenWidth ? inView : inView + scroller.scrollLeft;
  const after = offsets.findIndex((offset) => offset > left);
  const col = Math.max(0, (after < 0 ? offsets.length - 1 : after) - 1);
  const down = row > block.bottom ? row - block.bottom : Math.min(0, row - block.top);
  const right = col > block.right ? col - block.right : Math.min(0, col - block.left);
  const across = right === 0 ? 0 : Math.abs(offsets[col]! - offsets[right > 0 ? block.right : block.left]!);
  if (Math.abs(down) * ROW_HEIGHT >= across) return { direction: down < 0 ? 'up' : 'down', count: Math.abs(down) };
  return { direction: right < 0 ? 'left' : 'right', count: Math.abs(right) };
}
