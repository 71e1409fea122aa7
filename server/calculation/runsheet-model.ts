/** A calculating workbook: cells, formula groups, and what must be recalculated. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from './engine.ts';
import type { CalculationBounds, CalculationModel, CellEdit } from './engine.ts';
import { Book } from './graph/book.ts';
import type { FindFunction } from './graph/book.ts';
import type { SheetCell } from './graph/calculation-stack.ts';
import { calculateDataTable, edgeBlocks, formulaBlock } from './graph/data-tables.ts';
import type { DataTable } from './graph/data-tables.ts';
import { editCells } from './graph/edits.ts';
import { Evaluator } from './graph/evaluator.ts';
import { withLinkedSheets } from './graph/external-books.ts';
import { formulaAt } from './graph/formula-at.ts';
import type { CellFormula } from './cell-formula.ts';
import { groupFormulas } from './graph/formula-groups.ts';
import { formulaRecords } from './graph/formula-trees.ts';
import { loadStore } from './graph/load-store.ts';
import { neededComponents } from './graph/needed.ts';
import { OutOfDate } from './graph/out-of-date.ts';
import { evaluatePlaced } from './graph/placed-formulas.ts';
import type { PlacedFormula, PlacedResult } from './placed-formula.ts';
import { calculateAll } from './graph/scheduler.ts';
import { SavedResults } from './graph/saved-results.ts';
import { Scope } from './graph/scope.ts';
import type { SheetBlock } from './graph/scope.ts';
import { Spills } from './graph/spills.ts';
import type { TableChange } from './tables/follow-groups.ts';
import { resizeTableOf } from './tables/resize-in-model.ts';
import type { WorkbookModel, WorkbookRegion } from './reader/workbook-model.ts';
import { resolveRegion } from './locale-detection/workbook-region.ts';
import type { CellValue } from './values/cell-value.ts';

export function loadModel(model: WorkbookModel, findFunction: FindFunction): CalculationModel {
  const scope = new Scope(model);
  const records = formulaRecords(model, scope);
  const groups = model.sheets.flatMap(({ cells }, sheet) => groupFormulas(sheet, cells, records[sheet]!));
  const spills = new Spills();
  groups.forEach(({ sheet, spill }, number) => {
    if (spill) spills.set(number, { sheet, block: spill, wanted: spill });
  });
  const all = withLinkedSheets(model);
  const book = new Book(all, scope, groups, findFunction, new SavedResults(model, groups));
  const store = loadStore(all, groups);
  const { settings, region } = resolveRegion(book, store);
  book.region = settings;
  book.regionOrigin = region;
  const evaluator = new Evaluator(book, store, spills);
  return new RunsheetModel(evaluator, { isNew: true, isAsSaved: true, blocks: new Map(), circular: [] });
}

/** Work for the next recalculation. */
interface Pending {
  /** True if nothing has been calculated yet. */
  isNew: boolean;
  /** True if nothing has been written yet either. */
  isAsSaved: boolean;
  /** Cells that are out of date, by group. */
  blocks: Map<number, CellBlock[]>;
  /** Cells with circular references in the last calculation. */
  circular: SheetCell[];
}

class RunsheetModel implements CalculationModel {
  private readonly evaluator: Evaluator;
  private readonly outOfDate: OutOfDate;
  private readonly pending: Pending;
  private lastNeeded: { book: Book; only: object; needed: ReadonlySet<number> | null } | null = null;
  /** Changes of tables since the file was loaded, oldest first. */
  private readonly tableChanges: TableChange[];

  constructor(evaluator: Evaluator, pending: Pending, tableChanges: readonly TableChange[] = []) {
    this.evaluator = evaluator;
    this.pending = pending;
    this.tableChanges = [...tableChanges];
    const { book, store, results } = evaluator;
    this.outOfDate = new OutOfDate(book, store, results.spills, pending.blocks);
  }

  copy(): RunsheetModel {
    const { book, store, results, rangeCache } = this.evaluator;
    const { isNew, isAsSaved, blocks, circular } = this.pending;
    const evaluator = new Evaluator(book, store.copy(), results.spills.copy(), rangeCache.copy());
    const copied = new Map([...blocks].map(([group, own]) => [group, own.slice()]));
    return new RunsheetModel(
      evaluator,
      { isNew, isAsSaved, blocks: copied, circular: circular.slice() },
      this.tableChanges,
    );
  }

  setCells(edits: readonly CellEdit[]): void {
    this.pending.isAsSaved = false;
    editCells(this.evaluator, this.pending.isNew ? null : this.outOfDate, edits);
  }

  resizeTable(table: string, dataRows: number): void {
    this.pending.isAsSaved = false;
    const old = this.evaluator.book.scope.table(table);
    resizeTableOf(this.evaluator, this.outOfDate, this.pending.isNew, table, dataRows);
    const next = this.evaluator.book.scope.table(table);
    if (old && next && old !== next) this.tableChanges.push({ old, next });
  }

  tableBlock(table: string): CellBlock {
    const found = this.evaluator.book.scope.table(table);
    if (!found) throw new CalculationError('table', `There is no table ${table}`);
    return found.block;
  }

  recalculate({ timeLimit, only }: CalculationBounds = {}): void {
    const start = Date.now();
    this.evaluator.stack.nonConverged.length = 0;
    this.calculate(timeLimit, only ? this.neededFor(only) : null);
    for (const table of this.evaluator.book.dataTables) {
      const timeLeft = timeLimit === undefined ? undefined : timeLimit - (Date.now() - start);
      this.tryOut(table, timeLeft);
    }
    this.refuseCircularReferences();
  }

  /** Returns the components that the cells depend on; null for all. */
  private neededFor(only: NonNullable<CalculationBounds['only']>): ReadonlySet<number> | null {
    const { book, results } = this.evaluator;
    // What-if tables vary any cells, and arrays that spill may reach any.
    if (book.dataTables.length > 0 || book.hasDynamicArrays) return null;
    if (this.lastNeeded?.book !== book || this.lastNeeded.only !== only) {
      this.lastNeeded = { book, only, needed: neededComponents(book, results.spills, only) };
    }
    return this.lastNeeded.needed;
  }

  /** Calculates a what-if table on a copy, then the formulas that read it. */
  private tryOut(table: DataTable, timeLimit: number | undefined): void {
    const { book, store, results } = this.evaluator;
    const { sheet, block } = table;
    const end = timeLimit === undefined ? undefined : Date.now() + timeLimit;
    const timeLeft = (): number | undefined => (end === undefined ? undefined : end - Date.now());
    const copy = this.copy();
    const cells = [formulaBlock(table), ...edgeBlocks(table)].map((own) => ({ sheet, block: own }));
    const needed = neededComponents(book, results.spills, cells);
    const trial = {
      setCells: (edits: readonly CellEdit[]) => copy.setCells(edits),
      calculate: () => copy.calculate(timeLeft(), needed),
      value: (own: number, row: number, col: number) => copy.value(own, row, col),
    };
    let isChanged = false;
    calculateDataTable(table, trial, (row, col, value) => {
      if (store.formula(sheet, row, col) !== 0 || store.value(sheet, row, col) === value) return;
      store.set(sheet, row, col, value, 0);
      isChanged = true;
    });
    if (!isChanged) return;
    this.outOfDate.changed(sheet, block);
    this.calculate(timeLeft());
  }

  private calculate(timeLimit: number | undefined, needed: ReadonlySet<number> | null = null): void {
    const { evaluator, outOfDate, pending } = this;
    const { book, stack } = evaluator;
    evaluator.start(timeLimit);
    stack.iterates = book.model.iteration.enabled;
    stack.isAsSaved = pending.isNew && pending.isAsSaved;
    stack.forgetCircularReferences();
    if (pending.isNew) {
      outOfDate.markAll();
      pending.isNew = false;
    } else {
      for (const number of book.volatile) outOfDate.mark(number, book.groups[number]!);
      for (const { sheet, row, col } of pending.circular) this.markCell(sheet, row, col);
    }
    calculateAll(evaluator, outOfDate, needed);
    pending.circular = stack.circularReferences.flat();
  }

  private markCell(sheet: number, row: number, col: number): void {
    const formula = this.evaluator.store.formula(sheet, row, col);
    if (formula > 0) this.outOfDate.mark(formula - 1, { top: row, left: col, bottom: row, right: col });
  }

  private refuseCircularReferences(): void {
    const { sheetNames } = this.evaluator.book.scope;
    const cells = this.pending.circular.map(({ sheet, row, col }) => `${sheetNames[sheet]}!${formatCell(row, col)}`);
    if (cells.length === 0) return;
    const names = [...new Set(cells)];
    const more = names.length > 5 ? ', …' : '';
    throw new CalculationError('circular', `Formulas depend on themselves: ${names.slice(0, 5).join(', ')}${more}`);
  }

  value(sheet: number, row: number, col: number): CellValue {
    return this.evaluator.store.value(sheet, row, col);
  }

  values(sheet: number, block: CellBlock): CellValue[][] {
    const rows: CellValue[][] = [];
    for (let row = block.top; row <= block.bottom; row += 1) {
      const values: CellValue[] = [];
      for (let col = block.left; col <= block.right; col += 1) values.push(this.value(sheet, row, col));
      rows.push(values);
    }
    return rows;
  }

  spillBlock(sheet: number, row: number, col: number): CellBlock | null {
    const formula = this.evaluator.store.formula(sheet, row, col);
    return formula > 0 ? (this.evaluator.results.spills.get(formula - 1)?.block ?? null) : null;
  }

  nonConverged(): readonly SheetCell[] {
    return [...this.pending.circular, ...this.evaluator.stack.nonConverged];
  }

  formulaAt(sheet: number, row: number, col: number): CellFormula | null {
    return formulaAt(this.evaluator, sheet, row, col);
  }

  evaluate(formula: PlacedFormula, at: CellPosition, { timeLimit, now }: CalculationBounds = {}): PlacedResult {
    this.evaluator.start(timeLimit);
    if (now !== undefined) this.evaluator.now = now;
    return evaluatePlaced(this.evaluator, formula, at, this.tableChanges);
  }

  get region(): string {
    return this.evaluator.book.region.id;
  }

  get regionOrigin(): WorkbookRegion {
    return this.evaluator.book.regionOrigin;
  }

  referencesOf(sheet: number, row: number, col: number): SheetBlock[] {
    return this.evaluator.referencesOf(sheet, row, col);
  }

  /** No memory is held outside the JavaScript heap. */
  dispose(): void {}
}
