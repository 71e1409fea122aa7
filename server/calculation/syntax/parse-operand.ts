/** Parses operands that begin with a word or a quoted sheet: references, names, calls, tables. */
import type { CallNode, Node, ReferenceNode, SheetPrefix } from './ast.ts';
import { Absolute } from './ast.ts';
import type { OpenFormula } from './open-formula.ts';
import { ParseError } from './parse-error.ts';
import { cellWord, columnWord, quoted, rowWord, wordEnd } from './scanner.ts';
import type { Corner } from './scanner.ts';
import { parseBrackets } from './structured-reference.ts';
import { trimReference } from './trim-reference.ts';

const SPAN = /:([\w.\u0080-\uffff]+)!/y;

/** Parses a word without a sheet before it. */
export function parseOperandWord(parser: OpenFormula): Node {
  const { text, pos } = parser;
  const end = wordEnd(text, pos);
  const word = text.slice(pos, end);
  if (text[end] === '!') {
    parser.pos = end + 1;
    return parseAfterPrefix(parser, { book: null, first: word, last: null });
  }
  if (text[end] === ':' && cellWord(word) === null) {
    SPAN.lastIndex = end;
    const span = SPAN.exec(text);
    if (span) {
      parser.pos = end + span[0].length;
      return parseAfterPrefix(parser, { book: null, first: word, last: span[1]! });
    }
  }
  return wordNode(parser, word, end, null);
}

/** Parses 'My sheet'!A1, '[1]My sheet'!A1, 'C:\folder\[Book.xlsx]Sheet'!A1, 'Jan:Dec'!A1, 'Book.xlsx'!name. */
export function parseQuotedPrefix(parser: OpenFormula): Node {
  const start = parser.pos;
  const { value, end } = quoted(parser.text, start);
  if (parser.text[end] !== '!') throw new ParseError('A ! is expected after a sheet in quotes', end);
  parser.pos = end + 1;
  const match = /^([^[\]]*)\[([^\]]+)\](.*)$/s.exec(value);
  const book = match ? match[1]! + match[2]! : null;
  const sheets = match ? match[3]! : value;
  const colon = sheets.indexOf(':');
  const span = colon > 0 && !sheets.includes('\\') && !sheets.includes('/');
  return parseAfterPrefix(parser, {
    book,
    first: sheets === '' ? null : span ? sheets.slice(0, colon) : sheets,
    last: span ? sheets.slice(colon + 1) : null,
  });
}

/** Parses what follows a '!'. */
export function parseAfterPrefix(parser: OpenFormula, prefix: SheetPrefix): Node {
  if (parser.text[parser.pos] === '#') return parser.errorValue();
  if (parser.text[parser.pos] === "'" && prefix.book !== null) {
    const { value, end } = quoted(parser.text, parser.pos);
    parser.pos = end;
    return { type: 'name', prefix, name: value, variable: false };
  }
  const end = wordEnd(parser.text, parser.pos);
  if (end === parser.pos) throw parser.unexpected();
  return wordNode(parser, parser.text.slice(parser.pos, end), end, prefix);
}

function wordNode(parser: OpenFormula, word: string, end: number, prefix: SheetPrefix | null): Node {
  const { text } = parser;
  const after = text[end];
  if (after === '(') return call(parser, word, end, prefix);
  if (after === '[') {
    const { inside, end: close } = parseBrackets(text, end);
    parser.pos = close;
    return { type: 'structured', prefix, table: word, ...inside };
  }
  const reference = referenceAt(parser, word, end, prefix);
  if (reference) return reference;
  parser.pos = end;
  if (prefix === null) {
    const upper = word.toUpperCase();
    if (upper === 'TRUE' || upper === 'FALSE') return { type: 'boolean', value: upper === 'TRUE' };
  }
  if (word.includes('$')) throw new ParseError(`${word} is neither a reference nor a name`, end - word.length);
  if (/^\d/.test(word)) throw new ParseError(`${word} is neither a number nor a name`, end - word.length);
  if (word.startsWith('_xlop.')) return { type: 'name', prefix, name: word.slice(6), variable: true, optional: true };
  // A function as a value: BYROW(A1:B9,_xleta.SUM)
  if (word.startsWith('_xleta.')) {
    return { type: 'name', prefix, name: word.slice(7), variable: false, isFunction: true };
  }
  const variable = word.startsWith('_xlpm.');
  return { type: 'name', prefix, name: variable ? word.slice(6) : word, variable };
}

function referenceAt(parser: OpenFormula, word: string, end: number, prefix: SheetPrefix | null): Node | null {
  const trimmed = trimReferenceAt(parser, word, end, prefix);
  if (trimmed) return trimmed;
  const cell = cellWord(word);
  let second: Corner | null = null;
  let secondEnd = end;
  if (parser.text[end] === ':') {
    secondEnd = wordEnd(parser.text, end + 1);
    const after = parser.text[secondEnd];
    const other = after === '!' || after === '(' || after === '[' ? '' : parser.text.slice(end + 1, secondEnd);
    second = cell ? cellWord(other) : null;
    const lines = cell || other === '' ? null : linesOf(word, other);
    if (lines) {
      parser.pos = secondEnd;
      return reference(parser, prefix, lines.shape, lines.first, lines.last);
    }
  }
  if (!cell) return null;
  parser.pos = second ? secondEnd : end;
  return second ? reference(parser, prefix, 'range', cell, second) : reference(parser, prefix, 'cell', cell, cell);
}

/** Recognizes whole columns or rows: 'A:C', '1:3'. */
function linesOf(from: string, to: string): { shape: 'columns' | 'rows'; first: Corner; last: Corner } | null {
  for (const [read, shape] of [
    [columnWord, 'columns'],
    [rowWord, 'rows'],
  ] as const) {
    const first = read(from);
    const last = first ? read(to) : null;
    if (first && last) return { shape, first, last };
  }
  return null;
}

/**
 * Parses trim references: 'A1.:.B9' without the blank rows and columns around its values, 'A1.:B9' without those
 * before, 'A1:.B9' without those after them, and likewise 'A:.C' and '1:.3'.
 */
function trimReferenceAt(parser: OpenFormula, word: string, end: number, prefix: SheetPrefix | null): CallNode | null {
  if (parser.text[end] !== ':') return null;
  const secondEnd = wordEnd(parser.text, end + 1);
  const other = parser.text.slice(end + 1, secondEnd);
  const isLeading = word.endsWith('.');
  const isTrailing = other.startsWith('.');
  // A function, a sheet or a table follows.
  if ((!isLeading && !isTrailing) || /[(![]/.test(parser.text[secondEnd] ?? '')) return null;
  const from = isLeading ? word.slice(0, -1) : word;
  const to = isTrailing ? other.slice(1) : other;
  const [first, last] = [cellWord(from), cellWord(to)];
  const ends = first && last ? ({ shape: 'range', first, last } as const) : linesOf(from, to);
  if (!ends) return null;
  parser.pos = secondEnd;
  return trimReference(reference(parser, prefix, ends.shape, ends.first, ends.last), isLeading, isTrailing);
}

function reference(
  parser: OpenFormula,
  prefix: SheetPrefix | null,
  shape: ReferenceNode['shape'],
  first: Corner,
  last: Corner,
): ReferenceNode {
  const { row, col } = parser.base;
  return {
    type: 'reference',
    prefix,
    shape,
    row1: first.rowAbsolute ? first.row : first.row - row,
    col1: first.colAbsolute ? first.col : first.col - col,
    row2: last.rowAbsolute ? last.row : last.row - row,
    col2: last.colAbsolute ? last.col : last.col - col,
    absolute:
      (first.rowAbsolute ? Absolute.row1 : 0) |
      (first.colAbsolute ? Absolute.col1 : 0) |
      (last.rowAbsolute ? Absolute.row2 : 0) |
      (last.colAbsolute ? Absolute.col2 : 0),
  };
}

const FILE_PREFIX = /^(?:_xlfn\.)?(?:_xlws\.)?/i;

function call(parser: OpenFormula, word: string, end: number, prefix: SheetPrefix | null): Node {
  parser.pos = end;
  const args = parser.args();
  if (prefix) return { type: 'invoke', callee: { type: 'name', prefix, name: word, variable: false }, args };
  if (word.startsWith('_xlpm.')) {
    return { type: 'invoke', callee: { type: 'name', prefix: null, name: word.slice(6), variable: true }, args };
  }
  const filePrefix = FILE_PREFIX.exec(word)![0].toLowerCase();
  const name = word.slice(filePrefix.length).toUpperCase();
  if (filePrefix !== '' && args.length === 1) {
    if (name === 'SINGLE') return { type: 'unary', operator: '@', operand: args[0]! };
    if (name === 'ANCHORARRAY') return { type: 'postfix', operator: '#', operand: args[0]! };
  }
  return { type: 'call', name, filePrefix, args };
}
