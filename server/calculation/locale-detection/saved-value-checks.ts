/**
 * Finds formulas whose saved values show the regional settings they were calculated with: formulas that convert numbers
 * or dates to text or parse such texts. Each is calculated from the saved values of the cells it reads.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { sameValue } from '../compare-values.ts';
import { CalculationError } from '../engine.ts';
import type { Book } from '../graph/book.ts';
import { Evaluator } from '../graph/evaluator.ts';
import type { FormulaGroup } from '../graph/formula-groups.ts';
import type { FormulaRecord } from '../graph/formula-trees.ts';
import { coveredBlock } from '../graph/reads.ts';
import { Spills } from '../graph/spills.ts';
import { SheetStore, Store } from '../kernels/store.ts';
import { CellKind } from '../reader/workbook-model.ts';
import type { Node } from '../syntax/ast.ts';
import { walk } from '../syntax/traverse.ts';
import type { CellValue } from '../values/cell-value.ts';
import type { RegionalSettings } from '../values/region/region.ts';

export interface SavedValueCheck {
  sheet: number;
  row: number;
  col: number;
  saved: CellValue;
}

const FUNCTIONS = new Set(
  (
    'TEXT,VALUE,DATEVALUE,TIMEVALUE,DOLLAR,FIXED,NUMBERVALUE,FORMULATEXT,VALUETOTEXT,ARRAYTOTEXT,' +
    'LEFTB,RIGHTB,MIDB,LENB,FINDB,SEARCHB,REPLACEB'
  ).split(','),
);
/** '1-4-2023', '4,3', '>=1,5': a text that regions parse differently. */
const LOCAL_NUMBER = /^[<>=\s(+-]{0,4}\D{0,4}\d+(?:[.,/\-\u00a0\u202f ]\d+)+\D{0,4}$/;
const LOCAL_MONEY = /^\p{Sc} ?\d+$|^\d+ ?\p{Sc}$/u;
/** 'May-25' is a day or a month. */
const LOCAL_MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[-/ ]\d\d$/i;
const MAX_LOCAL_TEXT_LENGTH = 30;
/** A number with a decimal separator in the result of a formula. */
const DECIMAL = /\d[.,]\d/;

/** Limits of the search; more checks would not give more evidence. */
const MAX_CHECKS = 600;
const MAX_CHECKS_PER_GROUP = 16;
const MAX_TEXTS = 48;
const MAX_TEXT_CELLS = 10_000;
const MAX_CELLS_READ = 4_000;
/** Limit for formulas that read more cells. They are checked last, if the others leave part of the overall limit. */
const MAX_CELLS_READ_LAST = 20_000;
const MAX_TOTAL_CELLS_READ = 40_000;
const MAX_STEPS = 1_000_000;

/**
 * Returns cells whose formulas may give evidence, with their saved values. They are in formula order and always the
 * same for the same file.
 */
export function findSavedValueChecks(book: Book, store: Store): SavedValueCheck[] {
  const checks = new Map<string, SavedValueCheck>();
  const large: (() => void)[] = [];
  let maxCellsRead = MAX_CELLS_READ;
  let cellsLeft = MAX_TOTAL_CELLS_READ;
  const add = (number: number, row: number, col: number): void => {
    const { sheet, record } = book.groups[number]!;
    if (checks.size >= MAX_CHECKS || store.formula(sheet, row, col) !== number + 1) return;
    const saved = store.value(sheet, row, col);
    const key = `${sheet}:${row}:${col}`;
    if (saved === null || checks.has(key)) return;
    const cells = cellsRead(book, store, record, row, col);
    if (cells > maxCellsRead && cells <= MAX_CELLS_READ_LAST) large.push(() => add(number, row, col));
    if (cells > Math.min(maxCellsRead, cellsLeft)) return;
    cellsLeft -= cells;
    checks.set(key, { sheet, row, col, saved });
  };
  const localRecords = new Map<FormulaRecord, boolean>();
  book.groups.forEach((group, number) => {
    const { record, sheet } = group;
    if (record.kind === 'array' || record.kind === 'dataTable' || !record.tree) return;
    let isLocalRecord = localRecords.get(record);
    if (isLocalRecord === undefined) localRecords.set(record, (isLocalRecord = isLocal(record.tree)));
    const count = Math.min(sizeOf(group), MAX_CHECKS_PER_GROUP);
    for (let index = 0; index < count; index += 1) {
      const { row, col } = sample(group, index / count);
      const value = isLocalRecord ? null : store.value(sheet, row, col);
      if (isLocalRecord || (typeof value === 'string' && DECIMAL.test(value))) add(number, row, col);
    }
  });
  visitReadTexts(book, add);
  maxCellsRead = MAX_CELLS_READ_LAST;
  for (const addLarge of large) addLarge();
  return [...checks.values()];
}

function isLocal(tree: Node): boolean {
  let found = false;
  walk(tree, (node) => {
    if (node.type === 'call') found ||= FUNCTIONS.has(node.name);
    else if (node.type === 'text') found ||= isLocalText(node.value);
    return !found;
  });
  return found;
}

const isLocalText = (text: string): boolean =>
  text.length >= 2 &&
  text.length <= MAX_LOCAL_TEXT_LENGTH &&
  (LOCAL_NUMBER.test(text) || LOCAL_MONEY.test(text) || LOCAL_MONTH.test(text));

const sizeOf = ({ top, left, bottom, right }: CellBlock): number => (bottom - top + 1) * (right - left + 1);

/** Returns the cell at a fraction (from 0, below 1) of a group. */
function sample(group: FormulaGroup, part: number): { row: number; col: number } {
  const { top, left, right } = group;
  const cols = right - left + 1;
  const at = Math.floor(part * sizeOf(group));
  return { row: top + Math.floor(at / cols), col: left + (at % cols) };
}

/** Returns the number of used cells that a cell's formula reads; Infinity if unknown or if the formula is volatile. */
function cellsRead(book: Book, store: Store, record: FormulaRecord, row: number, col: number): number {
  const { reads, unknown } = book.readsOf(record);
  if (unknown || book.formula(record).traits.volatile) return Infinity;
  let cells = 0;
  for (const read of reads) {
    const block = coveredBlock(read, { top: row, left: col, bottom: row, right: col });
    const bottom = Math.min(block.bottom, store.sheets[read.sheet]!.usedRows - 1);
    if (bottom >= block.top) cells += sizeOf({ ...block, bottom });
  }
  return cells;
}

/** Calls `visit` with formulas that read texts which regions parse differently, for each such text once. */
function visitReadTexts(book: Book, visit: (group: number, row: number, col: number) => void): void {
  const { model } = book;
  const isLocalAt = model.strings.map(isLocalText);
  if (!isLocalAt.includes(true)) return;
  const seen = new Set<number>();
  let examined = 0;
  for (const [sheet, { cells }] of model.sheets.entries()) {
    for (let at = 0; at < cells.count && seen.size < MAX_TEXTS && examined < MAX_TEXT_CELLS; at += 1) {
      const text = cells.values[at]!;
      if (cells.kinds[at] !== CellKind.Text || !isLocalAt[text] || seen.has(text)) continue;
      examined += 1;
      const [row, col] = [cells.rows[at]!, cells.cols[at]!];
      book.dependents.visit(sheet, { top: row, left: col, bottom: row, right: col }, (number, read) => {
        if (book.groups[number]!.record.kind !== 'cells') return;
        seen.add(text);
        visit(number, read.top, read.left);
      });
    }
  }
}

/** Compares saved values with the results of their formulas in a region. `store` contains the saved values. */
export class LocaleCheck {
  private readonly book: Book;
  private readonly saved: Store;

  constructor(book: Book, store: Store, checks: readonly SavedValueCheck[]) {
    this.book = book;
    this.saved = savedCells(book, store, checks);
  }

  /** Returns the checks whose formulas give their saved values in the region. */
  explained(checks: readonly SavedValueCheck[], region: RegionalSettings): SavedValueCheck[] {
    const evaluator = new Evaluator(this.book, this.saved.copy(), new Spills());
    evaluator.region = region;
    evaluator.maxSteps = MAX_STEPS;
    evaluator.start(undefined);
    return checks.filter(({ sheet, row, col, saved }) => {
      try {
        return sameValue(saved, evaluator.results.cellValue(evaluator.formulaBelow(sheet, row, col, 0)));
      } catch (error) {
        if (error instanceof CalculationError) return false;
        throw error;
      }
    });
  }
}

/** Creates a store with the cells of the checks and the cells they read, all marked as up to date. */
function savedCells(book: Book, store: Store, checks: readonly SavedValueCheck[]): Store {
  const saved = new Store(store.sheets.map(() => new SheetStore()));
  const take = (sheet: number, { top, left, bottom, right }: CellBlock): void => {
    for (let row = top; row <= Math.min(bottom, store.sheets[sheet]!.usedRows - 1); row += 1) {
      for (let col = left; col <= right; col += 1) {
        const value = store.value(sheet, row, col);
        const formula = store.formula(sheet, row, col);
        if (value !== null || formula !== 0) saved.set(sheet, row, col, value, 0);
        if (formula > 0) saved.setFormula(sheet, row, col, formula);
      }
    }
  };
  for (const { sheet, row, col } of checks) {
    const own = { top: row, left: col, bottom: row, right: col };
    take(sheet, own);
    const { record } = book.groups[store.formula(sheet, row, col) - 1]!;
    for (const read of book.readsOf(record).reads) take(read.sheet, coveredBlock(read, own));
  }
  return saved;
}
