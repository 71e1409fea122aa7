/** The cells of a workbook by column, in chunks that copies of a model share until one of them writes. */
import { CellKind } from '../reader/workbook-model.ts';
import type { CellValue } from '../values/cell-value.ts';
import { Chunk, CHUNK_BITS, CHUNK_MASK, KIND_MASK, nextVersion } from './chunk.ts';
import type { Owner } from './chunk.ts';

class Column {
  owner: Owner;
  /** Changes whenever a cell in the column changes. */
  version: number;
  readonly chunks: (Chunk | undefined)[];

  constructor(owner: Owner, chunks: (Chunk | undefined)[], version: number) {
    this.owner = owner;
    this.chunks = chunks;
    this.version = version;
  }
}

export class SheetStore {
  columns: (Column | undefined)[];
  /** Nothing is stored from these indexes on. */
  usedRows = 0;
  usedCols = 0;

  constructor(columns: (Column | undefined)[] = []) {
    this.columns = columns;
  }

  copy(): SheetStore {
    const copy = new SheetStore(this.columns.slice());
    copy.usedRows = this.usedRows;
    copy.usedCols = this.usedCols;
    return copy;
  }
}

export class Store {
  readonly sheets: SheetStore[];
  private owner: Owner = {};

  constructor(sheets: SheetStore[]) {
    this.sheets = sheets;
  }

  /**
   * Takes time proportional to the number of columns, not cells. From now on, both models copy a chunk before they
   * write to it.
   */
  copy(): Store {
    this.owner = {};
    return new Store(this.sheets.map((sheet) => sheet.copy()));
  }

  /** Returns the chunk of a row; undefined if nothing is stored there. */
  chunk(sheet: number, row: number, col: number): Chunk | undefined {
    return this.sheets[sheet]!.columns[col]?.chunks[row >> CHUNK_BITS];
  }

  /** Returns the chunk of a row for writing: owned by this model, with the row allocated. */
  writable(sheet: number, row: number, col: number): Chunk {
    const column = this.writableColumn(sheet, col);
    const index = row >> CHUNK_BITS;
    while (column.chunks.length < index) column.chunks.push(undefined);
    let chunk = column.chunks[index];
    if (!chunk) column.chunks[index] = chunk = new Chunk(this.owner, 0);
    else if (chunk.owner !== this.owner) column.chunks[index] = chunk = chunk.copyFor(this.owner);
    chunk.reach(row & CHUNK_MASK);
    column.version = nextVersion();
    const store = this.sheets[sheet]!;
    if (row >= store.usedRows) store.usedRows = row + 1;
    if (col >= store.usedCols) store.usedCols = col + 1;
    return chunk;
  }

  private writableColumn(sheet: number, col: number): Column {
    const { columns } = this.sheets[sheet]!;
    while (columns.length < col) columns.push(undefined);
    let column = columns[col];
    if (!column) columns[col] = column = new Column(this.owner, [], nextVersion());
    else if (column.owner !== this.owner) {
      columns[col] = column = new Column(this.owner, column.chunks.slice(), column.version);
    }
    return column;
  }

  /** Returns kind and flags of a cell. */
  state(sheet: number, row: number, col: number): number {
    const chunk = this.chunk(sheet, row, col);
    const at = row & CHUNK_MASK;
    return chunk === undefined || at >= chunk.size ? 0 : chunk.kinds[at]!;
  }

  /** Returns the current value, whether it is up to date or not. */
  value(sheet: number, row: number, col: number): CellValue {
    const chunk = this.chunk(sheet, row, col);
    const at = row & CHUNK_MASK;
    return chunk === undefined || at >= chunk.size ? null : chunk.value(at);
  }

  /** Like Chunk.formulas: positive for a formula, negative for a spilled value. */
  formula(sheet: number, row: number, col: number): number {
    return this.chunk(sheet, row, col)?.formula(row & CHUNK_MASK) ?? 0;
  }

  set(sheet: number, row: number, col: number, value: CellValue, flags: number): void {
    this.writable(sheet, row, col).set(row & CHUNK_MASK, value, flags);
  }

  setFormula(sheet: number, row: number, col: number, formula: number): void {
    this.writable(sheet, row, col).setFormula(row & CHUNK_MASK, formula);
  }

  addFlags(sheet: number, row: number, col: number, flags: number): void {
    const chunk = this.writable(sheet, row, col);
    chunk.kinds[row & CHUNK_MASK]! |= flags;
    chunk.version = nextVersion();
  }

  clearFlags(sheet: number, row: number, col: number, flags: number): void {
    this.writable(sheet, row, col).kinds[row & CHUNK_MASK]! &= ~flags;
  }

  /** Returns true if the cell has neither a value nor a formula. */
  isEmpty(sheet: number, row: number, col: number): boolean {
    return (this.state(sheet, row, col) & KIND_MASK) === CellKind.Blank && this.formula(sheet, row, col) === 0;
  }
}
