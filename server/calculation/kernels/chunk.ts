/** 1,024 rows of one column: what is in the cells, in typed arrays that grow with the rows in use. */
import { CellKind } from '../reader/workbook-model.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';

export const CHUNK_BITS = 10;
export const CHUNK_ROWS = 1 << CHUNK_BITS;
export const CHUNK_MASK = CHUNK_ROWS - 1;

/** The low bits of a cell's byte are its CellKind; the flags are ordered so that one comparison finds cells to be calculated. */
export const KIND_MASK = 7;
export const Flag = {
  /** The value is out of date. Every byte from here on has to be looked at more closely. */
  Dirty: 64,
  /** The cell is being calculated now. */
  Busy: 128,
} as const;

/** Whoever may write to a chunk. What belongs to another owner is copied first. */
export type Owner = object;

/** What the cells of a chunk come to, see chunk-totals.ts. */
export interface ChunkTotals {
  /** Of the chunk when it was counted. */
  readonly version: number;
  /** Cells with a number, and cells with anything. */
  readonly numbers: number;
  readonly filled: number;
  readonly errors: number;
  readonly least: number;
  readonly greatest: number;
  /** From the first cell to the last. */
  readonly sum: number;
  /** The sum of all numbers without their signs where they are whole numbers of 1024ths, else Infinity. */
  readonly magnitude: number;
  /** The numbers by row, 0 where there is none. */
  readonly values: Float64Array;
  /** The numbers in ascending order, once somebody has asked for them. */
  sorted: Float64Array | null;
}

let versions = 0;

/** A number no other change of any model has had. */
export const nextVersion = (): number => ++versions;

export class Chunk {
  owner: Owner;
  /** Changes with every change of a cell. */
  version: number;
  /** Rows there is room for; all behind them are blank. */
  size: number;
  kinds: Uint8Array;
  /** The number of a Number, 0 or 1 of a Boolean. */
  numbers: Float64Array;
  /** Texts and errors. */
  objects: (string | CellError | null)[] | null = null;
  /**
   * By row: the number of the formula group plus one; 0 for a constant; for a value that the array formula of another cell
   * put here, its group's number plus one, negative.
   */
  formulas: Int32Array | null = null;
  /** What its cells came to when they were last counted. */
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

  /** Makes room for the row `at` of the chunk. */
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

  /** Replaces value and flags; formulas stay. The row must have room. */
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
