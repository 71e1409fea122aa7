/** Checks that an expression uses only functions that exist, its own variables, and named values. */
import { FORM_NAMES } from '../functions/form-names.ts';
import { findFunction } from '../functions/registry.ts';
import type { CallNode, NameNode, Node, StructuredNode } from '../syntax/ast.ts';
import { printFormula } from '../syntax/printer.ts';

type PlaceholderIndex = (node: Node) => number | null;

/** How to refer to values; part of several messages. */
const HOW_TO_NAME = 'Write Inputs.[Name], [Step].[Output] or [Step].[Table][Column]';

/** Functions that find cells by their addresses. */
const OF_CELLS: ReadonlySet<string> = new Set(['INDIRECT', 'GETPIVOTDATA']);

/** Returns the first problem, for the author of the expression; null if there is none. */
export function requireKnownNames(tree: Node, placeholderIndex: PlaceholderIndex): string | null {
  return new NameCheck(placeholderIndex).of(tree, new Set());
}

const isFunction = (name: string): boolean => FORM_NAMES.has(name) || findFunction(name) !== undefined;

class NameCheck {
  private readonly placeholderIndex: PlaceholderIndex;

  constructor(placeholderIndex: PlaceholderIndex) {
    this.placeholderIndex = placeholderIndex;
  }

  /** @param variables names of the variables of LET and LAMBDA that the node may use, in lower case */
  of(node: Node, variables: ReadonlySet<string>): string | null {
    switch (node.type) {
      case 'reference':
        return `${printFormula(node, { row: 0, col: 0 })} is a cell, and a workflow has no cells. ${HOW_TO_NAME}`;
      case 'structured':
        return structuredProblem(node);
      case 'name':
        return this.ofName(node, variables);
      case 'call':
        return this.ofCall(node, variables);
      case 'invoke':
        return this.of(node.callee, variables) ?? this.first(node.args, variables);
      case 'unary':
      case 'postfix':
        return this.of(node.operand, variables);
      case 'binary':
        return this.ofChain(node, variables);
      default:
        return null;
    }
  }

  /** A chain of operators leans left and may be thousands long, so it is walked without recursion. */
  private ofChain(node: Node, variables: ReadonlySet<string>): string | null {
    let problem: string | null = null;
    let left = node;
    while (left.type === 'binary') {
      problem = this.of(left.right, variables) ?? problem;
      left = left.left;
    }
    return this.of(left, variables) ?? problem;
  }

  private first(nodes: readonly Node[], variables: ReadonlySet<string>): string | null {
    for (const node of nodes) {
      const problem = this.of(node, variables);
      if (problem !== null) return problem;
    }
    return null;
  }

  private ofName(node: NameNode, variables: ReadonlySet<string>): string | null {
    const { name, prefix } = node;
    if (prefix !== null) return `A workflow has no sheets. ${HOW_TO_NAME}`;
    if (this.placeholderIndex(node) !== null || variables.has(name.toLowerCase())) return null;
    if (isFunction(name.toUpperCase())) return null;
    return `There is no value '${wordOf(name)}'. ${HOW_TO_NAME}`;
  }

  private ofCall(node: CallNode, variables: ReadonlySet<string>): string | null {
    const { name, args } = node;
    if (name === 'LET') return this.ofLet(args, variables);
    if (name === 'LAMBDA') return this.ofLambda(args, variables);
    if (OF_CELLS.has(name)) return `${name} reads cells, and a workflow has no cells. ${HOW_TO_NAME}`;
    const isKnown = isFunction(name) || variables.has(name.toLowerCase());
    if (!isKnown) return `There is no function ${wordOf(name)}. Check its spelling`;
    return this.first(args, variables);
  }

  private ofLet(args: readonly Node[], variables: ReadonlySet<string>): string | null {
    let known = variables;
    for (let index = 0; index + 1 < args.length; index += 2) {
      const [variable, value] = [args[index]!, args[index + 1]!];
      if (variable.type !== 'name' || variable.prefix !== null || this.placeholderIndex(variable) !== null)
        return 'LET must name a variable before each of its values. A cell such as A1 cannot be the name of one';
      const problem = this.of(value, known);
      if (problem !== null) return problem;
      known = new Set(known).add(variable.name.toLowerCase());
    }
    const result = args.length % 2 === 1 ? args.at(-1) : undefined;
    return result ? this.of(result, known) : 'LET needs pairs of a variable and its value, and a result at the end';
  }

  private ofLambda(args: readonly Node[], variables: ReadonlySet<string>): string | null {
    const known = new Set(variables);
    for (const arg of args.slice(0, -1)) {
      const name = variableName(arg);
      if (name === null || this.placeholderIndex(arg) !== null)
        return 'The arguments of LAMBDA before the last must be names of variables. A cell such as A1 cannot be one';
      known.add(name.toLowerCase());
    }
    const body = args.at(-1);
    return body ? this.of(body, known) : null;
  }
}

function variableName(node: Node): string | null {
  if (node.type === 'name' && node.prefix === null) return node.name;
  const isOptional = node.type === 'structured' && node.table === null && node.items.length === 0;
  return isOptional ? node.first : null;
}

function structuredProblem({ table, first }: StructuredNode): string {
  const name = `${table ?? ''}[${first ?? ''}]`;
  return `${name} is not a value of the workflow. ${HOW_TO_NAME}`;
}

/** Placeholders in words are not for people. */
const wordOf = (word: string): string => word.replaceAll(/\uE000\d+\uE001/g, '[…]').slice(0, 100);
