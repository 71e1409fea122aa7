/** 1,024 rows of one column: the cell contents in typed arrays that grow with the rows in use. */
import { CellKind } from '../reader/workbook-model.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';

export const CHUNK_BITS = 10;
export const CHUNK_ROWS = 1 << CHUNK_BITS;
export const CHUNK_MASK = CHUNK_ROWS - 1;

/**
 * The low bits of a cell's byte are its CellKind. The flags are ordered: a single comparison finds cells to calculate.
 */
export const KIND_MASK = 7;
export const Flag = {
  /** The value is out of date. Every byte from this value on requires further checks. */
  Dirty: 64,
  /** The cell is being calculated. */
  Busy: 128,
} as const;

/** The owner that may write to a chunk. Chunks of other owners are copied before writing. */
export type Owner = object;

/** Totals of the cells of a chunk, see chunk-totals.ts. */
export interface ChunkTotals {
  /** Version of the chunk when it was counted. */
  readonly version: number;
  /** Cells with a number, and non-blank cells. */
  readonly numbers: number;
  readonly filled: number;
  readonly errors: number;
  readonly least: number;
  readonly greatest: number;
  /** Added from the first cell to the last. */
  readonly sum: number;
  /** The sum of the magnitudes if all numbers are multiples of 1/1024; otherwise Infinity. */
  readonly magnitude: number;
  /** The numbers by row, 0 for cells without a number. */
  readonly values: Float64Array;
  /** The numbers in ascending order; null until first used. */
  sorted: Float64Array | null;
}

let versions = 0;

/** Returns a version number that no other change in any model has. */
export const nextVersion = (): number => ++versions;

export class Chunk {
  owner: Owner;
  /** Changes whenever a cell changes. */
  version: number;
  /** Number of allocated rows; all rows after them are blank. */
  size: number;
  kinds: Uint8Array;
  /** The number of a Number cell; 0 or 1 for a Boolean. */
  numbers: Float64Array;
  /** Texts and errors. */
  objects: (string | CellError | null)[] | null = null;
  /**
   * The formula of each row. Positive: number of the formula group plus one. 0: a constant. Negative: a value spilled
   * by the array formula of another cell, as minus its group number plus one.
   */
  formulas: Int32Array | null = null;
  /** The totals when the cells were last counted. */
  totals: ChunkTotals | null = null;

  constructor(owner: Owner, size: number) {
    this.owner = owner;
    this.version = nextVersion();
    this.size = size;
    this.kinds = new Uint8Array(size);
    this.numbers = new Float64Array(size);
  }

  copyFor(owner: Owner): Chunk {
    const copy = new Chunk(owner, 0);
    copy.version = this.version;
    copy.size = this.size;
    copy.kinds = this.kinds.slice();
    copy.numbers = this.numbers.slice();
    copy.objects = this.objects && this.objects.slice();
    copy.formulas = this.formulas && this.formulas.slice();
    return copy;
  }

  /** Allocates row `at` of the chunk. */
  reach(at: number): void {
    if (at < this.size) return;
    let size = Math.max(this.size, 16);
    while (size <= at) size *= 4;
    const { kinds, numbers, formulas } = this;
    this.size = size;
    this.kinds = new Uint8Array(size);
    this.kinds.set(kinds);
    this.numbers = new Float64Array(size);
    this.numbers.set(numbers);
    if (formulas) {
      this.formulas = new Int32Array(size);
      this.formulas.set(formulas);
    }
  }

  value(at: number): CellValue {
    switch (this.kinds[at]! & KIND_MASK) {
      case CellKind.Number:
        return this.numbers[at]!;
      case CellKind.Boolean:
        return this.numbers[at] === 1;
      case CellKind.Blank:
        return null;
      default:
        return this.objects![at]!;
    }
  }

  /** Replaces value and flags; the formula is unchanged. The row must be allocated. */
  set(at: number, value: CellValue, flags: number): void {
    if (typeof value === 'number') {
      this.numbers[at] = value;
      this.kinds[at] = CellKind.Number | flags;
    } else if (value === null) {
      this.kinds[at] = CellKind.Blank | flags;
    } else if (typeof value === 'boolean') {
      this.numbers[at] = value ? 1 : 0;
      this.kinds[at] = CellKind.Boolean | flags;
    } else {
      this.kinds[at] = (value instanceof CellError ? CellKind.Error : CellKind.Text) | flags;
      this.setObject(at, value);
    }
    this.version = nextVersion();
  }

  private setObject(at: number, value: string | CellError): void {
    let objects = this.objects;
    if (!objects) this.objects = objects = [];
    while (objects.length < at) objects.push(null);
    objects[at] = value;
  }

  formula(at: number): number {
    return this.formulas === null || at >= this.size ? 0 : this.formulas[at]!;
  }

  setFormula(at: number, formula: number): void {
    if (!this.formulas) {
      if (formula === 0) return;
      this.formulas = new Int32Array(this.size);
    }
    this.formulas[at] = formula;
  }
}
