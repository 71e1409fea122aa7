/** Operands that begin with a word or a quoted sheet: references, names, calls, tables. */
import type { Node, ReferenceNode, SheetPrefix } from './ast.ts';
import { Absolute } from './ast.ts';
import type { OpenFormula } from './open-formula.ts';
import { ParseError } from './parse-error.ts';
import { cellWord, columnWord, quoted, rowWord, wordEnd } from './scanner.ts';
import type { Corner } from './scanner.ts';
import { parseBrackets } from './structured-reference.ts';

const SPAN = /:([\w.\u0080-\uffff]+)!/y;

/** A word that no sheet stands before. */
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

/** 'My sheet'!A1, '[1]My sheet'!A1, 'C:\folder\[Book.xlsx]Sheet'!A1, 'Jan:Dec'!A1, 'Book.xlsx'!name. */
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

/** What follows a '!'. */
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
  // a function as a value: BYROW(A1:B9,_xleta.SUM)
  if (word.startsWith('_xleta.')) {
    return { type: 'name', prefix, name: word.slice(7), variable: false, isFunction: true };
  }
  const variable = word.startsWith('_xlpm.');
  return { type: 'name', prefix, name: variable ? word.slice(6) : word, variable };
}

function referenceAt(parser: OpenFormula, word: string, end: number, prefix: SheetPrefix | null): ReferenceNode | null {
  const cell = cellWord(word);
  let second: Corner | null = null;
  let secondEnd = end;
  if (parser.text[end] === ':') {
    secondEnd = wordEnd(parser.text, end + 1);
    const after = parser.text[secondEnd];
    const other = after === '!' || after === '(' || after === '[' ? '' : parser.text.slice(end + 1, secondEnd);
    second = cell ? cellWord(other) : null;
    if (!cell && other !== '') {
      for (const [read, shape] of [
        [columnWord, 'columns'],
        [rowWord, 'rows'],
      ] as const) {
        const first = read(word);
        const last = first ? read(other) : null;
        if (first && last) {
          parser.pos = secondEnd;
          return reference(parser, prefix, shape, first, last);
        }
      }
    }
  }
  if (!cell) return null;
  parser.pos = second ? secondEnd : end;
  return second ? reference(parser, prefix, 'range', cell, second) : reference(parser, prefix, 'cell', cell, cell);
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
