/**
 * Calculates cells, and the cells they depend on, on demand. This is the context in which formulas and functions run.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Evaluation } from '../compile/code.ts';
import { CalculationError } from '../engine.ts';
import { CHUNK_BITS, CHUNK_MASK, Flag } from '../kernels/chunk.ts';
import { ColumnIndexes } from '../kernels/column-indexes.ts';
import { RangeCache } from '../kernels/range-cache.ts';
import { RangeTotals } from '../kernels/range-totals.ts';
import { MAX_NESTED_NODES, MAX_STEPS, STEPS_PER_CHECK } from '../kernels/limits.ts';
import type { Store } from '../kernels/store.ts';
import { walkCells, walkHandful } from '../kernels/walk-cells.ts';
import { CellKind } from '../reader/workbook-model.ts';
import type { PivotTable } from '../reader/workbook-model.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { Range } from '../values/matrix.ts';
import { readDaysIn1904 } from '../values/parse-value.ts';
import type { Areas, CellSource, FormulaValue } from '../values/matrix.ts';
import { calculateIn } from '../values/region/region.ts';
import type { RegionalSettings } from '../values/region/region.ts';
import type { Book, ReadyFormula } from './book.ts';
import { CalculationStack, PutOff } from './calculation-stack.ts';
import type { FormulaGroup } from './formula-groups.ts';
import { resolveReference } from './resolve.ts';
import { Results } from './results.ts';
import type { SheetBlock } from './scope.ts';
import type { Spills } from './spills.ts';
import { formatOf, formulaTextOf, hasHidden, isFiltered, isHidden } from './cell-attributes.ts';

/** Up to this many cells are read one by one. */
const HANDFUL = 16;

export class Evaluator implements Evaluation {
  sheet = 0;
  row = 0;
  col = 0;
  filled: CellBlock | null = null;
  frame: FormulaValue[] = [];
  calls = 0;
  now = 0;
  /** The regional settings for the calculation; those of the book if null. */
  region: RegionalSettings | null = null;
  maxSteps = MAX_STEPS;
  readonly store: Store;
  readonly stack = new CalculationStack();
  readonly results: Results;
  readonly totals: RangeTotals;
  readonly columns: ColumnIndexes;
  cached: Evaluation['cached'];
  book: Book;
  rangeCache: RangeCache;
  /** Records the references that functions create at run time; null if nobody needs them. */
  private createdReferences: SheetBlock[] | null = null;
  private steps = 0;
  private nextCheck = STEPS_PER_CHECK;
  private deadline = Infinity;
  private timeLimit = 0;

  constructor(book: Book, store: Store, spills: Spills, rangeCache = new RangeCache()) {
    this.book = book;
    this.store = store;
    this.rangeCache = rangeCache;
    this.results = new Results(store, spills);
    const spend = (steps: number): void => this.spend(steps);
    this.totals = new RangeTotals(store, (sheet, row, col) => void this.cell(sheet, row, col), spend);
    this.columns = new ColumnIndexes(store, spend);
    this.cached = (range, key, build) => this.rangeCache.get(store, range, key, build);
  }

  get cells(): CellSource {
    return this;
  }

  get isMac(): boolean {
    return this.book.model.origin?.program?.includes('Macintosh') ?? false;
  }

  get date1904(): boolean {
    return this.book.model.date1904;
  }

  /** Resets the counters of steps and time. */
  start(timeLimit: number | undefined): void {
    const time = Date.now();
    readDaysIn1904(this.date1904);
    calculateIn(this.region ?? this.book.region);
    this.steps = 0;
    this.nextCheck = STEPS_PER_CHECK;
    this.timeLimit = timeLimit ?? 0;
    this.deadline = timeLimit === undefined ? Infinity : time + timeLimit;
    const local = time - new Date(time).getTimezoneOffset() * 60_000;
    this.now = local / 86_400_000 + 25_569;
  }

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps >= this.nextCheck) this.checkLimits();
  }

  private checkLimits(): void {
    this.nextCheck = this.steps + STEPS_PER_CHECK;
    if (this.steps > this.maxSteps) throw new CalculationError('limit', 'The calculation takes too many steps');
    if (Date.now() > this.deadline) {
      throw new CalculationError('limit', `The calculation took longer than ${this.timeLimit} ms`);
    }
  }

  cell(sheet: number, row: number, col: number): CellValue {
    const column = this.store.sheets[sheet]!.columns[col];
    if (column === undefined) return null;
    const chunk = column.chunks[row >> CHUNK_BITS];
    if (chunk === undefined) return null;
    const at = row & CHUNK_MASK;
    if (at >= chunk.size) return null;
    const kind = chunk.kinds[at]!;
    if (kind === CellKind.Number) return chunk.numbers[at]!;
    if (kind >= Flag.Dirty) return this.demand(sheet, row, col, kind);
    return chunk.value(at);
  }

  usedRows(sheet: number): number {
    return this.store.sheets[sheet]!.usedRows;
  }

  usedCols(sheet: number): number {
    return this.store.sheets[sheet]!.usedCols;
  }

  eachCell(
    sheet: number,
    block: CellBlock,
    visit: (value: CellValue, row: number, col: number) => boolean | void,
  ): void {
    const rows = Math.min(block.bottom + 1, this.usedRows(sheet)) - block.top;
    const cols = Math.min(block.right + 1, this.usedCols(sheet)) - block.left;
    if (rows <= 0 || cols <= 0) return;
    this.spend(rows * cols);
    if (rows * cols <= HANDFUL) walkHandful(this, sheet, block, visit);
    else walkCells(this.store, sheet, block, visit, (row, col) => this.cell(sheet, row, col));
  }

  /**
   * Returns the value of an outdated cell after calculating it. Handles a circular reference if the cell is already
   * being calculated. Throws PutOff if the stack is too deep.
   */
  demand(sheet: number, row: number, col: number, state: number): CellValue {
    const { stack } = this;
    if (state >= Flag.Busy) return stack.circularReference(this.store, sheet, row, col);
    if (stack.level > 1 && stack.nested > MAX_NESTED_NODES) {
      const cell = stack.top()!;
      throw new PutOff(cell.sheet, cell.row, cell.col);
    }
    this.calculate(sheet, row, col);
    return this.store.value(sheet, row, col);
  }

  /** Calculates an outdated cell, or the array formula it belongs to. */
  calculate(sheet: number, row: number, col: number): void {
    const formula = this.store.formula(sheet, row, col);
    if (formula > 0) {
      const group = this.book.groups[formula - 1]!;
      if (group.record.kind === 'array') this.calculateArray(formula - 1, group);
      else this.calculateCell(formula - 1, group, row, col);
    } else if (formula < 0) this.calculateSpilled(-formula - 1, sheet, row, col);
    else this.store.clearFlags(sheet, row, col, Flag.Dirty);
  }

  private calculateCell(number: number, group: FormulaGroup, row: number, col: number): void {
    const { store, stack } = this;
    const { sheet, record } = group;
    const ready = this.book.formula(record);
    const chunk = store.writable(sheet, row, col);
    const at = row & CHUNK_MASK;
    chunk.kinds[at]! |= Flag.Busy;
    const value = this.run(ready, sheet, row, col);
    if (record.kind === 'dynamic') this.results.putDynamic(number, group, value, this, this.book.scope);
    else chunk.set(at, typeof value === 'object' || value === undefined ? this.results.cellValue(value) : value, 0);
    stack.level -= 1;
    stack.nested -= ready.depth;
  }

  private calculateArray(number: number, group: FormulaGroup): void {
    const { sheet, top, left, record } = group;
    const state = this.store.state(sheet, top, left);
    if (state >= Flag.Busy) {
      this.stack.circularReference(this.store, sheet, top, left);
      return;
    }
    const ready = this.book.formula(record);
    this.store.addFlags(sheet, top, left, Flag.Busy);
    const value = this.run(ready, sheet, top, left, group);
    this.store.clearFlags(sheet, top, left, Flag.Busy);
    this.results.putArray(number, group, value, this);
    this.stack.level -= 1;
    this.stack.nested -= ready.depth;
  }

  /** Calculates a value of another cell's dynamic array: once the array is calculated, this cell is up to date. */
  private calculateSpilled(number: number, sheet: number, row: number, col: number): void {
    const anchor = this.book.groups[number]!;
    const state = this.store.state(sheet, anchor.top, anchor.left);
    if (state >= Flag.Dirty) this.demand(sheet, anchor.top, anchor.left, state);
    if (this.store.state(sheet, row, col) >= Flag.Dirty) this.store.clearFlags(sheet, row, col, Flag.Dirty);
  }

  private run(
    ready: ReadyFormula,
    sheet: number,
    row: number,
    col: number,
    filled: CellBlock | null = null,
  ): FormulaValue {
    const { stack, frame, filled: outerFilled } = this;
    const outerSheet = this.sheet;
    const outerRow = this.row;
    const outerCol = this.col;
    stack.push(sheet, row, col);
    stack.nested += ready.depth;
    this.sheet = sheet;
    this.row = row;
    this.col = col;
    this.filled = filled;
    if (ready.frameSize > 0) this.frame = [];
    this.spend(1);
    const value = ready.code(this);
    this.frame = frame;
    this.filled = outerFilled;
    this.sheet = outerSheet;
    this.row = outerRow;
    this.col = outerCol;
    return value;
  }

  isBusy(sheet: number, row: number, col: number): boolean {
    return this.store.state(sheet, row, col) >= Flag.Busy;
  }

  spillOf(sheet: number, row: number, col: number): CellBlock | null {
    const state = this.store.state(sheet, row, col);
    if (state >= Flag.Dirty) this.demand(sheet, row, col, state);
    const formula = this.store.formula(sheet, row, col);
    if (formula <= 0) return null;
    const group = this.book.groups[formula - 1]!;
    if (group.record.kind === 'array') {
      const { top, left, bottom, right } = group;
      return { top, left, bottom, right };
    }
    if (group.record.kind === 'dataTable') return null;
    // Any other formula fills at least its own cell, as in Excel.
    return this.results.spills.get(formula - 1)?.block ?? { top: row, left: col, bottom: row, right: col };
  }

  random(): number {
    return Math.random();
  }

  range(sheet: number, block: CellBlock): Range {
    this.createdReferences?.push({ sheet, block });
    return new Range(this, sheet, block);
  }

  resolve(text: string, a1: boolean): Range | Areas | CellError {
    const found = resolveReference(this, this.book, text, a1);
    if (this.createdReferences && !(found instanceof CellError))
      this.createdReferences.push(...(found instanceof Range ? [found] : found.ranges));
    return found;
  }

  /** Recalculates the formula of a cell and returns the references that its functions create at run time. */
  referencesOf(sheet: number, row: number, col: number): SheetBlock[] {
    const formula = this.store.formula(sheet, row, col);
    if (formula <= 0) return [];
    const ready = this.book.formula(this.book.groups[formula - 1]!.record);
    const created: SheetBlock[] = [];
    this.createdReferences = created;
    try {
      this.run(ready, sheet, row, col);
      this.stack.level -= 1;
      this.stack.nested -= ready.depth;
    } finally {
      this.createdReferences = null;
    }
    return created;
  }

  sheetNames(): readonly string[] {
    return this.book.scope.sheetNames;
  }

  formulaText(sheet: number, row: number, col: number): string | null {
    return formulaTextOf(this.book, this.store, sheet, row, col);
  }

  formulaBelow(sheet: number, row: number, col: number, down: number): FormulaValue {
    const formula = this.store.formula(sheet, row, col);
    if (formula <= 0) return undefined;
    const { code, frameSize } = this.book.formula(this.book.groups[formula - 1]!.record);
    const { sheet: outerSheet, row: outerRow, col: outerCol, frame } = this;
    this.sheet = sheet;
    this.row = row + down;
    this.col = col;
    if (frameSize > 0) this.frame = [];
    this.spend(1);
    const value = code(this);
    this.frame = frame;
    this.sheet = outerSheet;
    this.row = outerRow;
    this.col = outerCol;
    return value;
  }

  isSubtotal(sheet: number, row: number, col: number): boolean {
    const formula = this.store.formula(sheet, row, col);
    return formula > 0 && this.book.formula(this.book.groups[formula - 1]!.record).traits.isSubtotal;
  }

  isRowHidden(sheet: number, row: number): boolean {
    return isHidden(this.book.model.sheets[sheet]!.hiddenRows, row);
  }

  hasHiddenRows(sheet: number, top: number, bottom: number): boolean {
    return hasHidden(this.book.model.sheets[sheet]!.hiddenRows, top, bottom);
  }

  isRowFiltered(sheet: number, row: number): boolean {
    return isFiltered(this.book.model, sheet, row);
  }

  pivotTables(): readonly PivotTable[] {
    return this.book.model.pivotTables ?? [];
  }

  numberFormat(sheet: number, row: number, col: number): string {
    return formatOf(this.book.model, sheet, row, col);
  }
}
