/** Resizes a table of a loaded model by writing its cells, for engines that do not support tables. */
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from '../engine.ts';
import { precedents } from '../graph/precedents.ts';
import type { Scope, TableShape } from '../graph/scope.ts';
import { dataRows } from '../graph/scope.ts';
import { hasFixedRows, intersectBlocks } from '../syntax/areas.ts';
import type { Node } from '../syntax/ast.ts';
import { parseFormula } from '../syntax/parser.ts';
import { printRelative } from '../syntax/printer.ts';

import type { CellValue } from '../values/cell-value.ts';
import type { EngineFormula, FormulaCells, PlacedFormula } from './formula-cells.ts';
import { followTable, rebase, resizedTable } from './resize-table.ts';

/** A model whose cells can be written one by one. */
export interface ResizableModel {
  tables: readonly TableShape[];
  scope: Scope;
  readonly formulas: FormulaCells;
  /** True if the cell has no value, formula or spilled value. */
  isEmpty(sheet: number, at: CellPosition): boolean;
  value(sheet: number, row: number, col: number): CellValue;
  setValue(sheet: number, at: CellPosition, value: CellValue): void;
  setFormula(sheet: number, at: CellPosition, formula: EngineFormula): void;
  /** Returns the text passed to the engine for a formula. If it does not change, the formula need not be set again. */
  textOf(formula: EngineFormula, scope: Scope, sheet: number, at: CellPosition): string;
}

export function resizeTable(model: ResizableModel, name: string, rows: number): void {
  const old = model.scope.table(name);
  if (!old) throw new CalculationError('table', `There is no table ${name}`);
  const next = resizedTable(old, rows, model.tables);
  const delta = next.block.bottom - old.block.bottom;
  if (delta === 0) return;
  refuseObstacles(model, old, next);
  const totals = takeTotals(model, old);
  const columns = calculatedColumns(model, old);
  clearBelow(model, old, next);
  const before = model.scope;
  const filled = filledFormulas(columns, { old, next }, before);
  const affected = [...model.formulas.all()].filter((placed) => readsTable(placed, old, before));
  model.tables = model.tables.map((table) => (table === old ? next : table));
  const change = { old, next };
  model.scope = before.with(model.tables, (tree) => followTable(tree, -1, { row: 0, col: 0 }, change, before));
  for (const placed of affected) refreshFormula(model, placed, change, before);
  fillRows(model, old, next, filled);
  putTotals(model, next, totals, change, before);
}

function refuseObstacles(model: ResizableModel, old: TableShape, next: TableShape): void {
  for (let row = old.block.bottom + 1; row <= next.block.bottom; row += 1) {
    for (let col = old.block.left; col <= old.block.right; col += 1) {
      if (model.isEmpty(old.sheet, { row, col })) continue;
      const address = `${model.scope.sheetNames[old.sheet]}!${formatCell(row, col)}`;
      throw new CalculationError('table', `The table ${old.name} cannot grow: ${address} below it is not empty`);
    }
  }
}

interface Totals {
  /** Row offset from the first row below the data. */
  step: number;
  col: number;
  content: { value: CellValue } | { formula: EngineFormula; from: CellPosition };
}

function takeTotals(model: ResizableModel, table: TableShape): Totals[] {
  const totals: Totals[] = [];
  const first = dataRows(table).bottom + 1;
  for (let row = first; row <= table.block.bottom; row += 1) {
    for (let col = table.block.left; col <= table.block.right; col += 1) {
      const formula = model.formulas.get(table.sheet, { row, col });
      const content = formula ? { formula, from: { row, col } } : { value: model.value(table.sheet, row, col) };
      totals.push({ step: row - first, col, content });
      model.setValue(table.sheet, { row, col }, null);
    }
  }
  return totals;
}

function putTotals(
  model: ResizableModel,
  table: TableShape,
  totals: Totals[],
  change: { old: TableShape; next: TableShape },
  before: Scope,
): void {
  const first = dataRows(table).bottom + 1;
  for (const { step, col, content } of totals) {
    const at = { row: first + step, col };
    if ('value' in content) {
      model.setValue(table.sheet, at, content.value);
    } else {
      const { formula, from } = content;
      const tree = formula.tree && rebase(followTable(formula.tree, table.sheet, from, change, before), from, at);
      model.setFormula(table.sheet, at, placedIn(at, formula.kind, tree));
    }
  }
}

/** Returns the formula of each column in which all data rows have the same formula, by sheet column. */
function calculatedColumns(model: ResizableModel, table: TableShape): Map<number, EngineFormula> {
  const filled = new Map<number, EngineFormula>();
  const { top, bottom } = dataRows(table);
  table.columns.forEach(({ calculatedFormula, isArray = false }, index) => {
    const col = table.block.left + index;
    const last = model.formulas.get(table.sheet, { row: bottom, col });
    if (calculatedFormula !== undefined) {
      const formula = last?.tree ? last : parsed(calculatedFormula, isArray, { row: top, col });
      if (formula) filled.set(col, formula);
    } else if (last?.tree && isColumnOf(model, table, col, last.tree)) {
      filled.set(col, last);
    }
  });
  return filled;
}

/**
 * Returns the formulas for new rows. References with only absolute rows follow the table; relative ones keep their
 * distance from each row.
 */
function filledFormulas(
  columns: ReadonlyMap<number, EngineFormula>,
  change: { old: TableShape; next: TableShape },
  scope: Scope,
): Map<number, EngineFormula> {
  const { bottom: row } = dataRows(change.old);
  return new Map(
    [...columns].map(([col, formula]) => {
      const at = { row, col };
      const tree = formula.tree && followTable(formula.tree, change.old.sheet, at, change, scope, hasFixedRows);
      return [col, { ...formula, tree }];
    }),
  );
}

function parsed(text: string, isArray: boolean, at: CellPosition): EngineFormula | null {
  try {
    return placedIn(at, isArray ? 'array' : 'normal', parseFormula(text, at));
  } catch {
    return null;
  }
}

const isArrayKind = (kind: EngineFormula['kind']): boolean => kind === 'array' || kind === 'dynamicArray';

/** Array formulas in tables fill only their own cell. */
function placedIn({ row, col }: CellPosition, kind: EngineFormula['kind'], tree: Node | null): EngineFormula {
  if (!isArrayKind(kind)) return { tree, kind };
  return { tree, kind, block: { top: row, left: col, bottom: row, right: col } };
}

/** True if all data rows have this formula. Programs other than Excel do not declare calculated columns. */
function isColumnOf(model: ResizableModel, table: TableShape, col: number, tree: Node): boolean {
  const { top, bottom } = dataRows(table);
  const text = printRelative(tree);
  for (let row = top; row < bottom; row += 1) {
    const other = model.formulas.get(table.sheet, { row, col })?.tree;
    if (!other || (other !== tree && printRelative(other) !== text)) return false;
  }
  return true;
}

function clearBelow(model: ResizableModel, old: TableShape, next: TableShape): void {
  for (let row = dataRows(next).bottom + 1; row <= dataRows(old).bottom; row += 1) {
    for (let col = old.block.left; col <= old.block.right; col += 1) model.setValue(old.sheet, { row, col }, null);
  }
}

function fillRows(model: ResizableModel, old: TableShape, next: TableShape, filled: Map<number, EngineFormula>): void {
  const from = dataRows(old).bottom + 1;
  for (let row = from; row <= dataRows(next).bottom; row += 1) {
    for (const [col, { tree, kind }] of filled) {
      const at = { row, col };
      model.setFormula(next.sheet, at, placedIn(at, isArrayKind(kind) ? kind : 'normal', tree));
    }
  }
}

function readsTable({ sheet, row, col, formula }: PlacedFormula, table: TableShape, scope: Scope): boolean {
  if (!formula.tree) return false;
  return precedents(formula.tree, sheet, { row, col }, scope).areas.some(
    (area) => area.sheet === table.sheet && intersectBlocks(area.block, table.block) !== null,
  );
}

/** Sets a formula again if the table's new length changes its text. */
function refreshFormula(
  model: ResizableModel,
  { sheet, row, col, formula }: PlacedFormula,
  change: { old: TableShape; next: TableShape },
  before: Scope,
): void {
  const at = { row, col };
  const tree = followTable(formula.tree!, sheet, at, change, before);
  const changed = { ...formula, tree };
  if (model.textOf(changed, model.scope, sheet, at) !== model.textOf(formula, before, sheet, at)) {
    model.setFormula(sheet, at, changed);
  }
}
