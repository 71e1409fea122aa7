/** Functions as values: function arguments, worksheet functions by name, and lists of functions. */
import type { FunctionDefinition } from '../functions/function.ts';
import type { CallNode, NameNode, Node } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import { toText, VALUE_ERROR } from '../values/coerce.ts';
import { FunctionList, Lambda } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import { applyFunction } from './apply-function.ts';
import type { Code, Evaluation, Mode } from './code.ts';
import { toArray } from './lift.ts';
import { kindAt, takesCount } from './parameters.ts';
import type { Site } from './site.ts';
import { callsVariable, variableOf } from './variables.ts';

/** Compiles an argument that is a function: a LAMBDA, or the name of a worksheet function. */
export function functionCode(node: Node, mode: Mode, site: Site): Code {
  const definition = node.type === 'name' ? namedFunction(node, site) : undefined;
  if (definition) return (c) => asLambda(definition, c);
  const list = node.type === 'call' ? stackOf(node) : null;
  if (list) return listCode(list, mode, site);
  return site.compile(node, 'any', mode, site);
}

/**
 * Returns the worksheet function that a name refers to. Variables and defined names with the same name take precedence,
 * unless the file marks the name as a function.
 */
export function namedFunction(node: NameNode, site: Site): FunctionDefinition | undefined {
  if (node.prefix !== null || variableOf(node, site)) return undefined;
  if (!node.isFunction && site.scope.name(node, site.sheet)) return undefined;
  return site.findFunction(node.name.replace(/^_xlfn\./i, '').toUpperCase());
}

/**
 * Recognizes HSTACK and VSTACK of functions, and such a stack combined with names for its functions, where the outer
 * stack has the other direction.
 */
function stackOf({ name, args }: CallNode): { isRow: boolean; functions: Node[]; names: Node | null } | null {
  if (name !== 'HSTACK' && name !== 'VSTACK') return null;
  const [first, names, ...others] = args;
  const isRow = name === 'HSTACK';
  const inner = first?.type === 'call' && first.name === (isRow ? 'VSTACK' : 'HSTACK') ? stackOf(first) : null;
  if (inner && names && others.length === 0) return { ...inner, names };
  return { isRow, functions: args, names: null };
}

/**
 * Returns true for a value that consists of several functions: HSTACK or VSTACK of functions only, as LET may name it.
 */
export function isFunctionList(node: Node, site: Site): boolean {
  const list = node.type === 'call' ? stackOf(node) : null;
  return list !== null && list.functions.length > 0 && list.functions.every((item) => isFunction(item, site));
}

/** Returns true for a LAMBDA, or the name of a worksheet function. */
export function isFunction(node: Node, site: Site): boolean {
  if (node.type === 'call') return node.name === 'LAMBDA' && !callsVariable(node, site);
  return node.type === 'name' && namedFunction(node, site) !== undefined;
}

function listCode(list: NonNullable<ReturnType<typeof stackOf>>, mode: Mode, site: Site): Code {
  const codes = list.functions.map((node) => functionCode(node, mode, site));
  const names = list.names && site.compile(list.names, 'any', mode, site);
  return (c) => {
    const suppliedNames = names ? toArray(names(c), c).cells : [];
    const functions: { name: string; lambda: Lambda }[] = [];
    for (const [at, code] of codes.entries()) {
      const lambda = code(c);
      if (!(lambda instanceof Lambda)) return lambda instanceof CellError ? lambda : VALUE_ERROR;
      const name = toText(suppliedNames[at] ?? lambda.name ?? 'CUSTOM');
      if (name instanceof CellError) return name;
      functions.push({ name, lambda });
    }
    return new FunctionList(functions, list.isRow);
  };
}

export function asLambda(definition: FunctionDefinition, c: Evaluation): Lambda {
  const { required, repeat, parameters } = definition;
  const optional = repeat > 0 ? 255 - required : parameters.length - required;
  const call = (args: FormulaValue[]): FormulaValue => {
    if (!takesCount(definition, args.length)) return VALUE_ERROR;
    const kinds = args.map((_, index) => kindAt(definition, index));
    return applyFunction(definition, args, kinds, c);
  };
  return new Lambda(required, optional, call, definition.name);
}
