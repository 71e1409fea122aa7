/**
 * Fits texts and numbers into cells as Excel does: texts overflow into blank neighbors, numbers are rounded or become
 * '####'.
 */
import type { CellEnd } from './text-align.ts';

export interface RunOver {
  /** The first and the last column over which the text is drawn. */
  from: number;
  to: number;
}

interface Neighbours {
  /** Returns the width of a column in pixels. */
  width: (col: number) => number;
  /** Returns true if a text may be drawn over the column. */
  isBlank: (col: number) => boolean;
  count: number;
}

/**
 * @param need width in pixels of the text with its padding
 * @param end the end of the cell at which the text stands; it overflows at the other end
 */
export function runOver(col: number, need: number, end: CellEnd, { width, isBlank, count }: Neighbours): RunOver {
  let missing = need - width(col);
  let [from, to] = [col, col];
  if (missing <= 0) return { from, to };
  const share = end === 'center' ? missing / 2 : missing;
  if (end !== 'end') {
    for (missing = share; missing > 0 && to + 1 < count && isBlank(to + 1); missing -= width(to)) to += 1;
  }
  if (end !== 'start') {
    for (missing = share; missing > 0 && from > 0 && isBlank(from - 1); missing -= width(from)) from -= 1;
  }
  return { from, to };
}

interface NumberFit {
  value: number;
  /** The text as shown with enough room. */
  text: string;
  /** True if the number format lets the width decide the number of digits. */
  isGeneral: boolean;
  /** Available width in pixels. */
  availableWidth: number;
  measure: (text: string) => number;
  /** Returns the text of another number in the same format. */
  format: (value: number) => string;
}

/** Returns the text that a cell shows for a number: fewer decimals if the format allows it, else '####'. */
export function fitNumber({ value, text, isGeneral, availableWidth, measure, format }: NumberFit): string {
  if (measure(text) <= availableWidth) return text;
  if (isGeneral && !Number.isInteger(value) && Math.abs(value) < 1e11) {
    for (let decimals = 9; decimals >= 0; decimals -= 1) {
      const rounded = Number(value.toFixed(decimals));
      const shorter = format(rounded);
      // A value rounded to 0 would be mistaken for 0.
      if (rounded !== 0 && measure(shorter) <= availableWidth) return shorter;
    }
  }
  return '#'.repeat(Math.max(1, Math.floor(availableWidth / Math.max(1, measure('#')))));
}
