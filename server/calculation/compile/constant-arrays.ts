/**
 * Arrays in legacy formulas. Such formulas intersect ranges where a single value is expected, but constants in braces
 * remain arrays everywhere: =SUM(LARGE(A1:A9,{1,2,3})) and =OR(A1={"a","b"}) need no array formula. Names for arrays
 * count as such constants too, and so do results of FREQUENCY and similar functions. Source: Microsoft, 'Use array
 * constants in array formulas', and Excel's behavior.
 */
import type { CallNode, NameNode, Node } from '../syntax/ast.ts';
import { isReferenceOperator } from '../syntax/traverse.ts';
import { Range } from '../values/matrix.ts';
import type { Code, Mode } from './code.ts';
import { intersect } from './lift.ts';
import { kindAt } from './parameters.ts';
import type { Site } from './site.ts';
import { callsVariable, variableOf } from './variables.ts';

/**
 * Compiles an operand or argument that is calculated element by element. In mode scalar it yields a single value, or an
 * array that comes from a constant.
 */
export function elementsCode(node: Node, mode: Mode, site: Site): Code {
  if (mode !== 'scalar' || !carriesArray(node, site)) return site.compile(node, 'value', mode, site);
  const code = site.compile(node, 'any', mode, site);
  return (c) => {
    const value = code(c);
    return value instanceof Range ? intersect(value, c) : value;
  };
}

/** Returns true if this part of a legacy formula yields an array, because it calculates with a constant array. */
export function carriesArray(node: Node, site: Site): boolean {
  const known = site.carriers.get(node);
  if (known !== undefined) return known;
  site.carriers.set(node, false);
  const carries = isCarrier(node, site);
  site.carriers.set(node, carries);
  return carries;
}

function isCarrier(node: Node, site: Site): boolean {
  switch (node.type) {
    case 'array':
      return node.rows.length > 1 || node.rows[0]!.length > 1;
    case 'name':
      return isArrayName(node, site);
    case 'unary':
      return node.operator !== '@' && carriesArray(node.operand, site);
    case 'postfix':
      return node.operator === '%' && carriesArray(node.operand, site);
    case 'binary': {
      let left: Node = node;
      while (left.type === 'binary' && !isReferenceOperator(left)) {
        if (carriesArray(left.right, site)) return true;
        left = left.left;
      }
      return left !== node && carriesArray(left, site);
    }
    case 'call':
      return isArrayCall(node, site);
    default:
      return false;
  }
}

function isArrayName(node: NameNode, site: Site): boolean {
  const variable = variableOf(node, site);
  if (variable) return variable.holdsArray;
  const tree = site.scope.name(node, site.sheet)?.tree;
  return tree?.type === 'array' || (tree?.type === 'binary' && carriesArray(tree, site));
}

/**
 * Functions whose result is always an array; the results of ROW and COLUMN for several cells are not. Sources: the
 * return classes of [MS-XLS] 2.5.198.17 (Ftab), and workbooks in which Excel saved such formulas without array
 * formulas.
 */
const ARRAY_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'FREQUENCY MMULT MINVERSE MUNIT TRANSPOSE LINEST LOGEST TREND GROWTH MODE.MULT SEQUENCE RANDARRAY FILTER SORT SORTBY ' +
    'UNIQUE VSTACK HSTACK TOCOL TOROW WRAPROWS WRAPCOLS EXPAND TEXTSPLIT MAP SCAN BYROW BYCOL MAKEARRAY GROUPBY PIVOTBY'
  ).split(' '),
);

const FORMS: ReadonlySet<string> = new Set(['IF', 'IFS', 'IFERROR', 'IFNA', 'SWITCH', 'CHOOSE', 'LET']);

function isArrayCall(node: CallNode, site: Site): boolean {
  const { name, args } = node;
  if (callsVariable(node, site)) return false;
  if (FORMS.has(name)) return args.some((arg) => carriesArray(arg, site));
  const definition = site.findFunction(name);
  // INDEX returns only the first of several positions here.
  if (!definition || name === 'INDEX') return false;
  if (ARRAY_FUNCTIONS.has(name)) return true;
  return args.some((arg, index) => {
    const kind = kindAt(definition, index);
    if (kind === 'value') return carriesArray(arg, site);
    return (kind === 'reference' || kind === 'range') && isReferenceArray(arg, site);
  });
}

/** Returns true if a node yields several references in an array. */
function isReferenceArray(node: Node, site: Site): boolean {
  return node.type === 'call' && site.findFunction(node.name)?.givesReferences === true && carriesArray(node, site);
}
