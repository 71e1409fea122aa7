/**
 * Recognizes a formula that was filled down from its bytes in the file: from row to row, only the numbers of relative
 * rows increase. Nothing is decoded, split or parsed for such a cell, and most formulas of large sheets are of this
 * kind.
 */
import { MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { bracketEnd } from './relative-key.ts';
import { isWordCode, wordEnd } from './scanner.ts';

/** A formula as fixed pieces, with the numbers of relative rows between them. */
export interface RowTemplate {
  /** Row of its cell, 0-based. */
  row: number;
  parts: Uint8Array[];
  /** One fewer than pieces; 1-based row numbers as in Excel. */
  rows: number[];
}

/** Numeric escapes may stand for any character. */
const OTHER_ESCAPES = /&(?!(?:lt|gt|amp|quot|apos);)/;
/** These characters may be part of names, so that what follows is not a cell. */
const ODD_LETTERS = /[\\?]/;
const LAST_COLUMN = 'XFD';
const QUOTES = [/"|&quot;/y, /'|&apos;/y];
const CELL = /^\$?([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})$/;
const DIGITS = /^\$?\d+$/;

const encoder = new TextEncoder();

/**
 * `text` is as in the file, with XML escapes. Returns null if the same words may have another meaning one row below.
 */
export function rowTemplate(text: string, row: number): RowTemplate | null {
  if (OTHER_ESCAPES.test(text) || ODD_LETTERS.test(text)) return null;
  const parts: Uint8Array[] = [];
  const rows: number[] = [];
  let from = 0;
  let pos = 0;
  while (pos < text.length) {
    const char = text[pos]!;
    const closed = char === '"' || char === "'" || char === '&' ? quoteEnd(text, pos) : pos;
    if (closed < 0) return null;
    if (closed > pos) pos = closed;
    else if (char === '[' || char === ']') return null;
    else if (isWordCode(text.charCodeAt(pos))) {
      const end = wordEnd(text, pos);
      if (text[end] === '[') {
        // Columns of a table whose name precedes them.
        pos = bracketEnd(text, end);
        if (pos < 0) return null;
        continue;
      }
      const found = relativeRow(text, pos, end);
      if (found === 'unclear') return null;
      if (found !== null) {
        parts.push(encoder.encode(text.slice(from, found)));
        rows.push(Number(text.slice(found, end)));
        from = end;
      }
      pos = end;
    } else pos += 1;
  }
  parts.push(encoder.encode(text.slice(from)));
  return { row, parts, rows };
}

/**
 * Returns the position after the quoted text or name that begins here; -1 if it does not end, the same position if none
 * begins.
 */
function quoteEnd(text: string, from: number): number {
  for (const quote of QUOTES) {
    quote.lastIndex = from;
    if (!quote.test(text)) continue;
    for (let at = quote.lastIndex; at < text.length; at += 1) {
      quote.lastIndex = at;
      if (quote.test(text)) return quote.lastIndex;
    }
    return -1;
  }
  return from;
}

/** Returns where the number of a relative row begins in the word; null if it has none. */
function relativeRow(text: string, start: number, end: number): number | 'unclear' | null {
  const after = text[end];
  // Names of functions and sheets.
  if (after === '(' || after === '!') return null;
  const word = text.slice(start, end);
  const isInSpan = after === ':' || text[start - 1] === ':';
  // Spans of sheets, whole rows, and trim references ('A1:.A9').
  if (isInSpan && (DIGITS.test(word) || text[wordEnd(text, end + 1)] === '!' || isTrimmed(word))) return 'unclear';
  const match = CELL.exec(word);
  if (!match || match[2] === '$') return null;
  const [, letters, , digits] = match as unknown as [string, string, string, string];
  // Beyond the last column it is a name.
  if (letters.length === 3 && letters.toUpperCase() > LAST_COLUMN) return null;
  if (Number(digits) > MAX_ROWS) return 'unclear';
  return end - digits.length;
}

const isTrimmed = (word: string): boolean => word.startsWith('.') || word.endsWith('.');

/** Returns true if the bytes from `start` to `end` are the formula, filled down to `row`. */
export function isFilledDown(
  { row: own, parts, rows }: RowTemplate,
  bytes: Uint8Array,
  start: number,
  end: number,
  row: number,
): boolean {
  let at = start;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    const { length } = part;
    if (at + length > end) return false;
    for (let offset = 0; offset < length; offset += 1) if (bytes[at + offset] !== part[offset]) return false;
    at += length;
    if (index === rows.length) break;
    const wanted = rows[index]! + row - own;
    if (wanted < 1 || wanted > MAX_ROWS) return false;
    // A row number does not begin with 0.
    if (bytes[at] === 0x30) return false;
    let found = 0;
    const first = at;
    for (; at < end && at - first < 8; at += 1) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) break;
      found = found * 10 + digit;
    }
    if (found !== wanted) return false;
  }
  return at === end;
}
