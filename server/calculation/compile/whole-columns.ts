/**
 * Speeds up calculations with whole columns, such as FILTER(C:C,(A:A=E1)*(B:B>0)) and AVERAGE(IF(A:A=E1,B:B)).
 * Everything below the last cell in use is blank, so one row represents all of these rows. If the function could tell
 * the difference, the columns are calculated whole.
 */
import type { FunctionDefinition } from '../functions/function.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { isReferenceOperator } from '../syntax/traverse.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { ArrayMatrix, isMatrix } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Code, Mode } from './code.ts';
import { isLifted } from './lift.ts';
import { kindAt } from './parameters.ts';
import type { Site } from './site.ts';
import { callsVariable } from './variables.ts';
import type { Clip } from './clip.ts';

interface Rule {
  isClipped: (index: number) => boolean;
  /** True if a plain column as argument is truncated too, because it belongs to the others. */
  bare: boolean;
  /** Returns true if more rows like the last one would not change the function's result. */
  holds: (columns: readonly FormulaValue[], values: readonly FormulaValue[], rows: number) => boolean;
}

/** With more rows in use, little time would be saved. */
const MAX_ROWS_IN_USE = 500_000;
/** Maximum nesting, because each such call doubles the compiled code. */
const MAX_NESTED_CALLS = 3;
const ANY = (): boolean => true;
const FIRST = (index: number): boolean => index === 0;
const FORMS = new Set(['IF', 'IFERROR', 'IFNA']);

const isNumber = (value: CellValue): boolean => typeof value === 'number';
const isAdded = (value: CellValue): boolean => typeof value === 'number' && value !== 0;
const isUnset = (value: FormulaValue): boolean =>
  value === undefined || value === null || value === 0 || value === false;

/** Returns the last row of an array; rows of a range after the cells in use are blank. */
const lastRow = (value: FormulaValue): readonly CellValue[] =>
  value instanceof ArrayMatrix ? value.cells.slice(-value.cols) : [];

const none =
  (test: (value: CellValue) => boolean) =>
  (columns: readonly FormulaValue[]): boolean =>
    columns.every((value) => !lastRow(value).some(test));

function rules(names: string, rule: Rule): [string, Rule][] {
  return names.split(',').map((name) => [name, rule]);
}

const RULES = new Map<string, Rule>([
  ...rules('SUM', { isClipped: ANY, bare: false, holds: none(isAdded) }),
  ...rules('AVERAGE,COUNT', { isClipped: ANY, bare: false, holds: none(isNumber) }),
  ...rules(
    'MEDIAN,STDEV,STDEV.S,STDEVP,STDEV.P,VAR,VAR.S,VARP,VAR.P,MODE,MODE.SNGL,SMALL,LARGE,PERCENTILE,PERCENTILE.INC,PERCENTILE.EXC,QUARTILE,QUARTILE.INC,QUARTILE.EXC',
    { isClipped: FIRST, bare: false, holds: none(isNumber) },
  ),
  ...rules('MAX,MIN,AND,OR', { isClipped: ANY, bare: false, holds: ANY }),
  [
    'SUMPRODUCT',
    { isClipped: ANY, bare: true, holds: (columns) => columns.some((value) => !lastRow(value).some(isAdded)) },
  ],
  [
    'TEXTJOIN',
    {
      isClipped: (index) => index >= 2,
      bare: false,
      holds: (columns, values) => values[1] === true && none((value) => value !== '' && value !== null)(columns),
    },
  ],
  [
    'MATCH',
    { isClipped: (index) => index === 1, bare: false, holds: (_, values) => values[2] === 0 || values[2] === false },
  ],
  [
    'XMATCH',
    {
      isClipped: (index) => index === 1,
      bare: false,
      holds: (_, values) => isUnset(values[2]) && isForward(values[3]),
    },
  ],
  [
    'XLOOKUP',
    {
      isClipped: (index) => index === 1 || index === 2,
      bare: true,
      holds: (_, values) => isUnset(values[4]) && isForward(values[5]),
    },
  ],
  [
    'LOOKUP',
    {
      isClipped: (index) => index === 1 || index === 2,
      bare: true,
      holds: (_, values) =>
        values[1] instanceof ArrayMatrix && lastRow(values[1]).every((value) => value instanceof CellError),
    },
  ],
  [
    'INDEX',
    { isClipped: FIRST, bare: false, holds: (_, [, row], rows) => typeof row === 'number' && row >= 1 && row <= rows },
  ],
  [
    'FILTER',
    {
      isClipped: (index) => index < 2,
      bare: true,
      holds: (columns, values) =>
        columns.length === 2 && lastRow(values[1]).every((value) => isUnset(value) || value instanceof CellError),
    },
  ],
  ['UNIQUE', { isClipped: FIRST, bare: true, holds: (_, values) => isUnset(values[1]) && isUnset(values[2]) }],
]);

const isForward = (value: FormulaValue): boolean => value === undefined || value === null || value === 1;

/**
 * Returns the call over truncated columns, and the site for calculating it whole. The call yields undefined if it must
 * be calculated whole. Returns null if there is nothing to truncate.
 */
export function clippedCall(
  definition: FunctionDefinition,
  node: CallNode,
  mode: Mode,
  site: Site,
  compile: (siteOf: (index: number) => Site, seen: (index: number, code: Code) => Code) => Code,
): { call: Code; site: Site } | null {
  const { clippedCalls = 0 } = site;
  const rule = site.clip || clippedCalls >= MAX_NESTED_CALLS ? undefined : RULES.get(definition.name);
  if (!rule) return null;
  const sheets = new Set<number>();
  const isColumn = node.args.map((arg, index) => {
    const isArray = mode !== 'scalar' || kindAt(definition, index) === 'array';
    if (!isArray || !rule.isClipped(index) || (arg.type === 'reference' && !rule.bare)) return false;
    return kindOf(arg, site, sheets) === 'column';
  });
  if (!node.args.some((arg, index) => isColumn[index] && isConvertedToArray(arg, definition))) return null;
  const clip: Clip = { rows: 0, isBroken: false, values: [] };
  const whole: Site = { ...site, clippedCalls: clippedCalls + 1 };
  const clipped: Site = { ...whole, clip };
  const code = compile(
    (index) => (isColumn[index] ? clipped : whole),
    (index, argument) => (c) => (clip.values[index] = argument(c)),
  );
  const call: Code = (c) => {
    let rows = 2;
    for (const sheet of sheets) rows = Math.max(rows, c.usedRows(sheet) + 1);
    if (rows > MAX_ROWS_IN_USE) return undefined;
    // Save the state, because cells calculated on the way may contain the same formula.
    const outer = { ...clip };
    Object.assign(clip, { rows, isBroken: false, values: [] });
    try {
      const value = code(c);
      if (clip.isBroken) return undefined;
      const own = clip.values.filter((_, index) => isColumn[index]);
      return own.every((found) => isMatrix(found) && found.rows === rows) && rule.holds(own, clip.values, rows)
        ? value
        : undefined;
    } finally {
      Object.assign(clip, outer);
    }
  };
  return { call, site: whole };
}

/** Most functions read only the cells in use of a plain column; these two convert it to an array. */
const isConvertedToArray = (arg: Node, { name }: FunctionDefinition): boolean =>
  arg.type !== 'reference' || name === 'FILTER' || name === 'UNIQUE';

/**
 * Returns 'column' if the node yields an array of whole columns, element by element, and 'same' if it is the same for
 * all rows; null if neither is certain.
 */
function kindOf(node: Node, site: Site, sheets: Set<number>): 'column' | 'same' | null {
  switch (node.type) {
    case 'number':
    case 'text':
    case 'boolean':
    case 'error':
    case 'missing':
    case 'name':
      return 'same';
    case 'array':
      return node.rows.length === 1 ? 'same' : null;
    case 'reference':
      return columnKind(node, site, sheets);
    case 'structured':
      return node.items.includes('#This Row') ? 'same' : null;
    case 'unary':
      return node.operator === '@' ? null : kindOf(node.operand, site, sheets);
    case 'postfix':
      return node.operator === '%' ? kindOf(node.operand, site, sheets) : null;
    case 'binary':
      return isReferenceOperator(node) ? null : joined([node.left, node.right], site, sheets);
    case 'call':
      return isElementwise(node, site) ? joined(node.args, site, sheets) : 'same';
    default:
      return null;
  }
}

function joined(nodes: readonly Node[], site: Site, sheets: Set<number>): 'column' | 'same' | null {
  const kinds = nodes.map((node) => kindOf(node, site, sheets));
  if (kinds.includes(null)) return null;
  return kinds.includes('column') ? 'column' : 'same';
}

function columnKind(
  node: Extract<Node, { type: 'reference' }>,
  site: Site,
  sheets: Set<number>,
): 'column' | 'same' | null {
  if (node.shape === 'cell') return 'same';
  const own = site.scope.prefixSheets(node.prefix, site.sheet);
  if (node.shape !== 'columns' || own?.length !== 1) return null;
  sheets.add(own[0]!);
  return 'column';
}

/** Returns true if arrays among the arguments are calculated element by element. */
function isElementwise(node: CallNode, site: Site): boolean {
  if (callsVariable(node, site)) return false;
  if (FORMS.has(node.name)) return true;
  const definition = site.findFunction(node.name);
  if (!definition || definition.volatile) return false;
  return node.args.every((_, index) => kindAt(definition, index) === 'value');
}

/**
 * Within a truncated argument, a node that is not calculated element by element stays whole, and must not be as long as
 * a column.
 */
export function unclipped(node: Node, site: Site, compile: (site: Site) => Code): Code | null {
  const { clip } = site;
  if (!clip || !(node.type === 'name' || (node.type === 'call' && !isElementwise(node, site)))) return null;
  const { clip: _, ...whole } = site;
  const code = compile(whole);
  return (c) => {
    const value = code(c);
    if (isLifted(value)) clip.isBroken ||= !('rows' in value) || value.rows !== 1;
    return value;
  };
}
