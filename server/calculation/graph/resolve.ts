/** Resolves the texts of INDIRECT. */
import { compileFormula } from '../compile/compiler.ts';
import type { Evaluation } from '../compile/code.ts';
import { blockReference } from '../syntax/areas.ts';
import type { Node, ReferenceNode, SheetPrefix } from '../syntax/ast.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { parseFormula } from '../syntax/parser.ts';
import { trimReference, untrimmedReference } from '../syntax/trim-reference.ts';
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellError } from '../values/cell-value.ts';
import { REF_ERROR } from '../values/coerce.ts';
import { Areas, Range, type FormulaValue } from '../values/matrix.ts';
import type { Book } from './book.ts';
import { nameTables } from './formula-trees.ts';
import { isOtherBook } from './scope.ts';

/** Resolves a reference in A1 or R1C1 notation, a name, or a table reference; #REF! for anything else. */
export function resolveReference(c: Evaluation, book: Book, text: string, a1: boolean): Range | Areas | CellError {
  const tree = a1 ? referenceOf(withoutZeros(text), c) : parseR1C1(text, c);
  if (!tree) return REF_ERROR;
  const whole = untrimmedReference(tree);
  if (whole) {
    const range = valueOf(whole, c, book);
    if (!(range instanceof Range)) return REF_ERROR;
    // Records the blank cells as read too: which rows and columns are blank depends on their values.
    c.range(range.sheet, range.block);
  }
  const value = valueOf(tree, c, book);
  return value instanceof Range || value instanceof Areas ? value : REF_ERROR;
}

function valueOf(tree: Node, c: Evaluation, { scope, findFunction }: Book): FormulaValue {
  const named = nameTables(tree, c.sheet, { row: c.row, col: c.col }, scope);
  return compileFormula(named, { scope, sheet: c.sheet, mode: 'array', findFunction }).code(c);
}

/** Here Excel reads 'A07' as A7, which is not allowed in a formula. */
function withoutZeros(text: string): string {
  const prefix = text.slice(0, text.lastIndexOf('!') + 1);
  const address = text.slice(prefix.length);
  if (!/^[A-Za-z\d$:.]*$/.test(address)) return text;
  return prefix + address.replace(/(?<=^|:\.?)(\$?[A-Za-z]{0,3}\$?)0+(?=[1-9]\d*(?:$|\.?:))/g, '$1');
}

function referenceOf(text: string, c: Evaluation): Node | null {
  const tree = parseA1(text, c);
  if (!tree || !isReference(tree)) return null;
  // The call that files contain for a trim reference ('_xlfn._TRO_ALL(A1:A9)') has the same tree, but is no reference.
  return untrimmedReference(tree) && text.trimEnd().endsWith(')') ? null : tree;
}

function parseA1(text: string, { row, col }: Evaluation): Node | null {
  try {
    return parseFormula(text, { row, col });
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** A text can refer to another workbook only while it is open, which is never the case here. */
function isReference(node: Node): boolean {
  if (node.type === 'postfix') return true;
  const reference = untrimmedReference(node) ?? node;
  if (reference.type !== 'reference' && reference.type !== 'name' && reference.type !== 'structured') return false;
  return !isOtherBook(reference.prefix);
}

const CORNER = String.raw`(?:R(\d*|\[-?\d+\])C(\d*|\[-?\d+\]))`;
/** ':', and the points of a trim reference ('R1C1.:.R9C2'). */
const COLON = String.raw`(\.?):(\.?)`;
const R1C1 = new RegExp(`^(?:(.+)!)?${CORNER}(?:${COLON}${CORNER})?$`, 'i');
const LINES = new RegExp(String.raw`^(?:(.+)!)?([RC])(\d+)(?:${COLON}\2(\d+))?$`, 'i');

function parseR1C1(text: string, { row, col }: Evaluation): Node | null {
  const trimmed = text.trim();
  const cells = R1C1.exec(trimmed);
  if (cells) {
    const top = coordinate(cells[2]!, row);
    const left = coordinate(cells[3]!, col);
    const bottom = cells[6] === undefined ? top : coordinate(cells[6], row);
    const right = cells[7] === undefined ? left : coordinate(cells[7], col);
    const block = blockNode(
      cells[1],
      Math.min(top, bottom),
      Math.min(left, right),
      Math.max(top, bottom),
      Math.max(left, right),
    );
    return withPoints(block, cells[4], cells[5]);
  }
  const lines = LINES.exec(trimmed);
  if (!lines) return null;
  const first = Number(lines[3]) - 1;
  const last = lines[6] === undefined ? first : Number(lines[6]) - 1;
  const block =
    lines[2]!.toUpperCase() === 'R'
      ? blockNode(lines[1], first, 0, last, MAX_COLS - 1)
      : blockNode(lines[1], 0, first, MAX_ROWS - 1, last);
  return withPoints(block, lines[4], lines[5]);
}

function withPoints(block: ReferenceNode | null, before = '', after = ''): Node | null {
  return block && (before || after) ? trimReference(block, before !== '', after !== '') : block;
}

function coordinate(text: string, own: number): number {
  if (text === '') return own;
  return text.startsWith('[') ? own + Number(text.slice(1, -1)) : Number(text) - 1;
}

function blockNode(
  sheet: string | undefined,
  top: number,
  left: number,
  bottom: number,
  right: number,
): ReferenceNode | null {
  if (top < 0 || left < 0 || bottom >= MAX_ROWS || right >= MAX_COLS || top > bottom || left > right) return null;
  const name = sheet?.replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
  const prefix: SheetPrefix | null = name === undefined ? null : { book: null, first: name, last: null };
  return blockReference({ top, left, bottom, right }, prefix);
}
