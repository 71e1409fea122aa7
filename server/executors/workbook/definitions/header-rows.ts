/** Decides whether the first row of a block is a heading row, and names its columns. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { formatCellValue, isDate } from '#shared/codecs/format-value.ts';
import type { ValueGrid } from '../anchors.ts';
import { heightOf } from './blocks.ts';
import type { CellView, SavedCell } from './cell-view.ts';

/** Reads the columns of a block; merged cells count as one cell. */
export interface ColumnReader {
  width: number;
  height: number;
  /** Returns the letters of a column. */
  letters(x: number): string;
  /** Returns the cells of a row of the block. */
  row(y: number): SavedCell[];
  /** Returns the cells of a column from row `from` on. */
  column(x: number, from: number): SavedCell[];
  /** Returns the row directly above the block as possible headings; null if it cannot contain headings. */
  above(): SavedCell[] | null;
  /**
   * Returns true if a data validation begins at the first cell of a column. Validations of whole columns do not count.
   */
  beginsValidation(x: number): boolean;
}

/** Whether the first row is a heading row. `isCertain` is true if the cells leave no doubt. */
export interface HeaderChoice {
  isHeaders: boolean;
  isCertain: boolean;
}

/** Minimum share of distinct texts among the filled cells of a heading row. */
const MIN_SHARE_OF_TEXTS = 0.8;

/** Maximum number of rows compared with the first one, and of their cells: a block may be as large as a sheet. */
const MAX_COMPARED_ROWS = 1000;
const MAX_COMPARED_CELLS = 100_000;

/** Returns how many rows of a block are compared: at least two. */
const comparedRows = ({ height, width }: ColumnReader): number =>
  Math.min(height, MAX_COMPARED_ROWS, Math.max(2, Math.floor(MAX_COMPARED_CELLS / width)));

export function createColumnReader(model: WorkbookModel, view: CellView, sheet: number, grid: ValueGrid): ColumnReader {
  const { width, height } = grid;
  const columns = Array.from({ length: width }, (_, x) => x);
  return {
    width,
    height,
    letters: (x) => columnLetters(grid.colAt(x)),
    row: (y) => columns.map((x) => view.cell(sheet, grid.rowAt(y), grid.colAt(x))),
    column: (x, from) =>
      Array.from({ length: height - from }, (_, i) => view.cell(sheet, grid.rowAt(from + i), grid.colAt(x))),
    above() {
      const row = grid.rowAt(0) - 1;
      if (row < 0) return null;
      const cols = columns.map((x) => grid.colAt(x));
      const isInTable = model.tables.some(
        ({ sheet: own, block }) =>
          own === sheet &&
          row >= block.top &&
          row <= block.bottom &&
          cols.some((col) => col >= block.left && col <= block.right),
      );
      return isInTable ? null : headingsAt(model, view, sheet, row, cols);
    },
    beginsValidation(x) {
      const [row, col] = [grid.rowAt(0), grid.colAt(x)];
      return (
        row > 0 &&
        model.sheets[sheet]!.validations.some(({ blocks }) =>
          blocks.some(({ top, left, right }) => top === row && col >= left && col <= right),
        )
      );
    },
  };
}

/**
 * Returns the cells of a row. A cell merged with rows above counts in its last row. Returns null if cells are merged
 * across several of the columns.
 */
function headingsAt(
  model: WorkbookModel,
  view: CellView,
  sheet: number,
  row: number,
  cols: readonly number[],
): SavedCell[] | null {
  const merges = model.sheets[sheet]!.merges.filter(({ top, bottom }) => row >= top && row <= bottom);
  const covers = (col: number, { left, right }: { left: number; right: number }): boolean =>
    col >= left && col <= right;
  if (merges.some((merge) => cols.filter((col) => covers(col, merge)).length > 1)) return null;
  return cols.map((col) => {
    const own = merges.find((merge) => covers(col, merge) && heightOf(merge) > 1);
    return own ? view.cell(sheet, own.top, own.left) : view.cell(sheet, row, col);
  });
}

export const isText = ({ value }: SavedCell): boolean => typeof value === 'string' && value.trim() !== '';
export const isFilled = ({ value }: SavedCell): boolean => value !== null && value !== '';

/** Returns true if cells read like headings: most are filled, and nearly all of these are distinct texts. */
export function looksLikeHeadings(cells: readonly SavedCell[]): boolean {
  const filled = cells.filter(isFilled);
  const texts = new Set(filled.filter(isText).map(({ value }) => String(value).trim().toLowerCase()));
  return filled.length * 2 > cells.length && texts.size >= 2 && texts.size >= filled.length * MIN_SHARE_OF_TEXTS;
}

/**
 * A row is a heading row if it reads like headings and the rows below do not. If all rows are texts, every row reads
 * like headings. The first row is then data if there are headings directly above the block, if one of its texts appears
 * again in its column, or if a data validation begins at it.
 */
export function chooseHeaders(reader: ColumnReader): HeaderChoice {
  const first = reader.row(0);
  if (reader.height < 2 || !looksLikeHeadings(first)) return { isHeaders: false, isCertain: true };
  const below = Array.from({ length: comparedRows(reader) - 1 }, (_, i) => reader.row(i + 1)).filter((row) =>
    row.some(isFilled),
  );
  const above = reader.above();
  const isBelowHeadings = above !== null && looksLikeHeadings(above);
  if (below.length === 0) return { isHeaders: !isBelowHeadings, isCertain: !isBelowHeadings };
  const isOver = (isOwnText: boolean): boolean =>
    first.some((cell, x) => isFilled(cell) && isText(cell) === isOwnText && standsOverOthers(below, x));
  if (isOver(true) && !(isBelowHeadings && isOver(false))) return { isHeaders: true, isCertain: true };
  if (isBelowHeadings || first.some((cell, x) => isLikeColumn(reader, cell, below, x)))
    return { isHeaders: false, isCertain: false };
  return { isHeaders: true, isCertain: !below.every(looksLikeHeadings) };
}

/** Returns true if a column has values and none of them is a text. */
function standsOverOthers(below: readonly SavedCell[][], x: number): boolean {
  const filled = below.map((row) => row[x]!).filter(isFilled);
  return filled.length > 0 && !filled.some(isText);
}

/**
 * Returns true if a cell of the first row looks like a value of its column: its text appears again below, neither the
 * cell nor the values below are texts, or a data validation begins at it.
 */
function isLikeColumn(reader: ColumnReader, cell: SavedCell, below: readonly SavedCell[][], x: number): boolean {
  if (!isFilled(cell)) return false;
  if (!isText(cell)) return standsOverOthers(below, x);
  const text = String(cell.value).trim().toLowerCase();
  const isAgain = below.some((row) => isText(row[x]!) && String(row[x]!.value).trim().toLowerCase() === text);
  return isAgain || reader.beginsValidation(x);
}

/**
 * Returns distinct column names from a heading row. A blank heading becomes the column's letters; the letters also
 * distinguish equal headings.
 */
export function headerNames(reader: ColumnReader, cells: readonly SavedCell[]): string[] {
  const seen = new Set<string>();
  return cells.map((cell, x) => {
    const written = textOf(cell).trim();
    const name = written === '' ? reader.letters(x) : written;
    const isSeen = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return isSeen ? `${name} (${reader.letters(x)})` : name;
  });
}

/** Returns the names of columns without headings. */
export const letterNames = (reader: ColumnReader): string[] =>
  Array.from({ length: reader.width }, (_, x) => reader.letters(x));

export const textOf = ({ value, format }: SavedCell): string =>
  value instanceof CellError ? value.code : formatCellValue(value, format);

/**
 * Returns true if the columns of a matrix, below and beside its headings, hold different types of values, with a single
 * type in each column.
 */
export function columnsDiffer(reader: ColumnReader): boolean {
  const rows = Array.from({ length: comparedRows(reader) - 1 }, (_, i) => reader.row(i + 1));
  const kinds = new Set<string>();
  for (let x = 1; x < reader.width; x++) {
    const own = new Set(
      rows
        .map((row) => row[x]!)
        .filter(isFilled)
        .map(kindOf),
    );
    if (own.size > 1) return false;
    for (const kind of own) kinds.add(kind);
  }
  return kinds.size > 1;
}

const kindOf = ({ value, format }: SavedCell): string =>
  typeof value === 'number' && isDate(format) ? 'date' : typeof value;
