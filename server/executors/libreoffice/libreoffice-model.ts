/**
 * A workbook calculated by an office process. The model records everything written to it. It opens a document when it
 * first calculates or reads, and reopens it if the office process has ended since.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell, MAX_COLS } from '#shared/codecs/cell-address.ts';
import type { CalculationBounds, CalculationModel, CellEdit } from '#server/calculation/engine.ts';
import { CalculationError } from '#server/calculation/engine.ts';
import type { FormulaCell, FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import type { Scope, TableShape } from '#server/calculation/graph/scope.ts';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { FormulaCells } from '#server/calculation/tables/formula-cells.ts';
import type { EngineFormula } from '#server/calculation/tables/formula-cells.ts';
import { resizeTable } from '#server/calculation/tables/resize-by-cells.ts';
import type { ResizableModel } from '#server/calculation/tables/resize-by-cells.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { OfficeBook } from './office-book.ts';
import type { OfficeClient } from './office-client.ts';
import { OfficeGone } from './office-client.ts';
import { Overlay } from './overlay.ts';
import type { Content } from './overlay.ts';
import { workbookFile } from './workbook-file.ts';

/** State shared by a loaded workbook and all its copies. */
export interface LoadedBook {
  client: OfficeClient;
  model: WorkbookModel;
  index: FormulaIndex;
  /** Formulas that close a circular reference. */
  circularCells: FormulaCell[];
}

interface Shared extends LoadedBook {
  /** A document restored to the file's contents that a disposed copy left behind; the next copy reuses it. */
  spare: OfficeBook | null;
}

export class LibreOfficeModel implements CalculationModel, ResizableModel {
  private readonly shared: Shared;
  private readonly overlay: Overlay;
  readonly formulas: FormulaCells;
  tables: readonly TableShape[];
  scope: Scope;
  /** The document, and the edits not yet sent to it. */
  private book: OfficeBook | null = null;
  private waiting: CellEdit[] = [];
  /** True if formulas or tables were changed, so that the document must be rebuilt. */
  private isRebuilt = false;

  private constructor(shared: Shared, from: LibreOfficeModel | null) {
    this.shared = shared;
    this.overlay = from ? from.overlay.copy() : new Overlay();
    this.formulas = from ? from.formulas.copy() : new FormulaCells(shared.index);
    this.tables = from ? from.tables : shared.model.tables;
    this.scope = from ? from.scope : shared.index.scope;
    this.isRebuilt = from?.isRebuilt ?? false;
  }

  static of(book: LoadedBook): LibreOfficeModel {
    return new LibreOfficeModel({ ...book, spare: null }, null);
  }

  /** Opens the document immediately instead of at the first calculation. */
  open(): void {
    this.withBook(() => undefined);
  }

  copy(): LibreOfficeModel {
    return new LibreOfficeModel(this.shared, this);
  }

  setCells(edits: readonly CellEdit[]): void {
    for (const { sheet, row, col, value } of edits) this.setValue(sheet, { row, col }, value);
  }

  setValue(sheet: number, at: CellPosition, value: CellValue): void {
    this.formulas.set(sheet, at, null);
    this.overlay.set(sheet, at, { value });
    if (this.book) this.waiting.push({ sheet, ...at, value });
  }

  setFormula(sheet: number, at: CellPosition, formula: EngineFormula): void {
    this.formulas.set(sheet, at, formula);
    this.overlay.set(sheet, at, { formula });
    this.rebuild();
  }

  isEmpty(sheet: number, at: CellPosition): boolean {
    return this.formulas.get(sheet, at) === null && (this.constant(sheet, at) ?? '') === '';
  }

  textOf({ tree }: EngineFormula, _scope: Scope, _sheet: number, at: CellPosition): string {
    return tree ? printFormula(tree, at) : '';
  }

  resizeTable(table: string, dataRows: number): void {
    resizeTable(this, table, dataRows);
    this.rebuild();
  }

  tableBlock(table: string): CellBlock {
    const found = this.scope.table(table);
    if (!found) throw new CalculationError('table', `There is no table ${table}`);
    return found.block;
  }

  recalculate({ timeLimit }: CalculationBounds = {}): void {
    const end = timeLimit === undefined ? undefined : Date.now() + timeLimit;
    this.withBook((book) => book.calculate(end === undefined ? undefined : Math.max(1, end - Date.now())), timeLimit);
    this.refuseCircularReferences();
  }

  private refuseCircularReferences(): void {
    const cells = this.shared.circularCells.filter((cell) => this.formulas.get(cell.sheet, cell));
    if (cells.length === 0) return;
    const circular = this.withBook((book) => cells.filter(({ sheet, row, col }) => book.isCircular(sheet, row, col)));
    if (circular.length === 0) return;
    const { sheets } = this.shared.model;
    const addresses = circular
      .slice(0, 5)
      .map(({ sheet, row, col }) => `${sheets[sheet]!.name}!${formatCell(row, col)}`);
    const more = circular.length > 5 ? ', …' : '';
    throw new CalculationError('circular', `Formulas depend on themselves: ${addresses.join(', ')}${more}`);
  }

  value(sheet: number, row: number, col: number): CellValue {
    if (!this.isFormula(sheet, row, col)) return this.constant(sheet, { row, col });
    return this.withBook((book) => book.value(sheet, row, col));
  }

  values(sheet: number, { top, left, bottom, right }: CellBlock): CellValue[][] {
    const rows: CellValue[][] = [];
    for (let row = top; row <= bottom; row += 1) {
      const values: CellValue[] = [];
      for (let col = left; col <= right; col += 1) values.push(this.value(sheet, row, col));
      rows.push(values);
    }
    return rows;
  }

  /** Arrays have the extent they were saved with. */
  spillBlock(sheet: number, row: number, col: number): CellBlock | null {
    const formula = this.formulas.get(sheet, { row, col });
    if (formula?.kind !== 'dynamicArray' || !formula.block) return null;
    const { top, left, bottom, right } = formula.block;
    return bottom > top || right > left ? formula.block : null;
  }

  /** Closes the document, whereas `dispose` retains it for the next copy. */
  close(): void {
    this.book?.close();
    this.book = null;
    this.waiting = [];
  }

  dispose(): void {
    const { book, shared } = this;
    this.book = null;
    if (!book) return;
    if (this.restored(book) && !shared.spare) shared.spare = book;
    else book.close();
  }

  /**
   * Restores the constants of the file in the document. Returns false if formulas were overwritten, the document was
   * rebuilt, or the office process failed.
   */
  private restored(book: OfficeBook): boolean {
    if (this.isRebuilt) return false;
    const edits: CellEdit[] = [];
    for (const sheet of this.overlay.sheets()) {
      for (const { row, col } of this.overlay.cells(sheet)) {
        if (this.isFormulaOfFile(sheet, row, col)) return false;
        edits.push({ sheet, row, col, value: this.savedConstant(sheet, row, col) });
      }
    }
    try {
      book.write(edits);
      return true;
    } catch (error) {
      if (error instanceof OfficeGone || error instanceof CalculationError) return false;
      throw error;
    }
  }

  private rebuild(): void {
    this.isRebuilt = true;
    this.close();
  }

  /** Returns true if a formula, or the array of one, determines the cell's value. */
  private isFormula(sheet: number, row: number, col: number): boolean {
    if (this.formulas.get(sheet, { row, col })) return true;
    return !this.overlay.has(sheet, row, col) && this.isFormulaOfFile(sheet, row, col);
  }

  private isFormulaOfFile(sheet: number, row: number, col: number): boolean {
    let found = false;
    this.shared.index.scan(sheet, { top: row, left: col, bottom: row, right: col }, () => (found = true));
    return found;
  }

  private constant(sheet: number, at: CellPosition): CellValue {
    const written: Content | undefined = this.overlay.get(sheet, at);
    if (written) return 'value' in written ? written.value : null;
    return this.savedConstant(sheet, at.row, at.col);
  }

  private savedConstant(sheet: number, row: number, col: number): CellValue {
    const { sheets, strings } = this.shared.model;
    const { cells } = sheets[sheet]!;
    const at = cellAt(cells, row, col);
    return at < 0 ? null : savedValue(cells, at, strings);
  }

  /** Runs a call on the document. If the office process has ended, retries once with a new document. */
  private withBook<T>(work: (book: OfficeBook) => T, timeLimit?: number): T {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return work(this.upToDate(timeLimit));
      } catch (error) {
        if (!(error instanceof OfficeGone)) throw error;
        this.book = null;
        this.shared.spare = null;
        if (attempt > 0) throw new CalculationError('failed', error.message, { cause: error });
      }
    }
  }

  private upToDate(timeLimit?: number): OfficeBook {
    if (!this.book) {
      this.waiting = [];
      this.book = this.takeSpare() ?? this.newBook(timeLimit);
    }
    if (this.waiting.length > 0) {
      this.book.write(this.waiting);
      this.waiting = [];
    }
    return this.book;
  }

  private takeSpare(): OfficeBook | null {
    const { spare } = this.shared;
    if (!spare || this.isRebuilt) return null;
    this.shared.spare = null;
    for (const sheet of this.overlay.sheets()) {
      for (const { row, col, content } of this.overlay.cells(sheet)) {
        if ('value' in content) this.waiting.push({ sheet, row, col, value: content.value });
      }
    }
    return spare;
  }

  private newBook(timeLimit?: number): OfficeBook {
    const { client, model } = this.shared;
    const { overlay, tables, scope } = this;
    const extents = model.sheets.map((_, sheet) => this.extent(sheet));
    const shape = {
      sheetNames: scope.sheetNames,
      isFormula: (sheet: number, row: number, col: number) => this.isFormula(sheet, row, col),
      extent: (sheet: number) => extents[sheet]!,
    };
    return OfficeBook.open(client, shape, workbookFile({ model, overlay, tables, scope }), timeLimit);
  }

  private extent(sheet: number): { left: number; right: number; bottom: number } {
    const columns = this.shared.index.columns[sheet]!;
    let left = columns[0]?.col ?? MAX_COLS;
    let right = columns.at(-1)?.col ?? 0;
    let bottom = columns.reduce((max, { rows }) => Math.max(max, rows.at(-1) ?? 0), 0);
    for (const { row, col, content } of this.overlay.cells(sheet)) {
      if (!('formula' in content)) continue;
      left = Math.min(left, col);
      right = Math.max(right, col);
      bottom = Math.max(bottom, row);
    }
    return { left: Math.min(left, right), right, bottom };
  }
}
