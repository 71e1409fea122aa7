/** Compiles the tree of a formula to a function that calculates it. */
import type { FunctionDefinition } from '../functions/function.ts';
import type { Scope } from '../graph/scope.ts';
import type { BinaryNode, CallNode, NameNode, Node } from '../syntax/ast.ts';
import { isReferenceOperator } from '../syntax/traverse.ts';
import { CellError, cellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { NAME_ERROR, REF_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { ArrayMatrix, Range } from '../values/matrix.ts';
import type { FormulaValue } from '../values/matrix.ts';
import { callCode, singleCode } from './calls.ts';
import type { Code, Mode, Want } from './code.ts';
import { carriesArray, elementsCode } from './constant-arrays.ts';
import { isCachedPart, cachingFixed } from './fixed-arrays.ts';
import { invokeCode, isForeignFunction, lambdaCode, letCode, nameCode } from './lambda.ts';
import { single, toArray } from './lift.ts';
import { binaryCode, negativeCode, percentCode } from './operators.ts';
import { intersectionCode, referenceCode, spanCode, structuredCode, unionCode } from './references.ts';
import type { Site, Traits } from './site.ts';
import { SPECIAL_FORMS } from './special-forms.ts';
import { callsVariable } from './variables.ts';
import { unclipped } from './whole-columns.ts';

export interface CompiledFormula {
  code: Code;
  /** Number of its variables. */
  frameSize: number;
  traits: Traits;
}

export interface CompileOptions {
  scope: Scope;
  sheet: number;
  mode: Mode;
  findFunction: (name: string) => FunctionDefinition | undefined;
  /** True if the whole formula is in parentheses. */
  isParenthesised?: boolean;
}

/** Returns the formula's code. In mode scalar it yields a single value, in mode array anything. */
export function compileFormula(tree: Node, options: CompileOptions): CompiledFormula {
  const { scope, sheet, mode, findFunction, isParenthesised = false } = options;
  const traits: Traits = { volatile: false, isSubtotal: false, readsUnsaved: false, missing: new Set() };
  const frame = { size: 0 };
  const site: Site = {
    scope,
    sheet,
    findFunction,
    traits,
    variables: new Map(),
    frame,
    names: new Map(),
    carriers: new Map(),
    compile,
  };
  const want: Want = mode === 'scalar' ? 'value' : 'any';
  const isSum = tree.type === 'binary' && (tree.operator === '+' || tree.operator === '-');
  const code = isSum ? spineCode(tree, want, mode, site, !isParenthesised) : compile(tree, want, mode, site);
  return { code, frameSize: frame.size, traits };
}

function compile(node: Node, want: Want, mode: Mode, site: Site): Code {
  return (
    unclipped(node, site, (whole) => compile(node, want, mode, whole)) ??
    cachingFixed(node, want, mode, site, (own) => compileNode(node, want, mode, own))
  );
}

function compileNode(node: Node, want: Want, mode: Mode, site: Site): Code {
  switch (node.type) {
    case 'number':
    case 'text':
    case 'boolean':
      return constant(node.value);
    case 'error':
      return constant(cellError(node.code)!);
    case 'missing':
      return () => undefined;
    case 'array':
      return arrayCode(node.rows, want, mode);
    case 'reference':
      return referenceCode(node, want, mode, site);
    case 'structured':
      return structuredCode(node, want, mode, site);
    case 'name':
      return nameCode(node, want, mode, site);
    case 'call':
      return compileCall(node, want, mode, site);
    case 'invoke':
      if (isForeignFunction(node.callee, site)) {
        return missingFunction((node.callee as NameNode).name, node.args, mode, site);
      }
      return invokeCode(
        site.compile(node.callee, 'any', mode, site),
        node.args,
        want,
        mode,
        site,
        node.callee.type === 'name' ? VALUE_ERROR : REF_ERROR,
      );
    case 'unary':
      return unaryCode(node, want, mode, site);
    case 'postfix':
      return node.operator === '%'
        ? valueCode(node, percentCode(elementsCode(node.operand, mode, site)), want, mode, site)
        : spillCode(compile(node.operand, 'reference', mode, site), want, mode);
    case 'binary':
      return isReferenceOperator(node) ? joinCode(node, want, mode, site) : spineCode(node, want, mode, site, false);
  }
}

/** In a legacy formula, a constant array yields its first element where a single value is needed. */
function valueCode(node: Node, code: Code, want: Want, mode: Mode, site: Site): Code {
  return want === 'value' && mode === 'scalar' && carriesArray(node, site) ? singleCode(code) : code;
}

const constant = (value: CellValue) => (): FormulaValue => value;

function arrayCode(rows: Extract<Node, { type: 'array' }>['rows'], want: Want, mode: Mode): Code {
  const cells = rows.flat().map((item): CellValue => (typeof item === 'object' ? cellError(item.error)! : item));
  if (want === 'value' && mode === 'scalar') return constant(cells[0]!);
  const array = new ArrayMatrix(rows.length, rows[0]!.length, cells);
  return () => array;
}

/**
 * Chains of operators lean left. Chains longer than this are calculated in a loop, so that their length does not deepen
 * the stack.
 */
const MAX_SPINE_LENGTH = 24;

function spineCode(root: BinaryNode, want: Want, mode: Mode, site: Site, isLast: boolean): Code {
  const spine: BinaryNode[] = [];
  let first: Node = root;
  while (first.type === 'binary' && !isReferenceOperator(first)) {
    if (first !== root && spine.length < MAX_SPINE_LENGTH && isCachedPart(first, mode, site)) break;
    spine.push(first);
    first = first.left;
  }
  spine.reverse();
  const start = elementsCode(first, mode, site);
  const step = (node: BinaryNode, left: Code): Code =>
    binaryCode(node.operator, left, elementsCode(node.right, mode, site), isLast && node === root);
  if (spine.length <= MAX_SPINE_LENGTH) {
    const code = spine.reduce((inner, node) => step(node, inner), start);
    return valueCode(root, code, want, mode, site);
  }
  // A step reads the value on its left before anything else, so one variable suffices for all calls.
  let left: FormulaValue;
  const steps = spine.map((node) => step(node, () => left));
  const code: Code = (c) => {
    let value = start(c);
    for (const next of steps) {
      left = value;
      value = next(c);
    }
    return value;
  };
  return valueCode(root, code, want, mode, site);
}

function joinCode(node: BinaryNode, want: Want, mode: Mode, site: Site): Code {
  const left = compile(node.left, 'reference', mode, site);
  const right = compile(node.right, 'reference', mode, site);
  const code =
    node.operator === ':'
      ? spanCode(left, right)
      : node.operator === ' '
        ? intersectionCode(left, right)
        : unionCode(left, right);
  return want === 'value' && mode === 'scalar' ? singleCode(code) : code;
}

function unaryCode(node: Extract<Node, { type: 'unary' }>, want: Want, mode: Mode, site: Site): Code {
  switch (node.operator) {
    case '-':
      return (
        foldedNegative(node.operand) ??
        valueCode(node, negativeCode(elementsCode(node.operand, mode, site)), want, mode, site)
      );
    case '+':
      return plusCode(compile(node.operand, want, mode, site), want, mode);
    case '@': {
      const operand = compile(node.operand, 'any', mode, site);
      return (c) => single(operand(c), c);
    }
  }
}

/**
 * A unary plus changes no value, but in array calculations it turns a range of several cells into an array of values.
 */
function plusCode(operand: Code, want: Want, mode: Mode): Code {
  if (mode === 'scalar' || want === 'reference') return operand;
  return (c) => {
    const value = operand(c);
    return value instanceof Range && value.rows * value.cols > 1 ? toArray(value, c) : value;
  };
}

function foldedNegative(operand: Node): Code | null {
  return operand.type === 'number' ? constant(operand.value === 0 ? 0 : -operand.value) : null;
}

/** 'A1#': the range that the array formula in A1 fills. */
function spillCode(anchor: Code, want: Want, mode: Mode): Code {
  const code: Code = (c) => {
    const value = anchor(c);
    if (!(value instanceof Range)) return value instanceof CellError ? value : VALUE_ERROR;
    const block = c.spillOf(value.sheet, value.top, value.left);
    return block ? new Range(c, value.sheet, block) : REF_ERROR;
  };
  return want === 'value' && mode === 'scalar' ? singleCode(code) : code;
}

function compileCall(node: CallNode, want: Want, mode: Mode, site: Site): Code {
  const { name } = node;
  if (callsVariable(node, site)) return invokeName(node, want, mode, site);
  if (name === 'LET') return letCode(node, want, mode, site);
  if (name === 'LAMBDA') return lambdaCode(node, mode, site);
  const form = SPECIAL_FORMS.get(name);
  if (form) {
    const code = form(node, want, mode, site);
    return want === 'value' && mode === 'scalar' ? singleCode(code) : code;
  }
  const definition = site.findFunction(name);
  if (definition) return callCode(definition, node, want, mode, site);
  if (site.scope.nameCalled(name, site.sheet)) return invokeName(node, want, mode, site);
  return missingFunction(name, node.args, mode, site);
}

/**
 * Compiles the arguments only for the traits of the formula: whether it is volatile, and which other functions are
 * missing.
 */
function missingFunction(name: string, args: readonly Node[], mode: Mode, site: Site): Code {
  for (const arg of args) site.compile(arg, 'any', mode, site);
  site.traits.missing.add(name.toUpperCase());
  return () => NAME_ERROR;
}

function invokeName(node: CallNode, want: Want, mode: Mode, site: Site): Code {
  const callee = nameCode({ type: 'name', prefix: null, name: node.name, variable: false }, 'any', mode, site);
  return invokeCode(callee, node.args, want, mode, site, VALUE_ERROR);
}
