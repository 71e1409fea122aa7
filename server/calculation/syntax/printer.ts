/**
 * Prints trees as text: in the syntax of .xlsx files, or in R1C1 notation, in which a filled-down formula has the same
 * text in all cells.
 */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { ArrayItem, BinaryNode, NameNode, Node, ReferenceNode, SheetPrefix } from './ast.ts';
import { Absolute, BINARY_BINDING, BINDING } from './ast.ts';
import { needsQuotes, wrapCol, wrapRow } from './scanner.ts';
import { printBrackets } from './structured-reference.ts';

/** Returns the formula as a file contains it, without '=', for the cell `at`. */
export function printFormula(node: Node, at: CellPosition): string {
  return print(node, 0, false, at);
}

/** Returns the formula with references as distances (R[1]C[-2]): equal for all cells of a filled-down formula. */
export function printRelative(node: Node): string {
  return print(node, 0, false, null);
}

/** `binding` is that of the surrounding operator; in arguments (`separated`), a union needs parentheses. */
function print(node: Node, binding: number, separated: boolean, at: CellPosition | null): string {
  switch (node.type) {
    case 'number':
      return printNumber(node.value);
    case 'text':
      return `"${node.value.replaceAll('"', '""')}"`;
    case 'boolean':
      return node.value ? 'TRUE' : 'FALSE';
    case 'error':
      return node.code;
    case 'missing':
      return '';
    case 'array':
      return `{${node.rows.map((row) => row.map(printItem).join(',')).join(';')}}`;
    case 'reference':
      return printPrefix(node.prefix) + (at ? printA1(node, at) : printR1C1(node));
    case 'name':
      return printPrefix(node.prefix) + variablePrefix(node) + printName(node);
    case 'structured':
      return printPrefix(node.prefix) + (node.table ?? '') + printBrackets(node);
    case 'call':
      return `${node.filePrefix}${node.name}(${printArgs(node.args, at)})`;
    case 'invoke':
      return `${print(node.callee, BINDING.spill, true, at)}(${printArgs(node.args, at)})`;
    case 'unary':
      if (node.operator === '@') return `_xlfn.SINGLE(${print(node.operand, 0, true, at)})`;
      return parenthesised(
        node.operator + print(node.operand, BINDING.sign - 1, separated, at),
        binding >= BINDING.sign,
      );
    case 'postfix':
      if (node.operator === '#') return `_xlfn.ANCHORARRAY(${print(node.operand, 0, true, at)})`;
      return parenthesised(`${print(node.operand, BINDING.percent - 1, separated, at)}%`, binding >= BINDING.percent);
    case 'binary':
      return printBinary(node, binding, separated, at);
  }
}

function variablePrefix({ variable, optional, isFunction }: NameNode): string {
  if (!variable) return isFunction ? '_xleta.' : '';
  return optional ? '_xlop.' : '_xlpm.';
}

/** Items of other programs (DDE) have names in quotes. */
function printName({ name }: NameNode): string {
  return /^[\w.\\?\u0080-\uffff]+$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`;
}

/** A chain of operators leans left and may be thousands long, so its left spine is walked without recursion. */
function printBinary(node: BinaryNode, binding: number, separated: boolean, at: CellPosition | null): string {
  const own = BINARY_BINDING[node.operator];
  const inParentheses = own <= binding || (node.operator === ',' && separated);
  const inside = separated && !inParentheses;
  const parts: string[] = [];
  let left: Node = node;
  let around = own;
  while (left.type === 'binary' && continues(left, around, inside)) {
    around = BINARY_BINDING[left.operator];
    parts.push(printRight(left, around, inside, at), left.operator);
    left = left.left;
  }
  parts.push(print(left, around - 1, inside, at));
  return parenthesised(parts.reverse().join(''), inParentheses);
}

function continues({ operator }: BinaryNode, around: number, inside: boolean): boolean {
  return BINARY_BINDING[operator] >= around && !(operator === ',' && inside);
}

/** 'a:Sheet1!b' would be parsed as a span of sheets: a ':' before a sheet is the operator only after cells. */
function printRight(node: BinaryNode, around: number, inside: boolean, at: CellPosition | null): string {
  const { left, right, operator } = node;
  const isSpan = operator === ':' && left.type !== 'reference' && 'prefix' in right && right.prefix !== null;
  return parenthesised(print(right, around, inside, at), isSpan);
}

function parenthesised(text: string, needed: boolean): string {
  return needed ? `(${text})` : text;
}

function printArgs(args: Node[], at: CellPosition | null): string {
  return args.map((arg) => print(arg, 0, true, at)).join(',');
}

function printNumber(value: number): string {
  const text = String(value).toUpperCase();
  return text.startsWith('-') ? `(${text})` : text;
}

function printItem(item: ArrayItem): string {
  if (typeof item === 'number') return String(item).toUpperCase();
  if (typeof item === 'string') return `"${item.replaceAll('"', '""')}"`;
  if (typeof item === 'boolean') return item ? 'TRUE' : 'FALSE';
  return item.error;
}

/** Returns 'Sheet1!', "'It''s'!", '[1]Sheet1!', or ''. */
export function printPrefix(prefix: SheetPrefix | null): string {
  if (!prefix) return '';
  const { book, first, last } = prefix;
  const quotes =
    (book !== null && !/^[\w.]+$/.test(book)) ||
    (first !== null && needsQuotes(first)) ||
    (last !== null && needsQuotes(last));
  const sheets = (first ?? '') + (last === null ? '' : `:${last}`);
  const text = (book === null ? '' : `[${book}]`) + sheets;
  return quotes ? `'${text.replaceAll("'", "''")}'!` : `${text}!`;
}

function printA1(node: ReferenceNode, at: CellPosition): string {
  const { absolute, shape } = node;
  const row = (value: number, bit: number): string =>
    absolute & bit ? `$${value + 1}` : String(wrapRow(value + at.row) + 1);
  const col = (value: number, bit: number): string =>
    absolute & bit ? `$${columnLetters(value)}` : columnLetters(wrapCol(value + at.col));
  if (shape === 'columns') return `${col(node.col1, Absolute.col1)}:${col(node.col2, Absolute.col2)}`;
  if (shape === 'rows') return `${row(node.row1, Absolute.row1)}:${row(node.row2, Absolute.row2)}`;
  const first = col(node.col1, Absolute.col1) + row(node.row1, Absolute.row1);
  if (shape === 'cell') return first;
  return `${first}:${col(node.col2, Absolute.col2)}${row(node.row2, Absolute.row2)}`;
}

function printR1C1(node: ReferenceNode): string {
  const { absolute, shape } = node;
  const part = (letter: string, value: number, bit: number): string =>
    absolute & bit ? `${letter}${value + 1}` : `${letter}[${value}]`;
  if (shape === 'columns') return `${part('C', node.col1, Absolute.col1)}:${part('C', node.col2, Absolute.col2)}`;
  if (shape === 'rows') return `${part('R', node.row1, Absolute.row1)}:${part('R', node.row2, Absolute.row2)}`;
  const first = part('R', node.row1, Absolute.row1) + part('C', node.col1, Absolute.col1);
  if (shape === 'cell') return first;
  return `${first}:${part('R', node.row2, Absolute.row2)}${part('C', node.col2, Absolute.col2)}`;
}
