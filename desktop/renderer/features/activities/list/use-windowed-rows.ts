/** Of a long table only the rows in view are drawn, and some around them. */
import { useEffect, useState, type RefObject } from 'react';

/** Drawn above and below what is seen, so that a turn of the wheel finds them there. */
const AROUND = 20;
/** The range moves by so many rows at once, so that most turns of the wheel draw nothing. */
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
 * The range of rows to draw of a table that scrolls with the page.
 * @param rowHeight of each row, in pixels
 */
export function useWindowedRows(body: RefObject<HTMLElement | null>, count: number, rowHeight: number): Windowed {
  const [seen, setSeen] = useState({ first: 0, end: 40 });
  useEffect(() => {
    const look = (): void => {
      if (!body.current) return;
      const { top } = body.current.getBoundingClientRect();
      const first = Math.max(0, Math.floor(-top / rowHeight));
      const end = Math.max(0, Math.ceil((window.innerHeight - top) / rowHeight));
      const [least, most] = [Math.floor(first / STEP) * STEP, Math.ceil(end / STEP) * STEP];
      setSeen((before) => (before.first === least && before.end === most ? before : { first: least, end: most }));
    };
    look();
    // Whatever scrolls around the table: scrolling does not bubble, but is captured.
    document.addEventListener('scroll', look, { capture: true, passive: true });
    window.addEventListener('resize', look);
    return () => {
      document.removeEventListener('scroll', look, { capture: true });
      window.removeEventListener('resize', look);
    };
  }, [body, rowHeight]);
  return around(Math.min(seen.first, count), seen.end, count);
}
