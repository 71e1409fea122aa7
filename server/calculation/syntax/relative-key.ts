/**
 * Identifies formulas that were filled down (or across), without parsing them, by a text with their relative references
 * as distances. Formulas with the same key have the same tree; the same tree may have several keys.
 */
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { isWordCode, wordEnd } from './scanner.ts';

const QUOTE = 34;
const APOSTROPHE = 39;
const BRACKET = 91;
const COLON = 58;
const DOLLAR = 36;

/** Returns null if only parsing can tell. */
export function relativeKey(text: string, at: CellPosition): string | null {
  let key = '';
  let from = 0;
  let pos = 0;
  let line = '';
  while (pos < text.length) {
    const code = text.charCodeAt(pos);
    if (code === QUOTE || code === APOSTROPHE) {
      pos = text.indexOf(text[pos]!, pos + 1) + 1;
      if (pos === 0) return null;
    } else if (code === BRACKET) {
      pos = bracketEnd(text, pos);
      if (pos < 0) return null;
    } else if (isWordCode(code)) {
      const end = wordEnd(text, pos);
      const token = isOther(text, end) ? null : cellToken(text, pos, end, at);
      if (token !== null) {
        key += text.slice(from, pos) + token;
        from = end;
      } else if (text.charCodeAt(end) === COLON || text.charCodeAt(pos - 1) === COLON) {
        // Whole columns and rows, or sheets: distances unless absolute.
        if (text.charCodeAt(end) === 33 || text.charCodeAt(wordEnd(text, end + 1)) === 33) return null;
        // The words of a trim reference ('$A1.:.$A9') end or begin with a point, and are read as written.
        if (text[pos] !== '$' || text[end - 1] === '.') line = `@${at.row},${at.col}`;
      }
      pos = end;
    } else pos += 1;
  }
  return key + text.slice(from) + line;
}

/** Returns true for the name of a function, a sheet or a table. */
function isOther(text: string, end: number): boolean {
  const after = text[end];
  if (after === '(' || after === '!' || after === '[') return true;
  // 'Jan1:Mar1!A1' is a span of sheets.
  return after === ':' && text[wordEnd(text, end + 1)] === '!';
}

/**
 * Returns the reference as distances between markers that no formula contains; null if the word from `start` to `end`
 * is not a reference.
 */
function cellToken(text: string, start: number, end: number, { row, col }: CellPosition): string | null {
  const last = text.charCodeAt(end - 1);
  if (last < 48 || last > 57 || end - start > 12) return null;
  let pos = start;
  const isColFixed = text.charCodeAt(pos) === DOLLAR;
  if (isColFixed) pos += 1;
  const letters = pos;
  let x = 0;
  for (; pos < end; pos += 1) {
    const letter = text.charCodeAt(pos) & 0xdf;
    if (letter < 65 || letter > 90) break;
    x = x * 26 + letter - 64;
  }
  if (pos === letters || pos - letters > 3 || x > MAX_COLS) return null;
  const isRowFixed = text.charCodeAt(pos) === DOLLAR;
  if (isRowFixed) pos += 1;
  // The first digit of a row is never 0.
  if (text.charCodeAt(pos) === 48) return null;
  let y = 0;
  for (; pos < end; pos += 1) {
    const digit = text.charCodeAt(pos) - 48;
    if (digit < 0 || digit > 9) return null;
    y = y * 10 + digit;
  }
  if (y < 1 || y > MAX_ROWS) return null;
  return `\u0001${isRowFixed ? '$' : ''}${isRowFixed ? y : y - row},${isColFixed ? '$' : ''}${isColFixed ? x : x - col}\u0002`;
}

/** Returns the position after the bracket that closes the one at `from`; -1 if there is none. */
export function bracketEnd(text: string, from: number): number {
  let depth = 0;
  for (let pos = from; pos < text.length; pos += 1) {
    const char = text[pos];
    if (char === "'") pos += 1;
    else if (char === '[') depth += 1;
    else if (char === ']') {
      depth -= 1;
      if (depth === 0) return pos + 1;
    }
  }
  return -1;
}
