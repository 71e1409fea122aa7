/** What a loaded workbook and all copies of it share. */
import { compileFormula } from '../compile/compiler.ts';
import type { CompiledFormula } from '../compile/compiler.ts';
import type { FunctionDefinition } from '../functions/function.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import type { Node } from '../syntax/ast.ts';
import type { FormulaGroup } from './formula-groups.ts';
import type { FormulaRecord } from './formula-trees.ts';
import type { Scope } from './scope.ts';
import { NAME_ERROR } from '../values/coerce.ts';

export interface ReadyFormula extends CompiledFormula {
  /** Nested nodes: what calculating it takes of the stack. */
  depth: number;
}

export class Book {
  readonly model: WorkbookModel;
  readonly scope: Scope;
  readonly groups: readonly FormulaGroup[];
  readonly findFunction: (name: string) => FunctionDefinition | undefined;
  private readonly ready = new Map<FormulaRecord, ReadyFormula>();

  constructor(
    model: WorkbookModel,
    scope: Scope,
    groups: readonly FormulaGroup[],
    findFunction: (name: string) => FunctionDefinition | undefined,
  ) {
    this.model = model;
    this.scope = scope;
    this.groups = groups;
    this.findFunction = findFunction;
  }

  /** The code of a formula, compiled when it is first needed. */
  formula(record: FormulaRecord): ReadyFormula {
    let ready = this.ready.get(record);
    if (!ready) this.ready.set(record, (ready = this.compile(record)));
    return ready;
  }

  private compile({ tree, sheet, kind, isParenthesised }: FormulaRecord): ReadyFormula {
    const { scope, findFunction } = this;
    if (!tree) {
      const traits = { volatile: false, isSubtotal: false, missing: new Set<string>() };
      return { code: () => NAME_ERROR, frameSize: 0, traits, depth: 1 };
    }
    const mode = kind === 'cells' ? 'scalar' : 'array';
    const compiled = compileFormula(tree, { scope, sheet, mode, findFunction, isParenthesised });
    return { ...compiled, depth: depthOf(tree) };
  }
}

/** Levels of a tree; operators in a row count as one. */
export function depthOf(root: Node): number {
  let deepest = 1;
  const open: { node: Node; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (depth > deepest) deepest = depth;
    switch (node.type) {
      case 'call':
        for (const arg of node.args) open.push({ node: arg, depth: depth + 1 });
        break;
      case 'invoke':
        for (const arg of node.args) open.push({ node: arg, depth: depth + 1 });
        open.push({ node: node.callee, depth: depth + 1 });
        break;
      case 'unary':
      case 'postfix':
        open.push({ node: node.operand, depth: depth + 1 });
        break;
      case 'binary':
        open.push({ node: node.left, depth }, { node: node.right, depth: depth + 1 });
        break;
      default:
    }
  }
  return deepest;
}
