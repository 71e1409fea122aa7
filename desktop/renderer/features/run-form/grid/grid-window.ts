/**
 * Which rows and columns of an input grid are drawn, and the widths of its columns. Source: specification of
 * activities, section 9.
 */

export const ROW_HEIGHT = 35;
export const ROWS_SHOWN = 10;
const OVERSCAN = 6;
const PIXELS_PER_CHARACTER = 11;
const PADDING = 10;
const MIN_WIDTH = 120;
const MAX_WIDTH = 400;
/** Measuring all of 50,000 rows would be noticeably slow; the first rows are representative. */
const MEASURED_ROWS = 200;

/** Heights of the toolbar above and the text line below. */
const TOOLBAR_HEIGHT = 28;
const LINES_BELOW = 28;
const BORDERS = 2;
const SCROLLBAR = 18;

/** Maximum height of the cells and headings. */
export const MAX_BOX_HEIGHT = ROW_HEIGHT * (ROWS_SHOWN + 1) + SCROLLBAR;

export const hasGridTools = (rows: number, isVariable: boolean): boolean => rows > 1 || isVariable;

/** Returns the height of a grid in pixels, for the placeholder that is shown while it loads. */
export const gridHeight = (rows: number, isVariable: boolean): number =>
  Math.min(ROW_HEIGHT * (rows + 1) + BORDERS, MAX_BOX_HEIGHT) +
  LINES_BELOW +
  (hasGridTools(rows, isVariable) ? TOOLBAR_HEIGHT : 0);

/** Returns 11 pixels per character plus 10, from 120 to 400. */
export function columnWidth(header: string, texts: readonly (string | undefined)[]): number {
  const longest = texts.slice(0, MEASURED_ROWS).reduce((max, text) => Math.max(max, text?.length ?? 0), header.length);
  return Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, longest * PIXELS_PER_CHARACTER + PADDING));
}

/** Returns the start of each column, followed by the end of the last one. */
export function columnOffsets(widths: readonly number[]): number[] {
  const offsets = [0];
  for (const width of widths) offsets.push(offsets.at(-1)! + width);
  return offsets;
}

/** First and last drawn item, both inclusive; `last` is -1 if there are no items. */
export interface Span {
  first: number;
  last: number;
}

export function visibleRows(scrollTop: number, height: number, rows: number): Span {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(rows - 1, Math.ceil((scrollTop + height) / ROW_HEIGHT) + OVERSCAN);
  return { first: Math.min(first, Math.max(0, last)), last };
}

export function visibleColumns(scrollLeft: number, width: number, offsets: readonly number[]): Span {
  const count = offsets.length - 1;
  let first = 0;
  while (first < count - 1 && offsets[first + 1]! <= scrollLeft) first += 1;
  let last = first;
  while (last < count - 1 && offsets[last + 1]! < scrollLeft + width) last += 1;
  return { first: Math.max(0, first - 1), last: Math.min(count - 1, last + 1) };
}
