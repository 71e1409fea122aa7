/**
 * Converts between cell addresses in Excel's notation ('B7', 'B7:D9') and positions: row and column from 0. Source of
 * the limits: ECMA-376 part 1, 18.3 (1,048,576 rows by 16,384 columns).
 */

export const MAX_ROWS = 1_048_576;
export const MAX_COLS = 16_384;

/** One cell; `row` and `col` count from 0. */
export interface CellPosition {
  row: number;
  col: number;
}

/** A block of cells including both corners; rows and columns count from 0. */
export interface CellBlock {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** Returns the letters of a column counted from 0: 0 is 'A', 26 is 'AA'. */
export function columnLetters(col: number): string {
  let letters = '';
  for (let rest = col + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** Returns the column, counted from 0, for its letters in any case; -1 if they name no column of a sheet. */
export function columnIndex(letters: string): number {
  if (!/^[A-Za-z]{1,3}$/.test(letters)) return -1;
  let col = 0;
  for (const letter of letters.toUpperCase()) col = col * 26 + letter.charCodeAt(0) - 64;
  return col <= MAX_COLS ? col - 1 : -1;
}

/** Returns 'B7' for row 6, col 1. */
export function formatCell(row: number, col: number): string {
  return columnLetters(col) + String(row + 1);
}

/** Returns 'B7', or 'B7:D9' if the block is larger than one cell. */
export function formatBlock(block: CellBlock): string {
  const first = formatCell(block.top, block.left);
  const last = formatCell(block.bottom, block.right);
  return first === last ? first : `${first}:${last}`;
}

/** Returns the position of 'B7' or '$B$7'; null if the text is not a single cell of a sheet. */
export function parseCell(text: string): CellPosition | null {
  const match = /^\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})$/.exec(text);
  if (!match) return null;
  const col = columnIndex(match[1]!);
  const row = Number(match[2]) - 1;
  return col < 0 || row >= MAX_ROWS ? null : { row, col };
}

/** Returns the block of 'B7', 'B7:D9', 'B:D' or '3:5', with corners in any order; null for anything else. */
export function parseBlock(text: string): CellBlock | null {
  const parts = text.split(':');
  if (parts.length > 2) return null;
  const first = parseCorner(parts[0]!);
  const last = parseCorner(parts[1] ?? parts[0]!);
  if (!first || !last || first.kind !== last.kind) return null;
  if (parts.length === 1 && first.kind !== 'cell') return null;
  return {
    top: first.kind === 'column' ? 0 : Math.min(first.row, last.row),
    left: first.kind === 'row' ? 0 : Math.min(first.col, last.col),
    bottom: first.kind === 'column' ? MAX_ROWS - 1 : Math.max(first.row, last.row),
    right: first.kind === 'row' ? MAX_COLS - 1 : Math.max(first.col, last.col),
  };
}

function parseCorner(text: string): { kind: 'cell' | 'row' | 'column'; row: number; col: number } | null {
  const cell = parseCell(text);
  if (cell) return { kind: 'cell', ...cell };
  const column = /^\$?([A-Za-z]{1,3})$/.exec(text);
  if (column) {
    const col = columnIndex(column[1]!);
    return col < 0 ? null : { kind: 'column', row: 0, col };
  }
  const line = /^\$?([1-9]\d{0,6})$/.exec(text);
  if (!line || Number(line[1]) > MAX_ROWS) return null;
  return { kind: 'row', row: Number(line[1]) - 1, col: 0 };
}
