/** Parses the formulas of a workbook to trees. Cells with the same relative formula share one tree. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { FormulaModel, WorkbookModel } from '../reader/workbook-model.ts';
import type { Node } from '../syntax/ast.ts';
import { ParseError } from '../syntax/parse-error.ts';
import { parseFormula } from '../syntax/parser.ts';
import { printRelative } from '../syntax/printer.ts';
import { relativeKey } from '../syntax/relative-key.ts';
import { mapChildren } from '../syntax/traverse.ts';
import type { Scope } from './scope.ts';

export type FormulaKind = 'cells' | 'array' | 'dynamic' | 'dataTable';

/** One formula, independent of its cell. */
export interface FormulaRecord {
  readonly sheet: number;
  readonly kind: FormulaKind;
  /** Null if the text cannot be parsed. */
  readonly tree: Node | null;
  /** True if the whole formula is in parentheses. */
  readonly isParenthesised: boolean;
}

const KINDS: Record<FormulaModel['kind'], FormulaKind> = {
  normal: 'cells',
  shared: 'cells',
  filled: 'cells',
  array: 'array',
  dynamicArray: 'dynamic',
  dataTable: 'dataTable',
};

/** Cached per model, because models never change after reading and several callers need their formulas. */
const records = new WeakMap<WorkbookModel, FormulaRecord[][]>();

/**
 * Returns the records by sheet and index in its formula table. Array formulas have their own records. `scope` is that
 * of the model as it was read.
 */
export function formulaRecords(model: WorkbookModel, scope: Scope): FormulaRecord[][] {
  let known = records.get(model);
  if (!known) records.set(model, (known = parseRecords(model, scope)));
  return known;
}

function parseRecords(model: WorkbookModel, scope: Scope): FormulaRecord[][] {
  return model.sheets.map(({ cells }, sheet) => {
    const byKey = new Map<string, FormulaRecord>();
    const byTree = new Map<string, FormulaRecord>();
    return cells.formulaTable.map((formula) => {
      const own = KINDS[formula.kind];
      if (own === 'dataTable' || own === 'array') return recordOf(formula, sheet, scope);
      const key = keyOf(formula, sheet, scope);
      let record = key === null ? undefined : byKey.get(key);
      if (record) return record;
      record = recordOf(formula, sheet, scope);
      const { tree, isParenthesised } = record;
      const printed = `${own}${isParenthesised ? '()' : ''}${tree ? printRelative(tree) : ' ?'}`;
      const same = byTree.get(printed);
      if (same) record = same;
      else byTree.set(printed, record);
      if (key !== null) byKey.set(key, record);
      return record;
    });
  });
}

function recordOf({ kind, text, cell }: FormulaModel, sheet: number, scope: Scope): FormulaRecord {
  const own = KINDS[kind];
  const tree = own === 'dataTable' ? null : parse(text, sheet, cell, scope);
  return { sheet, kind: own, tree, isParenthesised: standsInParentheses(text) };
}

/** The key includes the surrounding table, because references without a table name refer to it. */
function keyOf({ kind, text, cell }: FormulaModel, sheet: number, scope: Scope): string | null {
  const key = relativeKey(text, cell);
  if (key === null) return null;
  const around = text.includes('[') ? (scope.tableAround(sheet, cell)?.name ?? '') : '';
  return `${KINDS[kind] === 'dynamic' ? 'd' : ''}${around}=${key}`;
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

/** Adds the table name to references inside their own table. */
export function nameTables(tree: Node, sheet: number, at: CellPosition, scope: Scope): Node {
  const around = scope.tableAround(sheet, at);
  if (!around) return tree;
  const visit = (node: Node): Node =>
    node.type === 'structured' && node.table === null ? { ...node, table: around.name } : mapChildren(node, visit);
  return visit(tree);
}

/** Returns true for '(a-b)', but not for '(a)-(b)'. */
function standsInParentheses(text: string): boolean {
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
