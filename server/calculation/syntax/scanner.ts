/** Classifies characters and words of formulas for the parser. */
import { columnIndex, MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { ERROR_CODES } from '../values/cell-value.ts';
import type { ErrorCode } from '../values/cell-value.ts';
import { ParseError } from './parse-error.ts';

export interface Corner {
  row: number;
  col: number;
  rowAbsolute: boolean;
  colAbsolute: boolean;
}

/** Returns true for letters, digits, '_', '.', '\', '?', '$', and all non-ASCII characters. */
export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 46 ||
    code === 36 ||
    code === 92 ||
    code === 63 ||
    code > 127
  );
}

/** Returns the end of the word that starts at `from`. */
export function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isWordCode(text.charCodeAt(end))) end += 1;
  return end;
}

export function isSpaceCode(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 160;
}

const CELL = /^(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})$/;
const COLUMN = /^(\$?)([A-Za-z]{1,3})$/;
const ROW = /^(\$?)([1-9]\d{0,6})$/;

/** Returns the corner that a word names ('$B7'), or null. */
export function cellWord(word: string): Corner | null {
  const match = CELL.exec(word);
  if (!match) return null;
  const col = columnIndex(match[2]!);
  const row = Number(match[4]) - 1;
  if (col < 0 || row >= MAX_ROWS) return null;
  return { row, col, rowAbsolute: match[3] === '$', colAbsolute: match[1] === '$' };
}

export function columnWord(word: string): Corner | null {
  const match = COLUMN.exec(word);
  const col = match ? columnIndex(match[2]!) : -1;
  return col < 0 ? null : { row: 0, col, rowAbsolute: true, colAbsolute: match![1] === '$' };
}

export function rowWord(word: string): Corner | null {
  const match = ROW.exec(word);
  if (!match || Number(match[2]) > MAX_ROWS) return null;
  return { row: Number(match[2]) - 1, col: 0, rowAbsolute: match[1] === '$', colAbsolute: true };
}

const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;

/** Returns the text of the number at `at`, or ''. */
export function numberText(text: string, at: number): string {
  NUMBER.lastIndex = at;
  return NUMBER.exec(text)?.[0] ?? '';
}

/** Reads a quoted text, in which quotes are doubled; `at` is the opening quote. */
export function quoted(text: string, at: number): { value: string; end: number } {
  const quote = text[at]!;
  let value = '';
  let from = at + 1;
  for (;;) {
    const close = text.indexOf(quote, from);
    if (close < 0) throw new ParseError(`A ${quote} is opened and never closed`, at);
    value += text.slice(from, close);
    if (text[close + 1] !== quote) return { value, end: close + 1 };
    value += quote;
    from = close + 2;
  }
}

const errorsByLength = ERROR_CODES.toSorted((a, b) => b.length - a.length);

/** Returns the error literal at `at`, or null. */
export function errorLiteral(text: string, at: number): ErrorCode | null {
  const upper = text.slice(at, at + 14).toUpperCase();
  return errorsByLength.find((code) => upper.startsWith(code)) ?? null;
}

/** Returns true if the name of a sheet or book must be quoted before '!'. */
export function needsQuotes(name: string): boolean {
  return (
    !/^[A-Za-z_\u0080-\uffff][\w.\u0080-\uffff]*$/.test(name) ||
    cellWord(name) !== null ||
    columnLike(name) ||
    /^(?:true|false)$/i.test(name)
  );
}

function columnLike(name: string): boolean {
  return /^[rc]$/i.test(name) || /^r\d*c\d*$/i.test(name);
}

/** Wraps a row around the sheet: a relative reference beyond an edge continues at the opposite one, as in Excel. */
export function wrapRow(row: number): number {
  return row >= 0 && row < MAX_ROWS ? row : ((row % MAX_ROWS) + MAX_ROWS) % MAX_ROWS;
}

export function wrapCol(col: number): number {
  return col >= 0 && col < MAX_COLS ? col : ((col % MAX_COLS) + MAX_COLS) % MAX_COLS;
}
