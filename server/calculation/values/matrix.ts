/**
 * Values of more than one cell: arrays created by formulas, ranges of cells, multiple ranges, and functions as values.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { CellError, cellError } from './cell-value.ts';
import type { CellValue } from './cell-value.ts';

/** Anything with rows and columns of values. Both are at least 1. */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  /** 0-based. Outside the matrix the result is undefined: callers must stay within. */
  at(row: number, col: number): CellValue;
}

/** Elements (row by row) that all have the same value, except at some places. */
export interface Sparse {
  rest: CellValue;
  /** In ascending order. */
  positions: Int32Array;
  /** One value per place. */
  values: readonly CellValue[];
}

/** An array of values, row by row. The cells of sparse and counting arrays are created only on request. */
export class ArrayMatrix implements Matrix {
  readonly rows: number;
  readonly cols: number;
  readonly sparse: Sparse | null;
  private written: CellValue[] | null;
  /** The first element if the elements are numbers that increase by one, like the rows of a range; otherwise null. */
  private readonly first: number | null;
  constructor(
    rows: number,
    cols: number,
    cells: CellValue[],
    sparse: Sparse | null = null,
    first: number | null = null,
  ) {
    this.rows = rows;
    this.cols = cols;
    this.written = sparse || first !== null ? null : cells;
    this.sparse = sparse;
    this.first = first;
  }
  static ofSparse(rows: number, cols: number, sparse: Sparse): ArrayMatrix {
    return new ArrayMatrix(rows, cols, NO_CELLS, sparse);
  }
  /** Creates a column of numbers that increase by one. */
  static ofNumbers(rows: number, first: number): ArrayMatrix {
    return new ArrayMatrix(rows, 1, NO_CELLS, null, first);
  }
  get cells(): CellValue[] {
    return this.written ?? (this.sparse ? this.write(this.sparse) : this.count());
  }
  private count(): CellValue[] {
    const cells: CellValue[] = [];
    for (let row = 0; row < this.rows; row += 1) cells.push(this.first! + row);
    this.written = cells;
    return cells;
  }
  private write({ rest, positions, values }: Sparse): CellValue[] {
    const cells: CellValue[] = [];
    cells.length = this.rows * this.cols;
    cells.fill(rest);
    for (let at = 0; at < positions.length; at += 1) cells[positions[at]!] = values[at]!;
    this.written = cells;
    return cells;
  }
  at(row: number, col: number): CellValue {
    if (this.written === null && this.first !== null) return this.first + row;
    return this.cells[row * this.cols + col]!;
  }
}

const NO_CELLS: CellValue[] = [];

/** The source that ranges read from: the sheets of a model that is being calculated. */
export interface CellSource {
  /** Returns the value of a cell, and calculates it first if necessary. */
  cell(sheet: number, row: number, col: number): CellValue;
  /** Rows and columns before this index may contain something; everything from it on is blank. */
  usedRows(sheet: number): number;
  usedCols(sheet: number): number;
  /**
   * Calls `visit` for each non-blank cell of the block, row by row, left to right: the fastest way to read a range. If
   * it returns true, the iteration stops.
   */
  eachCell(
    sheet: number,
    block: CellBlock,
    visit: (value: CellValue, row: number, col: number) => boolean | void,
  ): void;
}

/**
 * A rectangle of cells of one sheet, read on demand. Whole columns have all rows of the sheet: iterate over `used()`.
 */
export class Range implements Matrix {
  readonly source: CellSource;
  readonly sheet: number;
  readonly top: number;
  readonly left: number;
  readonly rows: number;
  readonly cols: number;
  constructor(source: CellSource, sheet: number, block: CellBlock) {
    this.source = source;
    this.sheet = sheet;
    this.top = block.top;
    this.left = block.left;
    this.rows = block.bottom - block.top + 1;
    this.cols = block.right - block.left + 1;
  }
  get block(): CellBlock {
    return { top: this.top, left: this.left, bottom: this.top + this.rows - 1, right: this.left + this.cols - 1 };
  }
  at(row: number, col: number): CellValue {
    return this.source.cell(this.sheet, this.top + row, this.left + col);
  }
  /**
   * Returns the range without trailing rows and columns in which no cell of the sheet has content; at least one cell.
   */
  used(): Range {
    const rows = Math.max(1, Math.min(this.rows, this.source.usedRows(this.sheet) - this.top));
    const cols = Math.max(1, Math.min(this.cols, this.source.usedCols(this.sheet) - this.left));
    if (rows === this.rows && cols === this.cols) return this;
    const { top, left } = this;
    return new Range(this.source, this.sheet, { top, left, bottom: top + rows - 1, right: left + cols - 1 });
  }
}

/** A reference to multiple ranges: a union, or the same cells of several sheets. */
export class Areas {
  readonly ranges: readonly Range[];
  constructor(ranges: readonly Range[]) {
    this.ranges = ranges;
  }
}

/**
 * References in rows and columns, as INDIRECT and OFFSET create them from arrays. Functions of references use them one
 * by one (SUMIF, SUBTOTAL, N); all others find #VALUE! instead.
 */
export class ReferenceArray {
  readonly rows: number;
  readonly cols: number;
  readonly references: readonly (Range | Areas | CellError)[];
  constructor(rows: number, cols: number, references: readonly (Range | Areas | CellError)[]) {
    this.rows = rows;
    this.cols = cols;
    this.references = references;
  }
}

/** A function as a value. `call` receives the values as supplied; too few or too many yield #VALUE!. */
export class Lambda {
  readonly parameters: number;
  readonly optional: number;
  readonly call: (args: FormulaValue[]) => FormulaValue;
  /** The name of a worksheet function. */
  readonly name: string | null;
  constructor(
    parameters: number,
    optional: number,
    call: (args: FormulaValue[]) => FormulaValue,
    name: string | null = null,
  ) {
    this.parameters = parameters;
    this.optional = optional;
    this.call = call;
    this.name = name;
  }
}

/**
 * Several functions in place of one, such as HSTACK(SUM,AVERAGE) for GROUPBY. It cannot be called itself. As an array,
 * it contains the functions.
 */
export class FunctionList extends Lambda {
  readonly functions: readonly { name: string; lambda: Lambda }[];
  /** True for HSTACK (side by side), false for VSTACK (below each other). */
  readonly isRow: boolean;
  constructor(functions: readonly { name: string; lambda: Lambda }[], isRow: boolean) {
    super(0, 0, () => cellError('#VALUE!')!);
    this.functions = functions;
    this.isRow = isRow;
  }
  held(): ArrayMatrix {
    const cells = this.functions.map(({ lambda }) => new HeldFunction(lambda));
    return this.isRow ? new ArrayMatrix(1, cells.length, cells) : new ArrayMatrix(cells.length, 1, cells);
  }
}

/**
 * A function in an element of an array, as MAP(A1:A9,LAMBDA(x,LAMBDA(x))) creates it. It can be extracted and called;
 * in all other uses it counts as the #CALC! that its cell shows.
 */
export class HeldFunction extends CellError {
  readonly lambda: Lambda;
  constructor(lambda: Lambda) {
    super('#CALC!');
    this.lambda = lambda;
  }
}

/** Returns the function if the value is one, alone or as the only element of an array. */
export function functionIn(value: FormulaValue): Lambda | null {
  if (value instanceof Lambda) return value;
  const only = value instanceof ArrayMatrix && value.cells.length === 1 ? value.cells[0] : value;
  return only instanceof HeldFunction ? only.lambda : null;
}

/**
 * The possible values of a formula or an argument. `undefined` is an omitted argument, such as the second of IF(A1,,3).
 */
export type FormulaValue = CellValue | ArrayMatrix | Range | Areas | ReferenceArray | Lambda | undefined;

export const isMatrix = (value: FormulaValue): value is ArrayMatrix | Range =>
  value instanceof Range || value instanceof ArrayMatrix;

/**
 * Returns a value as a matrix; a single value becomes a matrix with one cell. Null for multiple references and
 * functions.
 */
export function asMatrix(value: FormulaValue): ArrayMatrix | Range | null {
  if (isMatrix(value)) return value;
  if (value instanceof Areas) return value.ranges.length === 1 ? value.ranges[0]! : null;
  if (value instanceof FunctionList) return value.held();
  if (value instanceof Lambda || value instanceof ReferenceArray) return null;
  return new ArrayMatrix(1, 1, [value ?? null]);
}

/**
 * Visits the values of a matrix row by row: for arrays including blanks, for ranges only non-blank cells. If `visit`
 * returns true, the iteration stops.
 */
export function eachValue(
  matrix: ArrayMatrix | Range,
  visit: (value: CellValue, row: number, col: number) => boolean | void,
): void {
  if (matrix instanceof Range) {
    const { top, left } = matrix;
    matrix.source.eachCell(matrix.sheet, matrix.block, (value, row, col) => visit(value, row - top, col - left));
    return;
  }
  const { cells, cols } = matrix;
  for (let index = 0; index < cells.length; index += 1) {
    if (visit(cells[index]!, Math.floor(index / cols), index % cols) === true) return;
  }
}
