/**
 * What makes formulas that were filled down (or across) the same text, without parsing them: their relative references as
 * distances. Two formulas with one key have the same tree; the same tree may have several keys.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { cellWord, isWordCode, wordEnd } from './scanner.ts';

const QUOTE = 34;
const APOSTROPHE = 39;
const BRACKET = 91;
const COLON = 58;

/** Null where only parsing can tell. */
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
      const token = isOther(text, end) ? null : cellToken(text.slice(pos, end), at);
      if (token !== null) {
        key += text.slice(from, pos) + token;
        from = end;
      } else if (text.charCodeAt(end) === COLON || text.charCodeAt(pos - 1) === COLON) {
        // whole columns and rows, or sheets: distances unless fixed
        if (text.charCodeAt(end) === 33 || text.charCodeAt(wordEnd(text, end + 1)) === 33) return null;
        if (text[pos] !== '$') line = `@${at.row},${at.col}`;
      }
      pos = end;
    } else pos += 1;
  }
  return key + text.slice(from) + line;
}

/** A function's, a sheet's or a table's name. */
function isOther(text: string, end: number): boolean {
  const after = text[end];
  if (after === '(' || after === '!' || after === '[') return true;
  // 'Jan1:Mar1!A1' is a span of sheets
  return after === ':' && text[wordEnd(text, end + 1)] === '!';
}

/** The reference as distances between marks no formula contains; null where the word is none. */
function cellToken(word: string, { row, col }: CellPosition): string | null {
  const last = word.charCodeAt(word.length - 1);
  if (last < 48 || last > 57 || word.length > 12) return null;
  const corner = cellWord(word);
  if (!corner) return null;
  const y = corner.rowAbsolute ? `$${corner.row}` : corner.row - row;
  const x = corner.colAbsolute ? `$${corner.col}` : corner.col - col;
  return `\u0001${y},${x}\u0002`;
}

/** Behind the bracket that closes the one at `from`; -1 where none does. */
function bracketEnd(text: string, from: number): number {
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
