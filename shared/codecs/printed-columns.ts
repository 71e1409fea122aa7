/** Splits the columns of a wide table into groups that fit side by side on a sheet, in the browser's print and in PDFs. */

/** The width of A4 within its margins, in pixels. Letter is wider. */
export const SHEET_WIDTH = 700;
/** The width of a character, of one of a title, and of the padding and border of a cell, in the font of printed tables. */
const CHARACTER = 6.2;
const TITLE_CHARACTER = 7.4;
const PADDING = 14;
const NARROWEST = 34;
/** Longer texts are wrapped. Must match printed-table.css. */
const WIDEST = 220;
/** Number of rows examined for a width. */
export const SAMPLED_ROWS = 200;

/** Returns the width of a column in pixels. Estimated, because printing does not wait for a layout. */
export function printedWidth(title: string, texts: readonly string[]): number {
  const longest = texts.reduce((length, text) => Math.max(length, text.length), 0);
  const content = Math.max(longest * CHARACTER, longestWord(title) * TITLE_CHARACTER);
  return Math.min(WIDEST, Math.max(NARROWEST, content + PADDING));
}

/** Titles are wrapped at blanks. */
const longestWord = (title: string): number =>
  title.split(/\s/).reduce((longest, { length }) => Math.max(longest, length), 0);

/**
 * Returns the groups as indexes of columns, each with the first column, which names the rows. A table that fits is one
 * group.
 */
export function columnGroups(widths: readonly number[], available = SHEET_WIDTH): number[][] {
  const [firstWidth, ...others] = widths;
  if (firstWidth === undefined) return [];
  const groups: number[][] = [[0]];
  let used = firstWidth;
  for (const [index, width] of others.entries()) {
    const group = groups.at(-1)!;
    if (used + width > available && group.length > 1) {
      groups.push([0, index + 1]);
      used = firstWidth + width;
    } else {
      group.push(index + 1);
      used += width;
    }
  }
  return groups;
}

/** Returns which columns a group shows, counted from 1. The first column of every group is the same; it counts once. */
export function columnsOfGroup(groups: readonly (readonly unknown[])[], index: number): { from: number; to: number } {
  const before = groups.slice(0, index).reduce((sum, group) => sum + group.length - 1, 1);
  return { from: index === 0 ? 1 : before + 1, to: before + groups[index]!.length - 1 };
}
