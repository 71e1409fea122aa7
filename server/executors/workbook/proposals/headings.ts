/** Finds the headings of a sheet: texts that are alone in their row. */
import { MAX_SECTION_LENGTH } from '../definitions/sections.ts';
import { splitUnit } from './labels.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

export interface Heading {
  row: number;
  col: number;
  text: string;
}

/** Returns the headings from the top. */
export function headingsOf(grid: SheetGrid): Heading[] {
  const headings: Heading[] = [];
  for (let at = 0; at < grid.count;) {
    const row = grid.row(at);
    let only = -1;
    let filled = 0;
    for (; at < grid.count && grid.row(at) === row; at++) {
      if (grid.content(at) === Content.Blank) continue;
      filled++;
      only = at;
    }
    if (filled !== 1 || grid.content(only) !== Content.Text) continue;
    const text = grid.text(only);
    if (text.length > MAX_SECTION_LENGTH || /[.!?]$/.test(text) || /^https?:|^www\./i.test(text)) continue;
    headings.push({ row, col: grid.col(only), text: splitUnit(text).name });
  }
  return headings.filter(({ text }) => text !== '');
}

/** Returns the nearest heading above a cell that is not to the right of it. */
export function headingOver(headings: readonly Heading[], row: number, col: number): Heading | null {
  let low = 0;
  let high = headings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (headings[middle]!.row < row) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= Math.max(0, low - 20); at--) {
    if (headings[at]!.col <= col) return headings[at]!;
  }
  return null;
}
