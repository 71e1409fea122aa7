/** Calls of worksheet functions: arguments as their kinds ask for, errors, and element by element over arrays. */
import type { FunctionDefinition, ParameterKind } from '../functions/function.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import { VALUE_ERROR } from '../values/coerce.ts';
import { Areas, Lambda, Range, ReferenceArray } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import type { Code, Evaluation, Mode, Want } from './code.ts';
import { carriesArray, elementsCode } from './constant-arrays.ts';
import { dereferenced, isLifted, liftCall, single } from './lift.ts';
import { liftReferences } from './lift-references.ts';
import { kindAt, takesCount } from './parameters.ts';
import type { Site } from './site.ts';

export function callCode(definition: FunctionDefinition, node: CallNode, want: Want, mode: Mode, site: Site): Code {
  site.traits.volatile ||= definition.volatile;
  site.traits.isSubtotal ||= definition.name === 'SUBTOTAL' || definition.name === 'AGGREGATE';
  if (!takesCount(definition, node.args.length)) return () => VALUE_ERROR;
  const kinds = node.args.map((_, index) => kindAt(definition, index));
  const args = node.args.map((arg, index) => argumentCode(arg, kinds[index]!, mode, site));
  const { takesErrors } = definition;
  if (mode !== 'scalar') return liftingCall(definition, args, kinds);
  if (carriesArray(node, site)) {
    const lifting = liftingCall(definition, args, kinds);
    return want === 'value' ? singleCode(lifting) : lifting;
  }
  const code =
    args.length === 1 && kinds[0] === 'value'
      ? callOfOne(definition, args[0]!)
      : scalarCall(definition, args, kinds, takesErrors);
  return want === 'value' ? singleCode(code) : code;
}

function argumentCode(node: Node, kind: ParameterKind, mode: Mode, site: Site): Code {
  switch (kind) {
    case 'value':
      return elementsCode(node, mode, site);
    case 'array':
      return site.compile(node, 'any', mode === 'scalar' ? 'forced' : mode, site);
    case 'range':
      return site.compile(node, 'any', mode, site);
    case 'reference':
      return site.compile(node, 'reference', mode, site);
    case 'function':
      return functionCode(node, mode, site);
  }
}

/** Where one value is expected of a formula of the old kind. */
export function singleCode(code: Code): Code {
  return (c) => {
    const value = code(c);
    return typeof value === 'object' && value !== null ? single(value, c) : value;
  };
}

function callOfOne({ call, takesErrors }: FunctionDefinition, argument: Code): Code {
  if (takesErrors) return (c) => call([argument(c)], c);
  return (c) => {
    const value = argument(c);
    return typeof value === 'object' && value instanceof CellError ? value : call([value], c);
  };
}

/** In a formula of the old kind `value` arguments are single values already. */
function scalarCall({ call }: FunctionDefinition, args: Code[], kinds: ParameterKind[], takesErrors: boolean): Code {
  const count = args.length;
  return (c) => {
    const values: FormulaValue[] = [];
    for (let index = 0; index < count; index += 1) {
      const value = args[index]!(c);
      values.push(value);
      const kind = kinds[index]!;
      if (kind === 'value') {
        if (typeof value === 'object' && value instanceof CellError && !takesErrors) return value;
      } else if (kind === 'reference' && !isReference(value)) return notReference(value);
    }
    return call(values, c);
  };
}

const isReference = (value: FormulaValue): boolean =>
  value instanceof Range || value instanceof Areas || value === undefined;

const notReference = (value: FormulaValue): CellError => (value instanceof CellError ? value : VALUE_ERROR);

function liftingCall(definition: FunctionDefinition, args: Code[], kinds: ParameterKind[]): Code {
  return (c) => {
    const values: FormulaValue[] = [];
    for (let index = 0; index < args.length; index += 1) values.push(args[index]!(c));
    return applyFunction(definition, values, kinds, c);
  };
}

/** Calls a function with values as they come, over arrays where its parameters want single values. */
export function applyFunction(
  definition: FunctionDefinition,
  values: FormulaValue[],
  kinds: readonly ParameterKind[],
  c: Evaluation,
): FormulaValue {
  let lifted: number[] | null = null;
  let hasReferences = false;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    const kind = kinds[index];
    if (kind === 'value') {
      if (typeof value !== 'object' || value === null) continue;
      if (value instanceof Range && value.rows === 1 && value.cols === 1) {
        // a cell is one value, so what the function makes of it may be an array or a reference
        const cell = value.at(0, 0);
        if (cell instanceof CellError && !definition.takesErrors) return cell;
        values[index] = cell;
      } else if (isLifted(value)) (lifted ??= []).push(index);
      else if (value instanceof CellError && !definition.takesErrors) return value;
      else if (value instanceof Lambda) return VALUE_ERROR;
    } else if (value instanceof ReferenceArray) {
      if (kind === 'array') values[index] = dereferenced(value, c);
      else {
        (lifted ??= []).push(index);
        hasReferences = true;
      }
    } else if (kind === 'reference' && !isReference(value)) return notReference(value);
  }
  if (!lifted) return definition.call(values, c);
  const places = lifted;
  if (hasReferences || definition.givesReferences) {
    return liftReferences(
      definition,
      values,
      kinds,
      places,
      (single) => callOnce(definition, single, kinds, places, c),
      c,
    );
  }
  return liftCall(values, places, (single) => callOnce(definition, single, kinds, places, c), c);
}

function callOnce(
  definition: FunctionDefinition,
  values: FormulaValue[],
  kinds: readonly ParameterKind[],
  places: readonly number[],
  c: Evaluation,
): FormulaValue {
  for (const place of places) {
    const value = values[place];
    if (value instanceof CellError && (!definition.takesErrors || kinds[place] === 'reference')) return value;
  }
  return definition.call(values, c);
}

/** An argument that is a function: a LAMBDA, or the name of a worksheet function. */
function functionCode(node: Node, mode: Mode, site: Site): Code {
  if (node.type === 'name' && node.prefix === null && !site.variables.has(node.name.toLowerCase())) {
    const definition = site.findFunction(node.name.replace(/^_xlfn\./i, '').toUpperCase());
    if (definition && !site.scope.name(node, site.sheet)) return (c) => asLambda(definition, c);
  }
  return site.compile(node, 'any', mode, site);
}

export function asLambda(definition: FunctionDefinition, c: Evaluation): Lambda {
  const { required, repeat, parameters } = definition;
  const optional = repeat > 0 ? 255 - required : parameters.length - required;
  return new Lambda(required, optional, (args) => {
    if (!takesCount(definition, args.length)) return VALUE_ERROR;
    return applyFunction(
      definition,
      args,
      args.map((_, index) => kindAt(definition, index)),
      c,
    );
  });
}
