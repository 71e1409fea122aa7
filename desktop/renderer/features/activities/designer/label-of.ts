/** What a range is called in its sheet: by the text on the left, else by the one above it. */
import { formatBlock, type CellBlock } from '#shared/codecs/cell-address.ts';

/** The value of a cell; null for a blank one. */
export type ValueAt = (row: number, col: number) => unknown;

/** Labels stand next to their cells, or leave a few of them out. */
const MAX_DISTANCE = 4;
/** Sentences are no names. */
const MAX_LENGTH = 60;

export function labelOf(block: CellBlock, valueAt: ValueAt): string {
  const isWide = block.right > block.left;
  const isTall = block.bottom > block.top;
  const left = textTowards(valueAt, block.top, block.left, [0, -1]);
  const above = textTowards(valueAt, block.top, block.left, [-1, 0]);
  // A column is headed by what stands above it, and a table too: left of it stand the names of its rows.
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
    // Beyond a number or a date the text is the label of that.
    if (value !== null && value !== undefined && value !== '') return null;
  }
  return null;
}

/** Without the colon that leads to its cell. */
export const cleanLabel = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[\s:=*]+$/, '');
