import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { selectionAt, type Selection } from './selection.ts';
import { anchorOf } from './selection.ts';
import type { SheetLayout } from './sheet-layout.ts';

interface PointerOptions {
  layout: SheetLayout;
  selection: Selection;
  select: (selection: Selection, options?: { isExtended?: boolean }) => void;
  /** Called when a tag is pressed. */
  onTag: (key: string) => void;
}

/** Pixels to scroll per frame while the user drags beyond the edge. */
const SCROLL_STEP = 16;

/**
 * Selects a cell on click or tap, and a range on drag. Touch users drag the handle at the corner, because dragging
 * elsewhere scrolls.
 */
export function useGridPointer(options: PointerOptions) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const [isTouch, setTouch] = useState(false);

  const drag = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.closest<HTMLElement>('.rs-sheet-scroller');
    if (!box) return;
    stop.current?.();
    stop.current = followPointer(box, event.pointerId, (at) => {
      const { selection, select } = latest.current;
      if (at.row !== selection.head.row || at.col !== selection.head.col)
        select({ ...selection, head: at }, { isExtended: true });
    });
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    setTouch(event.pointerType !== 'mouse');
    const target = event.target as HTMLElement;
    if (target.dataset['handle']) {
      event.preventDefault();
      drag(event);
      return;
    }
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    const at = positionOf(target);
    if (!at) return;
    // The focus follows the selection, so prevent the browser from moving it.
    event.preventDefault();
    press(at, event.shiftKey, latest.current);
    drag(event);
  };

  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const target = event.target as HTMLElement;
    const tag = target.closest<HTMLElement>('[data-mark]')?.dataset['mark'];
    if (tag !== undefined) return latest.current.onTag(tag);
    const { headRow, headCol } = target.dataset;
    const { layout, select } = latest.current;
    if (headRow !== undefined)
      return select({
        active: { row: Number(headRow), col: 0 },
        head: { row: Number(headRow), col: layout.usedCols - 1 },
      });
    if (headCol !== undefined)
      return select({
        active: { row: 0, col: Number(headCol) },
        head: { row: layout.usedRows - 1, col: Number(headCol) },
      });
    const at = isTouch ? positionOf(target) : null;
    return at ? press(at, event.shiftKey, latest.current) : undefined;
  };

  return { onPointerDown, onClick, isTouch };
}

function press(at: CellPosition, isExtended: boolean, { layout, selection, select }: PointerOptions): void {
  if (isExtended) select({ ...selection, head: at }, { isExtended: true });
  else select(selectionAt(anchorOf(at, layout)));
}

function positionOf(element: Element | null): CellPosition | null {
  const cell = element?.closest<HTMLElement>('[data-row]');
  return cell ? { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) } : null;
}

/**
 * Calls back with the cell under the pointer until it is released. Scrolls while the pointer is beyond the edge.
 * Returns a function that stops this.
 */
function followPointer(box: HTMLElement, pointerId: number, onCell: (at: CellPosition) => void): () => void {
  let [x, y] = [-1, -1];
  let frame = 0;
  const update = (): void => {
    frame = 0;
    const area = box.getBoundingClientRect();
    const right = area.left + box.clientWidth;
    const bottom = area.top + box.clientHeight;
    const beyond = (value: number, from: number, to: number): number => (value < from ? -1 : value > to ? 1 : 0);
    const [byX, byY] = [beyond(x, area.left, right), beyond(y, area.top, bottom)];
    box.scrollBy(byX * SCROLL_STEP, byY * SCROLL_STEP);
    const inside = (value: number, from: number, to: number): number => Math.min(Math.max(value, from + 4), to - 4);
    const at = positionOf(document.elementFromPoint(inside(x, area.left, right), inside(y, area.top, bottom)));
    if (at) onCell(at);
    if (byX !== 0 || byY !== 0) frame = requestAnimationFrame(update);
  };
  const onMove = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    [x, y] = [event.clientX, event.clientY];
    if (frame === 0) frame = requestAnimationFrame(update);
  };
  const end = (): void => {
    cancelAnimationFrame(frame);
    window.removeEventListener('pointermove', onMove);
    window.removeEventListener('pointerup', end);
    window.removeEventListener('pointercancel', end);
  };
  window.addEventListener('pointermove', onMove);
  window.addEventListener('pointerup', end);
  window.addEventListener('pointercancel', end);
  return end;
}
