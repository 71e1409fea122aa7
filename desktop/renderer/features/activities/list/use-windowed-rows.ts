/** Draws only the visible rows of a long table, plus some rows around them. */
import { useEffect, useState, type RefObject } from 'react';

/** Rows drawn above and below the visible ones, so that one turn of the mouse wheel finds them drawn. */
const AROUND = 20;
/** The range moves in steps of this many rows, so that most turns of the mouse wheel render nothing. */
const STEP = 10;

export interface Windowed {
  first: number;
  /** The row after the last. */
  end: number;
}

const around = (first: number, end: number, count: number): Windowed => ({
  first: Math.max(0, Math.floor(first / STEP) * STEP - AROUND),
  end: Math.min(count, Math.ceil(end / STEP) * STEP + AROUND),
});

/**
 * Returns the range of rows to draw, for a table that scrolls with the page.
 * @param rowHeight height of each row in pixels
 */
export function useWindowedRows(body: RefObject<HTMLElement | null>, count: number, rowHeight: number): Windowed {
  const [seen, setSeen] = useState({ first: 0, end: 40 });
  useEffect(() => {
    const update = (): void => {
      if (!body.current) return;
      const { top } = body.current.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-top / rowHeight));
      const end = Math.max(0, Math.ceil((window.innerHeight - top) / rowHeight));
      const [firstRow, endRow] = [Math.floor(first / STEP) * STEP, Math.ceil(end / STEP) * STEP];
      setSeen((before) =>
        before.first === firstRow && before.end === endRow ? before : { first: firstRow, end: endRow },
      );
    };
    update();
    // Capture scroll events of any surrounding container, because scroll events do not bubble.
    document.addEventListener('scroll', update, { capture: true, passive: true });
    window.addEventListener('resize', update);
    return () => {
      document.removeEventListener('scroll', update, { capture: true });
      window.removeEventListener('resize', update);
    };
  }, [body, rowHeight]);
  return around(Math.min(seen.first, count), seen.end, count);
}
