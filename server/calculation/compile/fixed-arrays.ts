/**
 * Caches arrays that are the same for all formulas filled down, such as A$2:A$99&B$2:B$99 in a lookup by two criteria.
 * They are calculated once, as long as no cell of their ranges changes.
 */
import { isReferenceOperator, walk } from '../syntax/traverse.ts';
import type { Node } from '../syntax/ast.ts';
import { Absolute } from '../syntax/ast.ts';
import { Range } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Code, Evaluation, Mode, Want } from './code.ts';
import type { Site } from './site.ts';

/** Functions that depend only on their arguments and take them as single values. */
const PURE = new Set(
  'ABS,DATE,DAY,EXACT,FIND,HOUR,INT,ISBLANK,ISERR,ISERROR,ISNA,ISNUMBER,ISTEXT,LEFT,LEN,LOWER,MID,MOD,MONTH,RIGHT,ROUND,ROW,SEARCH,SIGN,SUBSTITUTE,TRIM,TRUNC,UPPER,VALUE,WEEKDAY,YEAR'.split(
    ',',
  ),
);
/** Arrays with fewer cells are not worth caching. */
const FEW_CELLS = 64;

interface CacheEntry {
  tokens: readonly object[];
  value: FormulaValue;
  /** The cell that used the entry last. */
  row: number;
  col: number;
}

/** Returns the node's code, or code that caches its result if that is fixed. */
export function cachingFixed(node: Node, want: Want, mode: Mode, site: Site, compile: (site: Site) => Code): Code {
  const leaves = mode === 'scalar' || site.isCached === true || site.variables.size > 0 ? null : fixedRanges(node);
  if (!leaves) return compile(site);
  const within: Site = { ...site, isCached: true };
  const code = compile(within);
  const ranges = leaves.map((leaf) => site.compile(leaf, 'any', 'array', within));
  // Array formulas are stored separately for each cell, so equal parts are identified by their form.
  const key = `fixed ${want} ${mode} ${formOf(node)}`;
  return (c) => cachedValue(c, key, ranges, code);
}

function cachedValue(c: Evaluation, key: string, codes: readonly Code[], code: Code): FormulaValue {
  const ranges: Range[] = [];
  for (const range of codes) {
    const value = range(c);
    if (!(value instanceof Range)) return code(c);
    ranges.push(value);
  }
  const first = ranges[0]!;
  if (first.rows * first.cols < FEW_CELLS) return code(c);
  const tokens = (): object[] => ranges.map((range) => c.cached(range, 'as it is', () => ({})));
  const entry = c.cached<CacheEntry>(first, key, () => ({ tokens: [], value: undefined, row: c.row, col: c.col }));
  const isOther = entry.row !== c.row || entry.col !== c.col;
  entry.row = c.row;
  entry.col = c.col;
  // A formula used by a single cell is calculated once, so caching would not help.
  if (!isOther) return code(c);
  const before = tokens();
  if (entry.tokens.length > 0 && entry.tokens.every((token, at) => token === before[at])) return entry.value;
  const value = code(c);
  // The calculation may have updated cells of the ranges.
  entry.tokens = tokens();
  entry.value = value;
  return value;
}

/** Returns the ranges of a calculation that otherwise contains only constants; null for all others. */
function fixedRanges(node: Node): Node[] | null {
  if (node.type !== 'binary' && node.type !== 'unary' && node.type !== 'postfix' && node.type !== 'call') return null;
  const found: Node[] = [];
  let isFixed = true;
  walk(node, (inner) => {
    if (inner.type === 'reference') {
      found.push(inner);
      isFixed &&= inner.shape === 'range' && (inner.absolute & ROWS) === ROWS && inner.prefix?.last == null;
    } else if (inner.type === 'structured') {
      found.push(inner);
      isFixed &&= inner.table !== null && !inner.items.includes('#This Row');
    } else isFixed &&= isPlain(inner);
    return isFixed;
  });
  return isFixed && found.length > 0 ? found : null;
}

/** Returns true if `cachingFixed` caches this part of a formula. */
export const isCachedPart = (node: Node, mode: Mode, site: Site): boolean =>
  mode !== 'scalar' && site.isCached !== true && site.variables.size === 0 && fixedRanges(node) !== null;

/** Returns a text for the calculation without its ranges. */
function formOf(node: Node): string {
  switch (node.type) {
    case 'number':
    case 'text':
    case 'boolean':
      return JSON.stringify(node.value);
    case 'unary':
    case 'postfix':
      return `${node.type}${node.operator}(${formOf(node.operand)})`;
    case 'binary':
      return `(${formOf(node.left)})${node.operator}(${formOf(node.right)})`;
    case 'call':
      return `${node.name}(${node.args.map(formOf).join(';')})`;
    default:
      return node.type;
  }
}

/** Relative columns are the same in all formulas that were filled down. */
const ROWS = Absolute.row1 | Absolute.row2;

function isPlain(node: Node): boolean {
  switch (node.type) {
    case 'number':
    case 'text':
    case 'boolean':
      return true;
    case 'unary':
      return node.operator !== '@';
    case 'binary':
      return !isReferenceOperator(node);
    case 'postfix':
      return node.operator === '%';
    case 'call':
      return PURE.has(node.name);
    default:
      return false;
  }
}
