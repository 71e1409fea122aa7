/** Compiles LET, LAMBDA, calls of functions that are values, and defined names. */
import type { CallNode, NameNode, Node } from '../syntax/ast.ts';
import { isOtherBook } from '../graph/scope.ts';
import { MAX_CALLS } from '../kernels/limits.ts';
import { CellError } from '../values/cell-value.ts';
import { NAME_ERROR, NUM_ERROR, REF_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { functionIn, Lambda } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import { singleCode } from './calls.ts';
import { carriesArray } from './constant-arrays.ts';
import { asLambda, functionCode, isFunction, isFunctionList, namedFunction } from './function-values.ts';
import { PendingValue } from './code.ts';
import type { Code, Evaluation, Frame, Mode, Want } from './code.ts';
import { neededVariables } from './needed-variables.ts';
import type { Site, Variable } from './site.ts';
import { withVariable } from './site.ts';
import { variableOf } from './variables.ts';

export function letCode({ args }: CallNode, want: Want, mode: Mode, site: Site): Code {
  if (args.length < 3 || args.length % 2 === 0) return () => VALUE_ERROR;
  let inner = site;
  const steps: { slot: number; code: Code; isNeeded: boolean }[] = [];
  const needed = neededVariables(args);
  for (let index = 0; index + 1 < args.length; index += 2) {
    const name = args[index]!;
    if (name.type !== 'name') return () => NAME_ERROR;
    const value = args[index + 1]!;
    const code =
      isFunction(value, inner) || isFunctionList(value, inner)
        ? functionCode(value, mode, inner)
        : site.compile(value, 'any', mode, inner);
    const slot = inner.frame.size++;
    const holdsArray = mode === 'scalar' && carriesArray(value, inner);
    inner = withVariable(inner, name.name, { slot, holdsArray });
    steps.push({ slot, code, isNeeded: needed.has(index) });
  }
  const body = site.compile(args.at(-1)!, want, mode, inner);
  return (c) => {
    for (let index = 0; index < steps.length; index += 1) {
      const { slot, code, isNeeded } = steps[index]!;
      c.frame[slot] = isNeeded ? given(code(c)) : new PendingValue(code, c.frame);
    }
    return body(c);
  };
}

/** An omitted argument is 0 when it is read as a variable. */
const given = (value: FormulaValue): FormulaValue => (value === undefined ? 0 : value);

export function lambdaCode({ args }: CallNode, mode: Mode, site: Site): Code {
  if (args.length === 0) return () => VALUE_ERROR;
  let inner = site;
  const slots: number[] = [];
  let optional = 0;
  for (const parameter of args.slice(0, -1)) {
    const name = variableName(parameter);
    if (!name) return () => VALUE_ERROR;
    const slot = inner.frame.size++;
    inner = withVariable(inner, name.name, { slot, holdsArray: false });
    slots.push(slot);
    if (name.optional) optional += 1;
    else if (optional > 0) return () => VALUE_ERROR;
  }
  const body = site.compile(args.at(-1)!, 'any', mode === 'scalar' ? 'array' : mode, inner);
  return (c) => {
    const captured = c.frame;
    return new Lambda(slots.length - optional, optional, (values) => {
      if (values.length > slots.length || values.length < slots.length - optional) return VALUE_ERROR;
      const frame = captured.slice();
      for (let index = 0; index < slots.length; index += 1) frame[slots[index]!] = values[index];
      return nested(c, frame, body);
    });
  };
}

/** '[x]' declares a variable that a call may omit. In formulas typed by hand it is parsed as a table column. */
function variableName(node: Node): { name: string; optional: boolean } | null {
  if (node.type === 'name') return { name: node.name, optional: node.optional === true };
  if (node.type === 'structured' && node.table === null && node.first !== null && node.items.length === 0) {
    return { name: node.first, optional: true };
  }
  return null;
}

/** Runs code with its own variables; #NUM! if calls are nested too deeply, as in Excel. */
function nested(c: Evaluation, frame: Frame, code: Code): FormulaValue {
  if (c.calls >= MAX_CALLS) return NUM_ERROR;
  const outer = c.frame;
  c.calls += 1;
  c.frame = frame;
  c.spend(1);
  const value = code(c);
  // No cleanup on errors: an error ends the whole formula, and a new attempt starts with a new frame.
  c.frame = outer;
  c.calls -= 1;
  return value;
}

/** Functions of other workbooks are their programs, which are not available. */
export function isForeignFunction(callee: Node, site: Site): boolean {
  return callee.type === 'name' && isOtherBook(callee.prefix) && !site.scope.name(callee, site.sheet)?.tree;
}

/** `notFunction` is the result of a call if the callee is not a function. */
export function invokeCode(
  callee: Code,
  args: readonly Node[],
  want: Want,
  mode: Mode,
  site: Site,
  notFunction: CellError,
): Code {
  const codes = args.map((arg) => (arg.type === 'missing' ? () => undefined : site.compile(arg, 'any', mode, site)));
  const code: Code = (c) => {
    const value = callee(c);
    const target = functionIn(value);
    if (!target) return value instanceof CellError ? value : notFunction;
    return target.call(codes.map((argument) => argument(c)));
  };
  return want === 'value' && mode === 'scalar' ? singleCode(code) : code;
}

/** Compiles a variable, a defined name, or the name of a worksheet function as a value. */
export function nameCode(node: NameNode, want: Want, mode: Mode, site: Site): Code {
  const variable = variableOf(node, site);
  if (variable) return variableCode(variable, want, mode);
  if (node.isFunction) {
    const definition = namedFunction(node, site);
    return definition ? (c) => asLambda(definition, c) : () => NAME_ERROR;
  }
  const meaning = site.scope.name(node, site.sheet);
  site.traits.readsUnsaved ||= isOtherBook(node.prefix) && !meaning?.tree;
  if (!meaning && isOtherBook(node.prefix)) return () => REF_ERROR;
  if (!meaning?.tree) return () => NAME_ERROR;
  const { type } = meaning.tree;
  // A name for cells stands for those cells; the formula of any other name is calculated in mode array.
  if (type === 'reference' || type === 'structured') return site.compile(meaning.tree, want, mode, site);
  const code = formulaOfName(meaning.tree, site);
  return want === 'value' && mode === 'scalar' ? singleCode(code) : code;
}

function variableCode({ slot }: Variable, want: Want, mode: Mode): Code {
  const code: Code = (c) => {
    const value = c.frame[slot];
    return value instanceof PendingValue ? value.of(c) : value;
  };
  return want === 'value' && mode === 'scalar' ? singleCode(code) : code;
}

function formulaOfName(tree: Node, site: Site): Code {
  const known = site.names.get(tree);
  // A name that refers to itself is called at run time: a LAMBDA may terminate, anything else becomes #NUM!.
  if (known) return (c) => nested(c, [], known.code!);
  const entry: { code: Code | null } = { code: null };
  site.names.set(tree, entry);
  const frame = { size: 0 };
  const code = site.compile(tree, 'any', 'array', { ...site, variables: new Map(), frame });
  entry.code = code;
  return frame.size === 0 && tree.type !== 'call' ? code : (c) => nested(c, [], code);
}
