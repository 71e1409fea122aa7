/**
 * What the rest of the program knows of a calculation engine. An engine loads a WorkbookModel once; runs work on copies.
 * All calls are synchronous and belong into a worker thread.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellFormula } from './cell-formula.ts';
import type { PlacedFormula, PlacedResult } from './placed-formula.ts';
import type { WorkbookModel, WorkbookRegion } from './reader/workbook-model.ts';
import type { CellValue } from './values/cell-value.ts';

export interface CalculationEngine {
  readonly name: string;
  /** Names of functions a workbook uses and the engine lacks, upper case, without prefixes, each with where it stands. */
  unsupported(model: WorkbookModel): UnsupportedFunction[];
  /** Throws CalculationError where the workbook cannot be loaded at all. Nothing is recalculated yet. */
  load(model: WorkbookModel): CalculationModel;
}

export interface UnsupportedFunction {
  name: string;
  sheet: number;
  row: number;
  col: number;
}

export interface CalculationModel {
  /** The regional settings it is calculated with, as 'de-DE'; absent where the engine knows none but those of the United States. */
  readonly region?: string;
  /** The same, with what decides it. */
  readonly regionOrigin?: WorkbookRegion;
  /** An independent model with the same contents. */
  copy(): CalculationModel;
  /** Writes constants (a formula that stood there is gone). Takes effect on `read` after the next `recalculate`. */
  setCells(edits: readonly CellEdit[]): void;
  /**
   * Gives a table exactly `dataRows` data rows (at least 1). New rows are blank but for calculated columns; a totals row
   * moves along; references to whole columns of the table follow it. Throws CalculationError where cells below are in the way.
   */
  resizeTable(table: string, dataRows: number): void;
  /** The block a table covers now, header and totals included. */
  tableBlock(table: string): CellBlock;
  /** Recalculates what the edits reach (or everything); throws CalculationError on a bound or a circular reference. */
  recalculate(bounds?: CalculationBounds): void;
  value(sheet: number, row: number, col: number): CellValue;
  /** Rows of the block from its top, each from its left. */
  values(sheet: number, block: CellBlock): CellValue[][];
  /** Cells covered by the dynamic array that starts here, or null where there is none. */
  spillBlock(sheet: number, row: number, col: number): CellBlock | null;
  /**
   * Cells that depend on themselves and came to no value in the last calculation: in a book that does not iterate all of them, in one that does
   * those that still change after as many steps as it allows. Absent where the engine cannot tell.
   */
  unsettled?(): readonly { sheet: number; row: number; col: number }[];
  /** The formula behind a cell and what it reads, or null; absent where the engine cannot tell. */
  formulaAt?(sheet: number, row: number, col: number): CellFormula | null;
  /** What INDIRECT and OFFSET in the formula of a cell refer to now, after a recalculation; absent where the engine cannot tell. */
  referencesOf?(sheet: number, row: number, col: number): { sheet: number; block: CellBlock }[];
  /**
   * What a formula that stands in no cell comes to at a cell of its sheet, after a recalculation; absent where the engine cannot tell. Throws
   * CalculationError 'limit' beyond its bounds.
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
}

export type CalculationErrorCode = 'limit' | 'circular' | 'unsupported' | 'table' | 'failed';

/** A calculation that cannot go on; the message is meant for the author of the workbook. */
export class CalculationError extends Error {
  readonly code: CalculationErrorCode;
  constructor(code: CalculationErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CalculationError';
    this.code = code;
  }
}
