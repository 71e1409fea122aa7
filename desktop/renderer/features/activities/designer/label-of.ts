/** Derives the name of a range from its sheet: from the text to its left, else from the text above it. */
import { formatBlock, type CellBlock } from '#shared/codecs/cell-address.ts';

/** Returns the value of a cell; null for a blank cell. */
export type ValueAt = (row: number, col: number) => unknown;

/** Maximum distance of a label, in cells. A label stands next to its cells, or a few cells away. */
const MAX_DISTANCE = 4;
/** Longer texts are sentences, not names. */
const MAX_LENGTH = 60;

export function labelOf(block: CellBlock, valueAt: ValueAt): string {
  const isWide = block.right > block.left;
  const isTall = block.bottom > block.top;
  const left = textTowards(valueAt, block.top, block.left, [0, -1]);
  const above = textTowards(valueAt, block.top, block.left, [-1, 0]);
  // The heading of a column or table stands above it. The cells to the left of a table hold its row names.
  const found = isTall ? (above ?? (isWide ? null : left)) : (left ?? above);
  return found ?? formatBlock(block);
}

function textTowards(
  valueAt: ValueAt,
  row: number,
  col: number,
  [down, right]: readonly [number, number],
): string | null {
  for (let distance = 1; distance <= MAX_DISTANCE; distance += 1) {
    const [at, across] = [row + down * distance, col + right * distance];
    if (at < 0 || across < 0) return null;
    const value = valueAt(at, across);
    if (typeof value === 'string') {
      const text = cleanLabel(value);
      if (text !== '') return text.length <= MAX_LENGTH ? text : null;
    }
    // If a number or a date comes first, a text beyond it is the label of that value.
    if (value !== null && value !== undefined && value !== '') return null;
  }
  return null;
}

/** Removes the colon that leads to the cell. */
const cleanLabel = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[\s:=*]+$/, '');
