import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react';

export interface Dragging {
  /** Index of the dragged item. */
  from: number;
  /** Index where it would be dropped. */
  to: number;
}

/** Makes the items of a list draggable by their handles, with a mouse, a pen or a finger. */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
): { dragging: Dragging | null; onPointerDown: (event: PointerEvent, from: number) => void } {
  const [dragging, setDragging] = useState<Dragging | null>(null);
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = (event: PointerEvent, from: number): void => {
    if (event.button !== 0) return;
    const { pointerId } = event;
    let to = from;
    const show = (): void => setDragging({ from, to });
    const onPointerMove = (moving: globalThis.PointerEvent): void => {
      if (moving.pointerId !== pointerId) return;
      to = indexAt(list.current, moving.clientY);
      // Scroll, so that items can be dragged through a list that is longer than the window.
      list.current?.children[to]?.scrollIntoView({ block: 'nearest' });
      show();
    };
    const end = (isDropped: boolean): void => {
      stop.current?.();
      setDragging(null);
      if (isDropped && to !== from) onMove(from, to);
    };
    const onPointerUp = (up: globalThis.PointerEvent): void => {
      if (up.pointerId === pointerId) end(true);
    };
    const onCancel = (): void => end(false);
    const onKeyDown = (key: KeyboardEvent): void => {
      if (key.key === 'Escape') end(false);
    };
    window.addEventListener('pointermove', onPointerMove);
    window.addEventListener('pointerup', onPointerUp);
    window.addEventListener('pointercancel', onCancel);
    window.addEventListener('keydown', onKeyDown);
    stop.current = () => {
      window.removeEventListener('pointermove', onPointerMove);
      window.removeEventListener('pointerup', onPointerUp);
      window.removeEventListener('pointercancel', onCancel);
      window.removeEventListener('keydown', onKeyDown);
      stop.current = undefined;
    };
  };
  return { dragging, onPointerDown };
}

/** Returns the index of the item at a height: the first one above the list, the last one below it. */
function indexAt(list: HTMLElement | null, y: number): number {
  const items = [...(list?.children ?? [])];
  const found = items.findIndex((item) => y < item.getBoundingClientRect().bottom);
  return found === -1 ? items.length - 1 : found;
}
