/** Compiles calls of worksheet functions: argument types, errors, and element-by-element evaluation over arrays. */
import { ADD_IN_FUNCTIONS } from '../functions/add-in-functions.ts';
import type { FunctionDefinition, ParameterKind } from '../functions/function.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import { CellError } from '../values/cell-value.ts';
import { NA_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { Lambda } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import { applyFunction, isReference, notReference } from './apply-function.ts';
import type { Code, Mode, Want } from './code.ts';
import { carriesArray, elementsCode } from './constant-arrays.ts';
import { functionCode } from './function-values.ts';
import { single } from './lift.ts';
import { kindAt, takesCount } from './parameters.ts';
import type { Site } from './site.ts';
import { sumProductCode } from './sum-product.ts';
import { clippedCall } from './whole-columns.ts';

export function callCode(definition: FunctionDefinition, node: CallNode, want: Want, mode: Mode, site: Site): Code {
  const clipped = clippedCall(definition, node, mode, site, (siteOf, seen) =>
    plainCallCode(definition, node, want, mode, site, siteOf, seen),
  );
  const whole = plainCallCode(definition, node, want, mode, clipped ? clipped.site : site);
  const code: Code = clipped ? (c) => clipped.call(c) ?? whole(c) : whole;
  const indexed = definition.name === 'SUMPRODUCT' ? sumProductCode(node, site) : null;
  return indexed ? (c) => indexed(c) ?? code(c) : code;
}

function plainCallCode(
  definition: FunctionDefinition,
  node: CallNode,
  want: Want,
  mode: Mode,
  site: Site,
  siteOf: (index: number) => Site = () => site,
  seen: (index: number, code: Code) => Code = (_, code) => code,
): Code {
  site.traits.volatile ||= definition.volatile;
  site.traits.isSubtotal ||= definition.name === 'SUBTOTAL' || definition.name === 'AGGREGATE';
  if (!takesCount(definition, node.args.length)) return () => VALUE_ERROR;
  const isEmpty = node.args.some(({ type }, index) => type === 'missing' && index < definition.required);
  if (isEmpty && ADD_IN_FUNCTIONS.has(definition.name)) return () => NA_ERROR;
  const kinds = node.args.map((_, index) => kindAt(definition, index));
  const intersects = mode !== 'array' && INTERSECTING.has(definition.name);
  const args = node.args.map((arg, index) => {
    const own = siteOf(index);
    return seen(index, intersects ? elementsCode(arg, 'scalar', own) : argumentCode(arg, kinds[index]!, mode, own));
  });
  if (mode !== 'scalar') return liftingCall(definition, args, kinds);
  if (carriesArray(node, site)) {
    const lifting = liftingCall(definition, args, kinds);
    return want === 'value' ? singleCode(lifting) : lifting;
  }
  const code =
    args.length === 1 && kinds[0] === 'value' ? callOfOne(definition, args[0]!) : scalarCall(definition, args, kinds);
  return want === 'value' ? singleCode(code) : code;
}

/**
 * Functions that take arrays, but single values in a legacy formula, even within SUMPRODUCT. There, =TRANSPOSE(A1:A9)
 * returns the cell beside the formula or #VALUE!, so it needs an array formula. Source: values saved by Excel.
 */
const INTERSECTING: ReadonlySet<string> = new Set(['TRANSPOSE', 'TYPE']);

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

/** Reduces the result to one value, for places in a legacy formula that take single values. */
export function singleCode(code: Code): Code {
  return (c) => {
    const value = code(c);
    return typeof value === 'object' && value !== null ? single(value, c) : value;
  };
}

function callOfOne(definition: FunctionDefinition, argument: Code): Code {
  const { call } = definition;
  return (c) => {
    const value = argument(c);
    return (typeof value === 'object' ? refusal(definition, value) : null) ?? call([value], c);
  };
}

/** Returns the error that a `value` argument causes before the function is called. */
function refusal({ takesErrors, takesFunctions }: FunctionDefinition, value: FormulaValue): CellError | null {
  if (value instanceof CellError) return takesErrors ? null : value;
  return value instanceof Lambda && !takesFunctions ? VALUE_ERROR : null;
}

/** In a legacy formula, `value` arguments are already single values. */
function scalarCall(definition: FunctionDefinition, args: Code[], kinds: ParameterKind[]): Code {
  const { call } = definition;
  const count = args.length;
  return (c) => {
    const values: FormulaValue[] = [];
    for (let index = 0; index < count; index += 1) {
      const value = args[index]!(c);
      values.push(value);
      const kind = kinds[index]!;
      if (kind === 'value') {
        const refused = typeof value === 'object' ? refusal(definition, value) : null;
        if (refused) return refused;
      } else if (kind === 'reference' && !isReference(value)) return notReference(value);
    }
    return call(values, c);
  };
}

function liftingCall(definition: FunctionDefinition, args: Code[], kinds: ParameterKind[]): Code {
  return (c) => {
    const values: FormulaValue[] = [];
    for (let index = 0; index < args.length; index += 1) values.push(args[index]!(c));
    return applyFunction(definition, values, kinds, c);
  };
}
