import {
  useEffect,
  useRef,
  useState,
  type DOMAttributes,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
} from 'react';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { createLongPress, type LongPress } from './long-press.ts';
import { anchorOf, selectionAt, type Selection } from './selection.ts';
import type { SheetLayout } from './sheet-layout.ts';

interface PointerOptions {
  scroller: RefObject<HTMLElement | null>;
  layout: SheetLayout;
  selection: Selection;
  select: (selection: Selection, options?: { isExtended?: boolean }) => void;
  /** Called when a tag is pressed. */
  onTag: (key: string) => void;
}

export interface GridPointer {
  /** True after selecting by touch. */
  isTouch: boolean;
  handlers: Required<
    Pick<DOMAttributes<HTMLElement>, 'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel' | 'onClick'>
  >;
  /** Call this when the sheet scrolls. */
  cancelHold: () => void;
}

/** Pixels to scroll per frame while the user drags beyond the edge. */
const SCROLL_STEP = 16;

/**
 * Selects a cell on click or tap, and a range on drag. Dragging a finger scrolls, so touch users hold a cell before they
 * drag, or drag the handle at the corner of the selection.
 */
export function useGridPointer(options: PointerOptions): GridPointer {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [isTouch, setTouch] = useState(false);
  const [hold] = useState<LongPress>(createLongPress);
  useEffect(() => hold.cancel, [hold]);
  const { drag, isSelecting } = useRangeDrag(latest, options.scroller);
  /** True after a range was selected by holding: the click that may follow must not select a single cell. */
  const ignoresClick = useRef(false);

  const beginRange = (at: CellPosition, pointerId: number): void => {
    press(at, false, latest.current);
    drag(pointerId, true);
    ignoresClick.current = true;
  };

  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    const { pointerId, pointerType, button, shiftKey } = event;
    const isMouse = pointerType === 'mouse';
    setTouch(!isMouse);
    ignoresClick.current = false;
    const target = event.target as HTMLElement;
    if (target.dataset['handle']) {
      event.preventDefault();
      return drag(pointerId);
    }
    const at = positionOf(target);
    if (!at) return hold.cancel();
    if (!isMouse) return isSelecting.current ? undefined : hold.down(event, () => beginRange(at, pointerId));
    if (button !== 0) return undefined;
    // The focus follows the selection, so prevent the browser from moving it.
    event.preventDefault();
    press(at, shiftKey, latest.current);
    return drag(pointerId);
  };

  return {
    isTouch,
    handlers: {
      onPointerDown,
      onPointerMove: hold.move,
      onPointerUp: hold.cancel,
      // The browser has begun to scroll or to zoom.
      onPointerCancel: hold.cancel,
      onClick: (event) => {
        if (!ignoresClick.current) click(event, isTouch, latest.current);
      },
    },
    cancelHold: hold.cancel,
  };
}

function click(event: MouseEvent<HTMLElement>, isTouch: boolean, options: PointerOptions): void {
  const target = event.target as HTMLElement;
  const tag = target.closest<HTMLElement>('[data-mark]')?.dataset['mark'];
  if (tag !== undefined) return options.onTag(tag);
  const { headRow, headCol } = target.dataset;
  const { layout, select } = options;
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
  return at ? press(at, event.shiftKey, options) : undefined;
}

/** Extends the selection to the cell under a pointer. */
function useRangeDrag(latest: RefObject<PointerOptions>, scroller: PointerOptions['scroller']) {
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  /** True while a finger selects that was held before. */
  const isSelecting = useRef(false);
  useTouchDefaults(scroller, isSelecting);

  const drag = (pointerId: number, wasHeld = false): void => {
    const box = scroller.current;
    if (!box) return;
    stop.current?.();
    isSelecting.current = wasHeld;
    const onCell = (at: CellPosition): void => {
      const { selection, select } = latest.current;
      if (at.row !== selection.head.row || at.col !== selection.head.col)
        select({ ...selection, head: at }, { isExtended: true });
    };
    stop.current = followPointer(box, pointerId, onCell, () => void (isSelecting.current = false));
  };
  return { drag, isSelecting };
}

/** While a finger selects a range, it neither scrolls the sheet nor opens the browser's menu. */
function useTouchDefaults(scroller: RefObject<HTMLElement | null>, isSelecting: RefObject<boolean>): void {
  useEffect(() => {
    const box = scroller.current;
    const prevent = (event: Event): void => {
      if (isSelecting.current && event.cancelable) event.preventDefault();
    };
    // React's listeners are passive, and browsers ignore those that are added during a touch.
    box?.addEventListener('touchmove', prevent, { passive: false });
    box?.addEventListener('contextmenu', prevent);
    return () => {
      box?.removeEventListener('touchmove', prevent);
      box?.removeEventListener('contextmenu', prevent);
    };
  }, [scroller, isSelecting]);
}

function press(at: CellPosition, isExtended: boolean, { layout, selection, select }: PointerOptions): void {
  if (isExtended) select({ ...selection, head: at }, { isExtended: true });
  else select(selectionAt(anchorOf(at, layout)));
}

function positionOf(element: Element | null): CellPosition | null {
  const cell = element?.closest<HTMLElement>('[data-row]');
  return cell ? { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) } : null;
}

/** Returns the cell at a point, also under the handle or a name. */
const cellAt = (x: number, y: number): CellPosition | null =>
  positionOf(document.elementsFromPoint(x, y).find((element) => positionOf(element)) ?? null);

/**
 * Calls back with the cell under the pointer until it is released. Scrolls while the pointer is beyond the edge.
 * Returns a function that stops this.
 */
function followPointer(
  box: HTMLElement,
  pointerId: number,
  onCell: (at: CellPosition) => void,
  onEnd: () => void,
): () => void {
  let [x, y] = [-1, -1];
  let frame = 0;
  const update = (): void => {
    frame = 0;
    const area = box.getBoundingClientRect();
    // In right-to-left sheets, the scroll bar is at the left, and clientLeft includes it.
    const left = area.left + box.clientLeft;
    const right = left + box.clientWidth;
    const top = area.top + box.clientTop;
    const bottom = top + box.clientHeight;
    const beyond = (value: number, from: number, to: number): number => (value < from ? -1 : value > to ? 1 : 0);
    const [byX, byY] = [beyond(x, left, right), beyond(y, top, bottom)];
    box.scrollBy(byX * SCROLL_STEP, byY * SCROLL_STEP);
    const inside = (value: number, from: number, to: number): number => Math.min(Math.max(value, from + 4), to - 4);
    const at = cellAt(inside(x, left, right), inside(y, top, bottom));
    if (at) onCell(at);
    if (byX !== 0 || byY !== 0) frame = requestAnimationFrame(update);
  };
  const onMove = (event: globalThis.PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    [x, y] = [event.clientX, event.clientY];
    if (frame === 0) frame = requestAnimationFrame(update);
  };
  const end = (): void => {
    onEnd();
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
