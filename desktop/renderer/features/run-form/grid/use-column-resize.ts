import { useRef, useState, type PointerEvent } from 'react';
import type { GridEditing } from './use-grid-editing.ts';

/** In pixels. */
const NARROWEST = 40;
const WIDEST = 1200;

export const withinWidths = (width: number): number => Math.max(NARROWEST, Math.min(WIDEST, Math.round(width)));

const widthAt = (begin: { x: number; width: number }, { clientX }: PointerEvent): number =>
  withinWidths(begin.width + clientX - begin.x);

/** Makes column edges draggable. The width becomes a change only when the edge is released. */
export function useColumnResize(editing: GridEditing) {
  const [resized, setResized] = useState<{ col: number; width: number } | null>(null);
  const begin = useRef<{ x: number; width: number } | null>(null);
  const stop = (): void => {
    begin.current = null;
    setResized(null);
  };
  const handlersOf = (col: number, width: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      begin.current = { x: event.clientX, width };
    },
    onPointerMove: (event: PointerEvent) => {
      if (begin.current) setResized({ col, width: widthAt(begin.current, event) });
    },
    onPointerUp: (event: PointerEvent) => {
      // Use the pointer position: the last movement may not be rendered yet.
      if (begin.current && event.clientX !== begin.current.x) editing.setWidth(col, widthAt(begin.current, event));
      stop();
    },
    onPointerCancel: stop,
    onDoubleClick: () => editing.setWidth(col, null),
  });
  return { resized, handlersOf };
}
