/** The logic of the grid without rendering: widths, sort order, filter. */
import type { To } from 'react-router-dom';
import type { ReactNode } from 'react';
import { compareNames } from '#renderer/language/numbers.ts';
import { TEXT, type CopiedCell, type CopiedValue } from './copied-cells.ts';

export type SortValue = string | number | boolean | null;

export interface GridColumn<Row> {
  key: string;
  title: string;
  /**
   * The cell as text: displayed unless `render` is given, and always used for width, filter, copying and screen
   * readers.
   */
  text: (row: Row) => string;
  /** Custom rendering of the cell, if text is not sufficient. Must have the same meaning as `text`. */
  render?: (row: Row) => ReactNode;
  /** Tooltip of the cell in place of its text; '' to use the text. */
  tooltip?: (row: Row) => string;
  /** Sort key; by default the text. Blanks (null, '') are sorted last. */
  sortValue?: (row: Row) => SortValue;
  /** Default true; grids that load page by page should set false. */
  sortable?: boolean;
  /** The value of the cell, for programs that it is copied to; by default its text. */
  copied?: (row: Row) => CopiedValue;
  align?: 'left' | 'right';
  /** Header of an input (yellow) or an output (green), also indicated by an icon. */
  tone?: 'input' | 'output';
  /** Called for a click on a cell of this column, or Enter on it. */
  onClick?: (row: Row) => void;
  /** What onClick does, if it does not navigate; '' for a row where it does nothing. */
  hint?: (row: Row) => string;
  /**
   * Target of the cells' links, which can be opened in a new tab or copied; null for a row without target. Combine it
   * with an `onClick` that navigates there, for Enter.
   */
  to?: (row: Row) => To | null;
  /** True for a column of buttons: no text, no sorting, not copied. */
  isActions?: boolean;
  /** True if an icon precedes the text and needs its own space. */
  hasIcon?: boolean;
  /** Fixed width in pixels, instead of the width by content. */
  width?: number;
  /** Minimum width in pixels to which the column may shrink if all columns together need more space than available. */
  givesWayTo?: number;
}

export interface GridSort {
  key: string;
  descending: boolean;
}

export const HEADER_HEIGHT = 35;
/** Width by content: 11 px per character plus 10. Source: specification of activities, section 9. */
const CHARACTER = 11;
const PADDING = 10;
const NARROWEST = 50;
const WIDEST = 400;
/** Maximum number of cells examined for a width: more would take time and change little. */
const SAMPLE = 200;

/** Returns the width of each column in pixels, from its title and first cells. */
export function columnWidths<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  limits: { min?: number; max?: number } = {},
): number[] {
  const { min = NARROWEST, max = WIDEST } = limits;
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    if (column.width !== undefined) return column.width;
    const longest = sample.reduce((length, row) => Math.max(length, column.text(row).length), column.title.length);
    // The icon of an input or output precedes the title, which may be the longest text of its column.
    const title = column.tone ? Math.ceil(column.title.length * DRAWN.titleCharacter) + DRAWN.mark + DRAWN.padding : 0;
    return Math.min(max, Math.max(min, title, longest * CHARACTER + PADDING));
  });
}

/**
 * Maximum widths of a character and other elements in the grid's font. Titles need more, because they are bold and may
 * contain the sort icon.
 */
const DRAWN = { character: 7.5, padding: 20, titleCharacter: 7.5, mark: 17, wideTitle: 8, icon: 22 };

/**
 * Returns the pixels that title and first cells actually need: a column can shrink to this width without truncating
 * anything.
 */
export function drawnWidths<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  limits: { min?: number; sortable?: boolean } = {},
): number[] {
  const { min = NARROWEST, sortable = true } = limits;
  const sample = rows.slice(0, SAMPLE);
  return columns.map((column) => {
    const longest = sample.reduce((length, row) => Math.max(length, column.text(row).length), 0);
    const marks =
      Number(sortable && column.sortable !== false && !column.isActions) + Number(column.tone !== undefined);
    // Without space for an icon, capital letters and an m would not fit in a short title.
    const title = column.title.length * DRAWN.titleCharacter + (marks === 0 ? DRAWN.wideTitle : DRAWN.mark * marks);
    const cell = longest * DRAWN.character + (column.hasIcon ? DRAWN.icon : 0);
    return Math.ceil(Math.max(min, Math.max(cell, title) + DRAWN.padding));
  });
}

/**
 * Returns the widths unchanged if they fit into `available` pixels. Otherwise columns sized by content shrink toward
 * `drawn`, the space that their cells need. Then columns with givesWayTo shrink. In both steps, all columns give up the
 * same fraction of what they can spare.
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

function narrowed(widths: readonly number[], minWidths: readonly number[], available: number): number[] {
  const spare = widths.map((width, index) => Math.max(0, width - minWidths[index]!));
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

/** Returns indices into `rows` in sort order. The sort is stable, and blanks are last in both directions. */
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

/** Returns the indices of rows in which every word of the filter occurs in some cell, ignoring case. */
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

/** Returns the next sort order after a click on a header: ascending, descending, unsorted. */
export function nextSort(sort: GridSort | null, key: string): GridSort | null {
  if (sort?.key !== key) return { key, descending: false };
  return sort.descending ? null : { key, descending: true };
}

/**
 * Formats cells for pasting into a spreadsheet: separated by tabs, one line per row; text with tabs, line breaks or
 * quotes is quoted.
 */
export function toClipboardText(cells: readonly (readonly string[])[]): string {
  const quote = (text: string): string => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return cells.map((row) => row.map(quote).join('\t')).join('\n');
}

/** Returns the cells of rows for copying. */
export function copiedRows<Row>(columns: readonly GridColumn<Row>[], rows: readonly Row[]): CopiedCell[][] {
  return rows.map((row) => columns.map(({ text, copied }) => ({ text: text(row), value: copied?.(row) ?? TEXT })));
}

export interface CellPosition {
  row: number;
  col: number;
}

/** Returns the cell that a key moves to; null for other keys. `page` is the number of rows in view. */
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
