/** Determines how a formula uses the cells it reads, as evidence for the type of value that belongs in them. */
import { readsOf } from '../graph/reads.ts';
import type { Read } from '../graph/reads.ts';
import type { Scope } from '../graph/scope.ts';
import type { BinaryNode, CallNode, Node } from '../syntax/ast.ts';
import { isReferenceOperator } from '../syntax/traverse.ts';
import { criteriaUses, lookupUses } from './compared-arguments.ts';
import { isBroad } from './read-parts.ts';
import type { ResultTypes } from './result-types.ts';
import { expectedTypeOf } from './expected-types.ts';
import type { FormulaPosition, ValueKind } from './value-kind.ts';
import { plain, Strength } from './wanted.ts';
import type { OpenPart, UseSite, Variables, Wanted } from './wanted.ts';

export interface CellUse extends Wanted {
  read: Read;
}

/** Maximum number of parts examined in a formula; longer formulas have given enough evidence by then. */
const MAX_PARTS = 20_000;
const NO_VARIABLES: Variables = new Map();

const ARITHMETIC = new Set(['+', '-', '*', '/', '^']);
const RELATIONS = new Set(['<', '>', '<=', '>=']);

/** Returns the uses of a formula on `sheet`; its cells are relative to the formula's position. */
export function cellUses(tree: Node, sheet: number, scope: Scope, resultTypes: ResultTypes): CellUse[] {
  const uses: CellUse[] = [];
  const site: UseSite = {
    sheet,
    scope,
    resultTypes,
    take: (read, wanted) => {
      const strength = isBroad(read) ? Math.min(wanted.strength, Strength.weak) : wanted.strength;
      uses.push({ ...wanted, strength, read });
    },
  };
  const open: OpenPart[] = [{ node: tree, wanted: { kind: 'result', strength: Strength.plain, by: '=' } }];
  for (let count = 0; count < MAX_PARTS; count += 1) {
    const part = open.pop();
    if (!part) break;
    for (const inner of partsOf(part, site)) open.push({ variables: part.variables ?? NO_VARIABLES, ...inner });
  }
  return uses;
}

/** Records the cells of a part and returns the parts nested in it. */
function partsOf({ node, wanted, variables = NO_VARIABLES }: OpenPart, site: UseSite): OpenPart[] {
  switch (node.type) {
    case 'reference':
    case 'structured':
      return takeCells(node, wanted, site);
    case 'name': {
      const bound = variables.get(node.name.toLowerCase());
      if (bound) return [{ node: bound.node, wanted, variables: bound.variables }];
      const tree = site.scope.name(node, site.sheet)?.tree;
      return tree ? [{ node: tree, wanted, variables: NO_VARIABLES }] : [];
    }
    case 'unary':
      return [{ node: node.operand, wanted: node.operator === '-' ? plain('Number', '-') : wanted }];
    case 'postfix':
      if (node.operator === '%') return [{ node: node.operand, wanted: plain('Number', '%') }];
      return takeCells(node.operand, wanted, site);
    case 'binary':
      return isReferenceOperator(node) ? joinedParts(node, wanted, site) : operandsOf(node, wanted, site);
    case 'call':
      return argumentsOf(node, wanted, variables, site);
    case 'invoke':
      return lambdaParts([...node.args, node.callee], variables, wanted);
    default:
      return [];
  }
}

function takeCells(node: Node, wanted: Wanted | null, site: UseSite): OpenPart[] {
  if (wanted) for (const read of readsOf(node, site.sheet, site.scope).reads) site.take(read, wanted);
  return [];
}

function joinedParts(node: BinaryNode, wanted: Wanted | null, site: UseSite): OpenPart[] {
  if (node.operator !== ',') return takeCells(node, wanted, site);
  return [node.left, node.right].map((side) => ({ node: side, wanted }));
}

function operandsOf({ operator, left, right }: BinaryNode, wanted: Wanted | null, site: UseSite): OpenPart[] {
  if (operator === '&') {
    const text: Wanted = { kind: 'Text', strength: Strength.text, by: '&' };
    return [left, right].map((node) => ({ node, wanted: text }));
  }
  if (ARITHMETIC.has(operator)) {
    const number = plain('Number', operator);
    const first = operator === '+' || operator === '-' ? dayOrNumber(operator, right, wanted, site) : number;
    return [
      { node: left, wanted: first },
      { node: right, wanted: number },
    ];
  }
  const beside = (other: Node): Wanted => ({
    kind: (at) => site.resultTypes.of(other, at),
    strength: Strength.plain,
    by: operator,
  });
  // Without other evidence, an operand of an order comparison is a number.
  if (RELATIONS.has(operator)) {
    const weak: Wanted = { kind: 'Number', strength: Strength.weak, by: operator };
    for (const node of [left, right]) if (node.type === 'reference') takeCells(node, weak, site);
  }
  return [
    { node: left, wanted: beside(right) },
    { node: right, wanted: beside(left) },
  ];
}

/**
 * Returns the type of the left side of '+' and '-'. It is a date if a date is subtracted from it, or if a number is
 * added or subtracted and the cell shows a date.
 */
function dayOrNumber(operator: string, right: Node, wanted: Wanted | null, { resultTypes }: UseSite): Wanted {
  const kind = (at: FormulaPosition): ValueKind => {
    const other = resultTypes.of(right, at);
    if (operator === '-' && other === 'Date') return 'Date';
    const showsDay = wanted?.kind === 'Date' || (wanted?.kind === 'result' && resultTypes.formatAt(at) === 'Date');
    return showsDay && other === 'Number' ? 'Date' : 'Number';
  };
  return { kind, strength: Strength.plain, by: operator };
}

function argumentsOf(node: CallNode, wanted: Wanted | null, variables: Variables, site: UseSite): OpenPart[] {
  const { name, args } = node;
  if (name === 'LET') return letParts(args, wanted, variables);
  if (LAMBDA_TAKERS.has(name)) return lambdaParts(args, variables);
  if (name === 'SUBTOTAL' || name === 'AGGREGATE') return totalParts(node);
  const special = lookupUses(node, wanted, site) ?? criteriaUses(node, wanted, site);
  if (special) return special;
  return args.map((arg, index) => {
    const expected = expectedTypeOf(name, index);
    if (expected === 'inherit') return { node: arg, wanted };
    if (!expected) return { node: arg, wanted: null };
    const strength = !expected.isWeak ? Strength.plain : expected.kind === 'Text' ? Strength.text : Strength.weak;
    return { node: arg, wanted: { kind: expected.kind, strength, by: name } };
  });
}

/** SUBTOTAL and AGGREGATE: the first argument selects the statistic. Numbers 3 and 103 count cells of any type. */
function totalParts({ name, args }: CallNode): OpenPart[] {
  const [which] = args;
  const countsAll = which?.type === 'number' && (which.value === 3 || which.value === 103);
  const first = name === 'SUBTOTAL' ? 1 : 2;
  return args.map((node, index) => ({ node, wanted: index < first || !countsAll ? plain('Number', name) : null }));
}

function letParts(args: readonly Node[], wanted: Wanted | null, variables: Variables): OpenPart[] {
  const bound = new Map(variables);
  let before: Variables = variables;
  for (let at = 0; at + 1 < args.length; at += 2) {
    const name = args[at]!;
    if (name.type === 'name') bound.set(name.name.toLowerCase(), { node: args[at + 1]!, variables: before });
    before = new Map(bound);
  }
  const last = args.at(-1);
  return last ? [{ node: last, wanted, variables: bound }] : [];
}

const LAMBDA_TAKERS = new Set(['MAP', 'BYROW', 'BYCOL', 'SCAN', 'REDUCE']);

/**
 * The LAMBDA is the last argument; its parameters stand for the elements of the other arguments. `wanted` is the
 * expected type of its result.
 */
function lambdaParts(args: readonly Node[], variables: Variables, wanted: Wanted | null = null): OpenPart[] {
  const lambda = args.at(-1);
  if (lambda?.type !== 'call' || lambda.name !== 'LAMBDA') return args.map((node) => ({ node, wanted: null }));
  const bound = new Map(variables);
  lambda.args.slice(0, -1).forEach((parameter, index) => {
    const given = args[index];
    if (parameter.type === 'name' && given && index < args.length - 1)
      bound.set(parameter.name.toLowerCase(), { node: given, variables });
  });
  const body = lambda.args.at(-1);
  return body ? [{ node: body, wanted, variables: bound }] : [];
}
