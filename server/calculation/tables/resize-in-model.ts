/** Resizes a table of a loaded model. */
import { formatCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from '../engine.ts';
import { Book } from '../graph/book.ts';
import type { Evaluator } from '../graph/evaluator.ts';
import type { FormulaRecord } from '../graph/formula-trees.ts';
import { nameTables } from '../graph/formula-trees.ts';
import type { OutOfDate } from '../graph/out-of-date.ts';
import { Regrouping } from '../graph/regroup.ts';
import { dataRows } from '../graph/scope.ts';
import type { Scope, TableShape } from '../graph/scope.ts';
import { hasFixedRows } from '../syntax/areas.ts';
import { parseFormula } from '../syntax/parser.ts';
import { printRelative } from '../syntax/printer.ts';
import type { CellValue } from '../values/cell-value.ts';
import { followGroup } from './follow-groups.ts';
import type { TableChange } from './follow-groups.ts';
import { followTable, rebase, resizedTable } from './resize-table.ts';

/** `isNew` is true if everything will be calculated anyway. */
export function resizeTableOf(
  evaluator: Evaluator,
  outOfDate: OutOfDate,
  isNew: boolean,
  name: string,
  rows: number,
): void {
  const { book, store } = evaluator;
  const old = book.scope.table(name);
  if (!old) throw new CalculationError('table', `There is no table ${name}`);
  const next = resizedTable(old, rows, book.scope.tables);
  if (next.block.bottom === old.block.bottom) return;
  refuseObstacles(evaluator, old, next);
  const change = { old, next };
  const readers = isNew ? [] : readersOf(book, old);
  const regrouping = new Regrouping(book.groups, store);
  const totals = takeTotals(evaluator, old);
  const filled = filledFormulas(calculatedColumns(evaluator, old), change, book.scope);
  book.groups.forEach((group, number) => {
    const parts = followGroup(group, change, book.scope);
    if (parts) regrouping.replace(number, parts);
  });
  clearRows(evaluator, old, dataRows(next).bottom + 1, dataRows(old).bottom);
  fillRows(regrouping, old, next, filled);
  putTotals(evaluator, regrouping, totals, change);
  const tables = book.scope.tables.map((table) => (table === old ? next : table));
  const scope = book.scope.with(tables, (tree) => followTable(tree, -1, { row: 0, col: 0 }, change, book.scope));
  evaluator.book = new Book(book.model, scope, regrouping.groups, book.findFunction);
  evaluator.book.region = book.region;
  evaluator.book.regionOrigin = book.regionOrigin;
  outOfDate.book = evaluator.book;
  if (isNew) return;
  for (const number of [...regrouping.added, ...readers]) outOfDate.mark(number, evaluator.book.groups[number]!);
  outOfDate.changed(old.sheet, { ...old.block, bottom: Math.max(old.block.bottom, next.block.bottom) });
}

/** Returns the groups that read cells of the table before the change. */
function readersOf(book: Book, table: TableShape): number[] {
  const readers = new Set<number>();
  book.dependents.visit(table.sheet, table.block, (group) => readers.add(group));
  return [...readers];
}

function refuseObstacles({ store, book }: Evaluator, old: TableShape, next: TableShape): void {
  for (let row = old.block.bottom + 1; row <= next.block.bottom; row += 1) {
    for (let col = old.block.left; col <= old.block.right; col += 1) {
      if (store.isEmpty(old.sheet, row, col)) continue;
      const address = `${book.scope.sheetNames[old.sheet]}!${formatCell(row, col)}`;
      throw new CalculationError('table', `The table ${old.name} cannot grow: ${address} below it is not empty`);
    }
  }
}

interface Total {
  /** Row offset from the first row below the data. */
  step: number;
  row: number;
  col: number;
  value: CellValue;
  record: FormulaRecord | null;
}

function recordAt({ store, book }: Evaluator, sheet: number, row: number, col: number): FormulaRecord | null {
  const formula = store.formula(sheet, row, col);
  return formula > 0 ? book.groups[formula - 1]!.record : null;
}

/** Removes the totals from the sheet and returns them. */
function takeTotals(evaluator: Evaluator, table: TableShape): Total[] {
  const { sheet, block } = table;
  const first = dataRows(table).bottom + 1;
  const totals: Total[] = [];
  for (let row = first; row <= block.bottom; row += 1) {
    for (let col = block.left; col <= block.right; col += 1) {
      const record = recordAt(evaluator, sheet, row, col);
      totals.push({ step: row - first, row, col, value: evaluator.store.value(sheet, row, col), record });
    }
  }
  clearRows(evaluator, table, first, block.bottom);
  return totals;
}

function putTotals(
  { store, book }: Evaluator,
  regrouping: Regrouping,
  totals: readonly Total[],
  change: TableChange,
): void {
  const { sheet } = change.next;
  const first = dataRows(change.next).bottom + 1;
  for (const { step, row, col, value, record } of totals) {
    const from = { row, col };
    const to = { row: first + step, col };
    if (value !== null) store.set(sheet, to.row, col, value, 0);
    if (!record?.tree) continue;
    const tree = rebase(followTable(record.tree, sheet, from, change, book.scope), from, to);
    regrouping.place(sheet, { ...record, tree }, { top: to.row, left: col, bottom: to.row, right: col });
  }
}

function clearRows({ store }: Evaluator, { sheet, block }: TableShape, from: number, to: number): void {
  for (let row = from; row <= to; row += 1) {
    for (let col = block.left; col <= block.right; col += 1) {
      if (store.isEmpty(sheet, row, col)) continue;
      store.set(sheet, row, col, null, 0);
      store.setFormula(sheet, row, col, 0);
    }
  }
}

/** Returns the formula of each column in which all data rows have the same formula, by sheet column. */
function calculatedColumns(evaluator: Evaluator, table: TableShape): Map<number, FormulaRecord> {
  const filled = new Map<number, FormulaRecord>();
  const { top, bottom } = dataRows(table);
  table.columns.forEach(({ calculatedFormula, isArray = false }, index) => {
    const col = table.block.left + index;
    const last = recordAt(evaluator, table.sheet, bottom, col);
    if (calculatedFormula !== undefined) {
      const kind = isArray ? 'array' : 'cells';
      const record = last?.tree
        ? last
        : parsed(calculatedFormula, kind, table, { row: top, col }, evaluator.book.scope);
      if (record) filled.set(col, record);
    } else if (last?.tree && isWholeColumn(evaluator, table, col)) filled.set(col, last);
  });
  return filled;
}

/**
 * Returns the formulas for new rows. References with only absolute rows follow the table; relative ones keep their
 * distance from each row.
 */
function filledFormulas(
  columns: ReadonlyMap<number, FormulaRecord>,
  change: TableChange,
  scope: Scope,
): Map<number, FormulaRecord> {
  const { sheet } = change.old;
  const { bottom: row } = dataRows(change.old);
  return new Map(
    [...columns].map(([col, record]) => {
      const tree = record.tree && followTable(record.tree, sheet, { row, col }, change, scope, hasFixedRows);
      return [col, tree === record.tree ? record : { ...record, tree }];
    }),
  );
}

function parsed(
  text: string,
  kind: FormulaRecord['kind'],
  { sheet }: TableShape,
  at: { row: number; col: number },
  scope: Scope,
): FormulaRecord | null {
  try {
    const tree = nameTables(parseFormula(text, at), sheet, at, scope);
    return { sheet, kind, tree, isParenthesised: false };
  } catch {
    return null;
  }
}

/** True if all data rows have the same formula. Programs other than Excel do not declare calculated columns. */
function isWholeColumn(evaluator: Evaluator, table: TableShape, col: number): boolean {
  const { store } = evaluator;
  const { top, bottom } = dataRows(table);
  const formula = store.formula(table.sheet, bottom, col);
  const last = recordAt(evaluator, table.sheet, bottom, col);
  const isSame = (row: number): boolean =>
    store.formula(table.sheet, row, col) === formula ||
    // Each array formula has its own group.
    (last?.kind !== 'cells' && isSameFormula(last, recordAt(evaluator, table.sheet, row, col)));
  for (let row = top; row < bottom; row += 1) if (!isSame(row)) return false;
  return true;
}

const isSameFormula = (a: FormulaRecord | null, b: FormulaRecord | null): boolean =>
  a === b ||
  (a?.tree != null && b?.tree != null && a.kind === b.kind && printRelative(a.tree) === printRelative(b.tree));

function fillRows(
  regrouping: Regrouping,
  old: TableShape,
  next: TableShape,
  filled: ReadonlyMap<number, FormulaRecord>,
): void {
  const top = dataRows(old).bottom + 1;
  const { bottom } = dataRows(next);
  if (bottom < top) return;
  for (const [col, record] of filled) {
    const place = (from: number, to: number): void =>
      regrouping.place(next.sheet, record, { top: from, left: col, bottom: to, right: col });
    if (record.kind === 'cells') place(top, bottom);
    else for (let row = top; row <= bottom; row += 1) place(row, row);
  }
}
