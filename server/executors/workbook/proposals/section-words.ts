/** Interprets the heading above cells: 'Assumptions', 'Results'. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isInputHeading, isResultHeading } from './words.ts';

/** How many rows above, and columns to the left, are searched for a heading. */
const MAX_ABOVE = 20;
const MAX_LEFT = 3;

export function sectionSays(grid: SheetGrid, { top, left }: CellBlock): 'inputs' | 'results' | 'nothing' {
  for (let row = top - 1; row >= Math.max(0, top - MAX_ABOVE); row--) {
    for (let col = left; col >= Math.max(0, left - MAX_LEFT); col--) {
      const text = grid.text(grid.at(row, col));
      if (text === '' || text.length > 60) continue;
      if (isResultHeading(text)) return 'results';
      if (isInputHeading(text)) return 'inputs';
    }
  }
  return 'nothing';
}
