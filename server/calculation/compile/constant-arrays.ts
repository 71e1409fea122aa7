/**
 * Arrays in formulas of the old kind. Such formulas intersect ranges where one value is expected, but constants in braces
 * stay arrays wherever they stand: =SUM(LARGE(A1:A9,{1,2,3})) and =OR(A1={"a","b"}) need no array formula. Names for
 * arrays are such constants too, and so is what FREQUENCY and its like give. Source: Microsoft, 'Use array constants in array formulas', and Excel's behaviour.
 */
import type { CallNode, NameNode, Node } from '../syntax/ast.ts';
import { isReferenceOperator } from '../syntax/traverse.ts';
import { Range } from '../values/matrix.ts';
import type { Code, Mode } from './code.ts';
import { intersect } from './lift.ts';
import { kindAt } from './parameters.ts';
import type { Site } from './site.ts';
import { callsVariable, variableOf } from './variables.ts';

/** Code of an operand or argument that is calculated value by value: in mode scalar a single value, or an array that came of a constant. */
export function elementsCode(node: Node, mode: Mode, site: Site): Code {
  if (mode !== 'scalar' || !carriesArray(node, site)) return site.compile(node, 'value', mode, site);
  const code = site.compile(node, 'any', mode, site);
  return (c) => {
    const value = code(c);
    return value instanceof Range ? intersect(value, c) : value;
  };
}

/** Whether a formula of the old kind comes to an array here, because a constant array is calculated with. */
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
 * Functions whose result is an array wherever they stand; what ROW and COLUMN give of several cells is not. Sources: the return
 * classes of [MS-XLS] 2.5.198.17 (Ftab), and workbooks in which Excel saved such formulas as no array formulas.
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
  // INDEX gives but the first of several places here
  if (!definition || name === 'INDEX') return false;
  if (ARRAY_FUNCTIONS.has(name)) return true;
  return args.some((arg, index) => {
    const kind = kindAt(definition, index);
    if (kind === 'value') return carriesArray(arg, site);
    return (kind === 'reference' || kind === 'range') && isReferenceArray(arg, site);
  });
}

/** Whether a node comes to several references in an array. */
function isReferenceArray(node: Node, site: Site): boolean {
  return node.type === 'call' && site.findFunction(node.name)?.givesReferences === true && carriesArray(node, site);
}
