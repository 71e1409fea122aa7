/**
 * Parses and prints the square brackets of a table reference. Grammar: [MS-XLSX] 2.2.2 and ECMA-376 part 1, 18.17.6.5.
 * Within a column name, ' escapes the characters ' # @ [ ].
 */
import type { StructuredNode, TableItem } from './ast.ts';
import { ParseError } from './parse-error.ts';
import { isSpaceCode } from './scanner.ts';

const ITEMS = new Map<string, TableItem>(
  (['#All', '#Data', '#Headers', '#Totals', '#This Row'] as const).map((item) => [item.toLowerCase(), item]),
);

type Inside = Pick<StructuredNode, 'items' | 'first' | 'last'>;

/** Reads the brackets that open at `at`; `end` is the position after them. */
export function parseBrackets(text: string, at: number): { inside: Inside; end: number } {
  const inside: Inside = { items: [], first: null, last: null };
  let from = at + 1;
  let pos = skipSpaces(text, from);
  if (text[pos] === '@') {
    inside.items.push('#This Row');
    from = pos + 1;
    pos = skipSpaces(text, from);
  }
  if (text[pos] === ']') return { inside, end: pos + 1 };
  if (text[pos] !== '[') {
    // Excel writes a name that ends with a blank as it is: Sales[Amount ]
    const { raw, end } = bracketText(text, from, at);
    addPart(inside, raw);
    return { inside, end };
  }
  for (;;) {
    if (text[pos] !== '[') throw new ParseError('A [ is expected in a table reference', pos);
    const { raw, end } = bracketText(text, pos + 1, at);
    pos = skipSpaces(text, end);
    if (text[pos] === ':') {
      pos = skipSpaces(text, pos + 1);
      if (text[pos] !== '[') throw new ParseError('A [ is expected in a table reference', pos);
      const last = bracketText(text, pos + 1, at);
      inside.first = unescapeName(raw);
      inside.last = unescapeName(last.raw);
      pos = skipSpaces(text, last.end);
    } else {
      addPart(inside, raw);
    }
    if (text[pos] === ']') return { inside, end: pos + 1 };
    if (text[pos] !== ',') throw new ParseError('A table reference is not closed', at);
    pos = skipSpaces(text, pos + 1);
  }
}

function addPart(inside: Inside, raw: string): void {
  const item = ITEMS.get(raw.trim().toLowerCase());
  if (item) inside.items.push(item);
  else inside.first = inside.last = unescapeName(raw);
}

function bracketText(text: string, from: number, opened: number): { raw: string; end: number } {
  let pos = from;
  while (pos < text.length && text[pos] !== ']') {
    if (text[pos] === '[') throw new ParseError('A [ within a column name needs an apostrophe', pos);
    pos += text[pos] === "'" ? 2 : 1;
  }
  if (pos >= text.length) throw new ParseError('A table reference is not closed', opened);
  return { raw: text.slice(from, pos), end: pos + 1 };
}

function unescapeName(raw: string): string {
  return raw.replace(/'([\s\S])/g, '$1');
}

function skipSpaces(text: string, from: number): number {
  let pos = from;
  while (pos < text.length && isSpaceCode(text.charCodeAt(pos))) pos += 1;
  return pos;
}

/** Prints 'Table1[[#Headers],[a]:[b]]' and similar, as Excel writes it to files. */
export function printBrackets(node: StructuredNode): string {
  const parts: string[] = node.items.map((item) => `[${item}]`);
  if (node.first !== null) {
    const first = `[${escapeName(node.first)}]`;
    parts.push(node.last === null || node.last === node.first ? first : `${first}:[${escapeName(node.last)}]`);
  }
  if (parts.length === 0) return '[]';
  const simple = parts.length === 1 && (node.items.length === 1 || node.first === node.last);
  // A name of only blanks needs its own brackets.
  return simple && !/^\[\s+\]$/.test(parts[0]!) ? parts[0]! : `[${parts.join(',')}]`;
}

function escapeName(name: string): string {
  return name.replace(/['#@[\]]/g, "'$&");
}
