/** Splits the columns of a wide table into groups that fit side by side on a sheet. */
import type { GridColumn } from './grid-model.ts';

/** The width of A4 within its margins, in pixels. Letter is wider. */
const SHEET = 700;
/** The width of a character, of one of a title, and of the padding and border of a cell, in the font of printed tables. */
const CHARACTER = 6.2;
const TITLE_CHARACTER = 7.4;
const PADDING = 14;
const NARROWEST = 34;
/** Longer texts are wrapped. Must match printed-table.css. */
const WIDEST = 220;
/** Number of rows examined for a width. */
const SAMPLE = 200;

/**
 * Returns the groups, each with the first column, which names the rows. A table that fits is one group. Estimated,
 * because printing does not wait for a layout.
 */
export function printedColumns<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  available = SHEET,
): GridColumn<Row>[][] {
  const [first, ...others] = columns;
  if (!first) return [];
  const sample = rows.slice(0, SAMPLE);
  const firstWidth = widthOf(first, sample);
  const groups: GridColumn<Row>[][] = [[first]];
  let used = firstWidth;
  for (const column of others) {
    const width = widthOf(column, sample);
    const group = groups.at(-1)!;
    if (used + width > available && group.length > 1) {
      groups.push([first, column]);
      used = firstWidth + width;
    } else {
      group.push(column);
      used += width;
    }
  }
  return groups;
}

function widthOf<Row>({ title, text }: GridColumn<Row>, sample: readonly Row[]): number {
  const longest = sample.reduce((length, row) => Math.max(length, text(row).length), 0);
  const content = Math.max(longest * CHARACTER, longestWord(title) * TITLE_CHARACTER);
  return Math.min(WIDEST, Math.max(NARROWEST, content + PADDING));
}

/** Titles are wrapped at blanks. */
const longestWord = (title: string): number => Math.max(...title.split(/\s/).map(({ length }) => length));
