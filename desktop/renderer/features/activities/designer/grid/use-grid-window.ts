import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { SheetCells } from './sheet-cells.ts';
import { isSameWindow, scrollTo, windowOf, type GridWindow, type SheetLayout, type Viewport } from './sheet-layout.ts';

/** Cells that scroll past in less time are not fetched. */
const REST_MS = 60;

interface WindowOptions {
  layout: SheetLayout;
  cells: SheetCells;
  sheet: number;
}

/** Decides which cells are drawn and fetched. Scrolling renders only if the window changes. */
export function useGridWindow({ layout, cells, sheet }: WindowOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState<GridWindow>(() =>
    windowOf(layout, { left: 0, top: 0, width: 1000, height: 600 }),
  );
  const frame = useRef(0);

  const update = useCallback(() => {
    frame.current = 0;
    if (!scroller.current) return;
    const next = windowOf(layout, viewportOf(scroller.current));
    setWindow((before) => (isSameWindow(before, next) ? before : next));
  }, [layout]);

  const onScroll = useCallback(() => {
    if (frame.current === 0) frame.current = requestAnimationFrame(update);
  }, [update]);

  useLayoutEffect(() => {
    // The observer reports the current size immediately.
    const observer = new ResizeObserver(update);
    if (scroller.current) observer.observe(scroller.current);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [update]);

  useEffect(() => {
    const fetchCells = (): void => {
      void cells.need(sheet, window.firstRow, window.lastRow);
      if (layout.frozenRows > 0) void cells.need(sheet, 0, layout.frozenRows - 1);
    };
    const timer = setTimeout(fetchCells, REST_MS);
    const stop = cells.store.subscribe((now, before) => {
      if (before.failure && !now.failure) fetchCells();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [cells, sheet, window, layout]);

  const showBlock = useCallback(
    (block: CellBlock): void => {
      const box = scroller.current;
      if (!box) return;
      const { left, top } = scrollTo(layout, block, viewportOf(box));
      box.scrollTop = top;
      box.scrollLeft = layout.isRightToLeft ? -left : left;
      update();
    },
    [layout, update],
  );

  return { scroller, window, onScroll, showBlock };
}

/** In right-to-left sheets, browsers count scroll positions to the left, as negative numbers. */
const viewportOf = (box: HTMLDivElement): Viewport => ({
  left: Math.abs(box.scrollLeft),
  top: box.scrollTop,
  width: box.clientWidth,
  height: box.clientHeight,
});
