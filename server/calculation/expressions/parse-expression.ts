/**
 * Parses expressions of workflows: formulas that read named values instead of cells. Each name becomes a placeholder,
 * which `withValues` replaces by the cells that hold the value.
 */
import { EXPRESSION_MAX, findNames, withoutEquals, type FoundName } from '#shared/rules/workflows/expression-names.ts';
import type { Node, ReferenceNode } from '../syntax/ast.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { parseFormula } from '../syntax/parser.ts';
import { mapChildren } from '../syntax/traverse.ts';
import { requireKnownNames } from './known-names.ts';

export interface ParsedExpression {
  tree: Node;
  /** In the order of the text; placeholders are numbered accordingly. */
  names: readonly FoundName[];
}

/** Why a text is not an expression; the message is meant for its author. */
export class ExpressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExpressionError';
  }
}

/** Private-use characters, which belong to words of formulas and to no language. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const PLACEHOLDER = /^\uE000(\d+)\uE001$/;
const ANY_PLACEHOLDER = /[\uE000\uE001]/;

/** Throws ExpressionError. */
export function parseExpression(formula: string): ParsedExpression {
  const text = withoutEquals(formula);
  if (formula.length > EXPRESSION_MAX)
    throw new ExpressionError(`A formula can have at most ${EXPRESSION_MAX.toLocaleString('en-US')} characters`);
  if (text.trim() === '') throw new ExpressionError('The formula is missing');
  if (ANY_PLACEHOLDER.test(text)) throw new ExpressionError('It contains a character that formulas cannot use');
  const names = findNames(text);
  const tree = parseWithPlaceholders(text, names);
  const problem = requireKnownNames(tree, placeholderIndex);
  if (problem !== null) throw new ExpressionError(problem);
  return { tree, names };
}

function parseWithPlaceholders(text: string, names: readonly FoundName[]): Node {
  let written = '';
  let end = 0;
  for (const [index, { from, to }] of names.entries()) {
    written += text.slice(end, from) + OPEN + index + CLOSE;
    end = to;
  }
  try {
    return parseFormula(written + text.slice(end), { row: 0, col: 0 });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const at = originalPosition(error.position, names) + 1;
    const message = ANY_PLACEHOLDER.test(error.message)
      ? 'A value of the workflow stands in the wrong place'
      : error.message;
    throw new ExpressionError(`${message} (character ${at})`);
  }
}

/** Converts a position in the text with placeholders to that in the original text. */
function originalPosition(position: number, names: readonly FoundName[]): number {
  let shift = 0;
  for (const [index, { from, to }] of names.entries()) {
    if (from + shift >= position) break;
    shift += String(index).length + 2 - (to - from);
  }
  return Math.max(0, position - shift);
}

/** Returns the index of the name that a node stands for; null if it is another node. */
export function placeholderIndex(node: Node): number | null {
  const found = node.type === 'name' && node.prefix === null ? PLACEHOLDER.exec(node.name) : null;
  return found ? Number(found[1]) : null;
}

/** Returns the tree with cells instead of names. */
export function withValues(tree: Node, cellsOf: (index: number) => ReferenceNode): Node {
  const replace = (node: Node): Node => {
    const index = placeholderIndex(node);
    return index === null ? mapChildren(node, replace) : cellsOf(index);
  };
  return replace(tree);
}
