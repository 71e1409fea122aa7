/** The grid's thinking, without a screen: widths, order, filter. */
import type { To } from 'react-router-dom';
import type { ReactNode } from 'react';
import { compareNames } from '#renderer/language/numbers.ts';

export type SortValue = string | number | boolean | null;

export interface GridColumn<Row> {
  key: string;
  title: string;
  /** The cell as text: shown unless `render` is given, and always used for width, filter, copying and screen readers. */
  text: (row: Row) => string;
  /** The cell as it looks, where text alone will not do. Must say the same as `text`. */
  render?: (row: Row) => ReactNode;
  /** What the tooltip of the cell says instead of its text; '' for the text. */
  tooltip?: (row: Row) => string;
  /** What to sort by; default is the text. Blank ones (null, '') come last. */
  sortValue?: (row: Row) => SortValue;
  /** Default true; grids that load page by page should say false. */
  sortable?: boolean;
  align?: 'left' | 'right';
  /** Header of an input (yellow) or an output (green), told by a mark too. */
  tone?: 'input' | 'output';
  /** A click on a cell of this column, or Enter on it. */
  onClick?: (row: Row) => void;
  /** What that does, where it leads nowhere; '' for a row where it does nothing. */
  hint?: (row: Row) => string;
  /**
   * Where the cells of this column lead: they hold real links, to be opened in a new tab or copied. With an `onClick` that goes there, for
   * Enter; null for a row that leads nowhere.
   */
  to?: (row: Row) => To | null;
  /** Buttons: no text, no sorting, not copied. */
  isActions?: boolean;
  /** An icon stands before the text, and takes room of its own. */
  hasIcon?: boolean;
  /** Pixels, instead of the width by content. */
  width?: number;
  /** Pixels down to which the column gives way where all of them together need more than there is. */
  givesWayTo?: number;
}

export interface GridSort {
  key: string;
  descending: boolean;
}

export const ROW_HEIGHT = 35;
export const HEADER_HEIGHT = 35;
/** Widths by content: 11 px a character and 10 more. Source: specification of activities, section 9. */
const CHARACTER = 11;
const PADDING = 10;
const NARROWEST = 50;
const WIDEST = 400;
/** Cells looked at for a width: more would cost time and change little. */
const SAMPLE = 200;

/** The pixels of each column, from its title and first cells. */
export function columnWidths<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  limits: { min?: number; max?: number } = {},
): number[] {
  const { min = NARROWEST, max = WIDEST } = limits;
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    if (column.width !== undefined) return column.width;
    const longest = sample.reduce((most, row) => Math.max(most, column.text(row).length), column.title.length);
    // The mark of an input or output stands before a title that may be the longest of its column.
    const title = column.tone ? Math.ceil(column.title.length * DRAWN.titleCharacter) + DRAWN.mark + DRAWN.padding : 0;
    return Math.min(max, Math.max(min, title, longest * CHARACTER + PADDING));
  });
}

/** What a character and all else take at most in the font of grids; and more of a title, which is bold and may hold the mark of its order. */
const DRAWN = { character: 7.5, padding: 20, titleCharacter: 7.5, mark: 17, wideTitle: 8, icon: 22 };

/** The pixels that title and first cells take: down to these, a column can give way without anything being cut. */
export function drawnWidths<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  limits: { min?: number; sortable?: boolean } = {},
): number[] {
  const { min = NARROWEST, sortable = true } = limits;
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    const longest = sample.reduce((most, row) => Math.max(most, column.text(row).length), 0);
    const marks =
      Number(sortable && column.sortable !== false && !column.isActions) + Number(column.tone !== undefined);
    // Without the room of a mark, capitals and an m would be too much for a short title.
    const title = column.title.length * DRAWN.titleCharacter + (marks === 0 ? DRAWN.wideTitle : DRAWN.mark * marks);
    const cell = longest * DRAWN.character + (column.hasIcon ? DRAWN.icon : 0);
    return Math.ceil(Math.max(min, Math.max(cell, title) + DRAWN.padding));
  });
}

/**
 * The same widths where they fit into `available` pixels. Else columns by content give up what their cells do not take (`drawn`), and then
 * those that give way what they can spare, each an equal share.
 */
export function fittedWidths<Row>(
  columns: readonly GridColumn<Row>[],
  widths: readonly number[],
  drawn: readonly number[],
  available: number,
): number[] {
  const whole = narrowed(
    widths,
    columns.map(({ width }, index) => (width === undefined ? drawn[index]! : Infinity)),
    available,
  );
  return narrowed(
    whole,
    columns.map(({ givesWayTo = Infinity }) => givesWayTo),
    available,
  );
}

function narrowed(widths: readonly number[], least: readonly number[], available: number): number[] {
  const spare = widths.map((width, index) => Math.max(0, width - least[index]!));
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  const share = Math.min(1, (sum(widths) - available) / sum(spare));
  if (!(share > 0)) return [...widths];
  return widths.map((width, index) => width - Math.ceil(spare[index]! * share));
}

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareNames(String(a), String(b));
}

const isBlank = (value: SortValue): boolean => value === null || value === '';

/** Indices into `rows` in the order asked for; equal rows keep theirs, blanks are last either way. */
export function sortedIndices<Row>(
  rows: readonly Row[],
  indices: readonly number[],
  columns: readonly GridColumn<Row>[],
  sort: GridSort | null,
): number[] {
  const column = sort && columns.find((candidate) => candidate.key === sort.key);
  if (!sort || !column) return [...indices];
  const valueOf = column.sortValue ?? column.text;
  const values = new Map(indices.map((index) => [index, valueOf(rows[index]!)]));
  const direction = sort.descending ? -1 : 1;
  return indices.toSorted((left, right) => {
    const a = values.get(left) ?? null;
    const b = values.get(right) ?? null;
    if (isBlank(a) || isBlank(b)) return Number(isBlank(a)) - Number(isBlank(b)) || left - right;
    return direction * compare(a, b) || left - right;
  });
}

/** Indices of the rows that hold every word of the filter in some cell; letter case does not matter. */
export function filteredIndices<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  filter: string,
): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const all = rows.map((_, index) => index);
  if (words.length === 0) return all;
  const searched = columns.filter((column) => !column.isActions);
  return all.filter((index) => {
    const texts = searched.map((column) => column.text(rows[index]!).toLowerCase());
    return words.every((word) => texts.some((text) => text.includes(word)));
  });
}

/** What a click on a header makes of the order: up, down, as it came. */
export function nextSort(sort: GridSort | null, key: string): GridSort | null {
  if (sort?.key !== key) return { key, descending: false };
  return sort.descending ? null : { key, descending: true };
}

/** Cells as a spreadsheet pastes them: tabs between, a line each row; text with tabs, breaks or quotes is quoted. */
export function toClipboardText(cells: readonly (readonly string[])[]): string {
  const quote = (text: string): string => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return cells.map((row) => row.map(quote).join('\t')).join('\n');
}

export interface CellPosition {
  row: number;
  col: number;
}

/** Where a key leads from a cell; null for keys that lead nowhere. `page` is the number of rows in view. */
export function moveFocus(
  at: CellPosition,
  key: { key: string; ctrl: boolean },
  size: { rows: number; cols: number; page: number },
): CellPosition | null {
  const lastRow = size.rows - 1;
  const lastCol = size.cols - 1;
  const moves: Record<string, CellPosition> = {
    ArrowUp: { row: key.ctrl ? 0 : at.row - 1, col: at.col },
    ArrowDown: { row: key.ctrl ? lastRow : at.row + 1, col: at.col },
    ArrowLeft: { row: at.row, col: key.ctrl ? 0 : at.col - 1 },
    ArrowRight: { row: at.row, col: key.ctrl ? lastCol : at.col + 1 },
    Home: { row: key.ctrl ? 0 : at.row, col: 0 },
    End: { row: key.ctrl ? lastRow : at.row, col: lastCol },
    PageUp: { row: at.row - size.page, col: at.col },
    PageDown: { row: at.row + size.page, col: at.col },
  };
  const target = moves[key.key];
  if (!target) return null;
  const within = (value: number, last: number): number => Math.max(0, Math.min(value, last));
  return { row: within(target.row, lastRow), col: within(target.col, lastCol) };
}
