/** Parses array constants: {1,"a";TRUE,#N/A}. */
import type { ArrayItem, Node } from './ast.ts';
import type { OpenFormula } from './open-formula.ts';
import { ParseError } from './parse-error.ts';
import { errorLiteral, numberText, quoted } from './scanner.ts';

/** Reads the constant that opens at the parser's position. */
export function parseArray(parser: OpenFormula): Node {
  const start = parser.pos;
  parser.pos += 1;
  const rows: ArrayItem[][] = [[]];
  for (;;) {
    parser.skipSpaces();
    rows.at(-1)!.push(item(parser));
    parser.skipSpaces();
    const char = parser.text[parser.pos];
    parser.pos += 1;
    if (char === '}') break;
    if (char === ';') rows.push([]);
    else if (char !== ',') throw new ParseError('An array constant is not closed', start);
  }
  if (rows.some((row) => row.length !== rows[0]!.length)) {
    throw new ParseError('The rows of an array constant differ in length', start);
  }
  return { type: 'array', rows };
}

function item(parser: OpenFormula): ArrayItem {
  const { text } = parser;
  if (text[parser.pos] === '"') {
    const { value, end } = quoted(text, parser.pos);
    parser.pos = end;
    return value;
  }
  const error = errorLiteral(text, parser.pos);
  if (error) {
    parser.pos += error.length;
    return { error };
  }
  const word = /(?:true|false)/iy;
  word.lastIndex = parser.pos;
  const boolean = word.exec(text)?.[0];
  if (boolean) {
    parser.pos += boolean.length;
    return boolean.toLowerCase() === 'true';
  }
  const sign = text[parser.pos] === '-' ? -1 : 1;
  if (text[parser.pos] === '-' || text[parser.pos] === '+') parser.pos += 1;
  const digits = numberText(text, parser.pos);
  if (digits === '') throw parser.unexpected();
  parser.pos += digits.length;
  return sign * Number(digits);
}
