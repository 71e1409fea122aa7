/** The formulas of a workbook as trees, one for all cells whose formulas are the same relative to them. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { FormulaModel, WorkbookModel } from '../reader/workbook-model.ts';
import type { Node } from '../syntax/ast.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { parseFormula } from '../syntax/parser.ts';
import { printRelative } from '../syntax/printer.ts';
import { mapChildren } from '../syntax/traverse.ts';
import type { Scope } from './scope.ts';

export type FormulaKind = 'cells' | 'array' | 'dynamic' | 'dataTable';

/** One formula, wherever it stands. */
export interface FormulaRecord {
  readonly sheet: number;
  readonly kind: FormulaKind;
  /** Null where the text is no formula. */
  readonly tree: Node | null;
  /** The whole of it stands in parentheses. */
  readonly isParenthesised: boolean;
}

const KINDS: Record<FormulaModel['kind'], FormulaKind> = {
  normal: 'cells',
  shared: 'cells',
  array: 'array',
  dynamicArray: 'dynamic',
  dataTable: 'dataTable',
};

/** By sheet and place in its formula table. Array formulas have records of their own. */
export function formulaRecords(model: WorkbookModel, scope: Scope): FormulaRecord[][] {
  return model.sheets.map(({ cells }, sheet) => {
    const known = new Map<string, FormulaRecord>();
    return cells.formulaTable.map(({ kind, text, cell }) => {
      const own = KINDS[kind];
      const tree = own === 'dataTable' ? null : parse(text, sheet, cell, scope);
      const isParenthesised = standsInParentheses(text);
      const record = { sheet, kind: own, tree, isParenthesised };
      if (own === 'dataTable' || own === 'array') return record;
      const key = `${own}${isParenthesised ? '()' : ''}${tree ? printRelative(tree) : ' ?'}`;
      const shared = known.get(key);
      if (!shared) known.set(key, record);
      return shared ?? record;
    });
  });
}

function parse(text: string, sheet: number, at: CellPosition, scope: Scope): Node | null {
  try {
    const tree = parseFormula(text, at);
    return text.includes('[') ? nameTables(tree, sheet, at, scope) : tree;
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** References inside their own table get its name. */
export function nameTables(tree: Node, sheet: number, at: CellPosition, scope: Scope): Node {
  const around = scope.tableAround(sheet, at);
  if (!around) return tree;
  const visit = (node: Node): Node =>
    node.type === 'structured' && node.table === null ? { ...node, table: around.name } : mapChildren(node, visit);
  return visit(tree);
}

/** '(a-b)', but not '(a)-(b)'. */
export function standsInParentheses(text: string): boolean {
  const trimmed = text.trim();
  if (!trimmed.startsWith('(') || !trimmed.endsWith(')')) return false;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < trimmed.length - 1; at += 1) {
    const char = trimmed[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth === 0) return false;
    }
  }
  return true;
}
