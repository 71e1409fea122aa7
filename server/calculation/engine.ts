/**
 * The interface of a calculation engine. An engine loads a WorkbookModel once; runs use copies of it. All calls are
 * synchronous and must be made in a worker thread.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellFormula } from './cell-formula.ts';
import type { PlacedFormula, PlacedResult } from './placed-formula.ts';
import type { WorkbookModel, WorkbookRegion } from './reader/workbook-model.ts';
import type { CellValue } from './values/cell-value.ts';

export interface CalculationEngine {
  readonly name: string;
  /**
   * Returns the functions that a workbook uses and the engine lacks: names in upper case without prefixes, each with
   * its position.
   */
  unsupported(model: WorkbookModel): UnsupportedFunction[];
  /** Throws CalculationError if the workbook cannot be loaded. Does not recalculate anything. */
  load(model: WorkbookModel): CalculationModel;
}

export interface UnsupportedFunction {
  name: string;
  sheet: number;
  row: number;
  col: number;
}

export interface CalculationModel {
  /**
   * The regional settings of the calculation, such as 'de-DE'; absent if the engine supports only the United States.
   */
  readonly region?: string;
  /** The region with the evidence for it. */
  readonly regionOrigin?: WorkbookRegion;
  /** Returns an independent model with the same contents. */
  copy(): CalculationModel;
  /** Writes constants, which replace formulas. The results change at the next `recalculate`. */
  setCells(edits: readonly CellEdit[]): void;
  /**
   * Gives a table exactly `dataRows` data rows (at least 1). New rows are blank except for calculated columns. A totals
   * row moves, and references to whole columns of the table are adjusted. Throws CalculationError if cells below are in
   * the way.
   */
  resizeTable(table: string, dataRows: number): void;
  /** Returns the block that a table covers now, including header and totals. */
  tableBlock(table: string): CellBlock;
  /**
   * Recalculates what the edits affect (or everything). Throws CalculationError if a limit is exceeded or a circular
   * reference is found.
   */
  recalculate(bounds?: CalculationBounds): void;
  value(sheet: number, row: number, col: number): CellValue;
  /** Returns the rows of the block from top to bottom, each from left to right. */
  values(sheet: number, block: CellBlock): CellValue[][];
  /** Returns the cells covered by the dynamic array that starts here; null if there is none. */
  spillBlock(sheet: number, row: number, col: number): CellBlock | null;
  /**
   * Returns the cells with circular references that did not converge in the last calculation. Without iterative
   * calculation these are all of them; with it, those that still change after the maximum number of iterations. Absent
   * if the engine does not know.
   */
  nonConverged?(): readonly { sheet: number; row: number; col: number }[];
  /** Returns the formula of a cell and what it reads, or null; absent if the engine does not know. */
  formulaAt?(sheet: number, row: number, col: number): CellFormula | null;
  /**
   * Returns the current references of INDIRECT and OFFSET in a cell's formula, after a recalculation; absent if the
   * engine does not know.
   */
  referencesOf?(sheet: number, row: number, col: number): { sheet: number; block: CellBlock }[];
  /**
   * Evaluates a formula that is in no cell at a cell of its sheet, after a recalculation; absent if the engine cannot
   * do this. Throws CalculationError 'limit' if a limit is exceeded.
   */
  evaluate?(formula: PlacedFormula, at: CellPosition, bounds?: CalculationBounds): PlacedResult;
  /** Frees memory outside the JavaScript heap; the model must not be used afterwards. */
  dispose(): void;
}

export interface CellEdit {
  sheet: number;
  row: number;
  col: number;
  value: CellValue;
}

export interface CalculationBounds {
  /** Milliseconds from the call. */
  timeLimit?: number;
  /**
   * The cells that will be read. An engine may leave cells out of date that these do not depend on. Pass the same array
   * each time, because an engine remembers what it needs.
   */
  only?: readonly { sheet: number; block: CellBlock }[];
  /** What NOW returns in `evaluate`, as a serial day; the local time of the process if absent. */
  now?: number;
}

export type CalculationErrorCode = 'limit' | 'circular' | 'unsupported' | 'table' | 'failed';

/** A calculation that cannot continue; the message is meant for the author of the workbook. */
export class CalculationError extends Error {
  readonly code: CalculationErrorCode;
  constructor(code: CalculationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CalculationError';
    this.code = code;
  }
}

/** Reports that an array of this size is too large. */
export function arrayTooLarge(rows: number, cols: number): CalculationError {
  const text =
    rows === 1
      ? `An array of 1 row and ${cols} columns is too large`
      : cols === 1
        ? `An array of ${rows} rows and 1 column is too large`
        : `An array of ${rows} rows and ${cols} columns is too large`;
  return new CalculationError('limit', text);
}
