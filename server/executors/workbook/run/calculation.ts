/**
 * One run's copy of a workbook. It is written to and read from, and recalculates on a read if a write may have changed
 * the result. It records its writes for the workbook that the run returns.
 */
import type { CalculationBounds, CellEdit } from '#server/calculation/engine.ts';
import { formulasOfFile } from '#server/calculation/graph/formula-at.ts';
import { traceError } from '#server/calculation/trace-error.ts';
import type { ErrorTrace } from '#server/calculation/trace-error.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { PlacedFormula, PlacedResult } from '#server/calculation/placed-formula.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { Layout, MakeSpace } from '../room/layouts.ts';
import { blockNow, rowInVersion } from './moved-cells.ts';
import type { RunTable } from './moved-cells.ts';
import { RunBook } from './run-book.ts';
import { findNonConvergedCells } from './non-converged-cells.ts';
import type { NonConvergedCells } from './non-converged-cells.ts';

export interface Calculation {
  /** The workbook as it was published: definitions and steps refer to its cells. */
  readonly model: WorkbookModel;
  /** The workbook with room for the rows of its tables. This one is calculated and returned. */
  readonly layout: Layout;
  write(edits: readonly CellEdit[]): void;
  /**
   * Sets the number of data rows of a table. Throws WorkbookFileError 'tableBlocked' if there is no room and none can
   * be made.
   */
  resize(table: string, dataRows: number): void;
  /**
   * Returns the current position of a block of the version. Tables that grew or shrank move their totals and end
   * elsewhere, and content below a table without room has moved.
   */
  now(sheet: number, block: CellBlock): CellBlock;
  /**
   * Returns the row of the version that a current cell comes from. Rows that a table has gained continue the numbering
   * after its last row. Null for a new cell.
   */
  rowInVersion(sheet: number, row: number, col: number): number | null;
  /** Throws CalculationError 'circular' if a cell of the block has no value because of a circular reference. */
  read(sheet: number, block: CellBlock): CellValue[][];
  /** Returns the cells without a value because they depend on themselves or on such cells; null if there are none. */
  nonConverged(): NonConvergedCells | null;
  /** Returns the range that the dynamic array in a cell fills, or null. */
  spill(sheet: number, row: number, col: number): CellBlock | null;
  /**
   * Returns where the error in a cell first occurred; undefined if the cell holds no error or the origin is unknown.
   */
  trace(sheet: number, row: number, col: number): ErrorTrace | undefined;
  /**
   * Evaluates a formula that is not in a cell as if it were at `at`, within `timeLimit` milliseconds; null if the
   * engine cannot do that.
   */
  readonly evaluate: ((formula: PlacedFormula, at: CellPosition, timeLimit: number) => PlacedResult) | null;
  constants(): CellEdit[];
  /** Tables whose number of rows differs from the layout. */
  resized(): readonly RunTable[];
  dispose(): void;
}

export interface CalculationOptions {
  /** Makes room for tables that need it; without it, tables must already have room. */
  makeSpace?: MakeSpace | undefined;
  /** The only cells that will be read; others may have old values. */
  only?: CalculationBounds['only'] | undefined;
}

/** `timeLimit` is the maximum milliseconds per recalculation. */
export function createCalculation(
  version: Layout,
  timeLimit: number,
  { makeSpace, only }: CalculationOptions = {},
): Calculation {
  const { model } = version;
  const book = new RunBook(version, makeSpace);
  // After rows have moved, the formulas of the file no longer show which cells depend on which.
  const results = whenAsked(book, { timeLimit, ...(only && { only }) }, (error) =>
    book.resized.length > 0 ? null : findNonConvergedCells(error, book.layout.model, book.copy),
  );
  return {
    model,
    get layout() {
      return book.layout;
    },
    write(edits) {
      book.write(edits);
      results.changed();
    },
    resize(name, dataRows) {
      book.resize(name, dataRows);
      results.changed();
    },
    now: (sheet, block) => blockNow(sheet, block, book),
    rowInVersion: (sheet, row, col) => rowInVersion(sheet, row, col, book),
    nonConverged() {
      return results.now();
    },
    read(sheet, block) {
      const nonConverged = results.now();
      if (nonConverged?.touch(sheet, block)) throw nonConverged.error;
      return book.copy.values(sheet, block);
    },
    spill(sheet, row, col) {
      results.now();
      return book.copy.spillBlock(sheet, row, col);
    },
    trace(sheet, row, col) {
      results.now();
      const { copy } = book;
      const formulaAt =
        copy.formulaAt?.bind(copy) ?? (book.resized.length === 0 ? formulasOf(book.layout.model) : null);
      return formulaAt ? traceError({ value: copy.value.bind(copy), formulaAt }, sheet, row, col) : undefined;
    },
    evaluate: version.base.evaluate
      ? (formula, at, limit) => {
          results.now();
          return book.copy.evaluate!(book.placed(formula), at, { timeLimit: limit });
        }
      : null,
    constants: () => book.constants(),
    resized: () => book.resized,
    dispose: () => book.copy.dispose(),
  };
}

/**
 * Recalculates on demand if a write may have changed the result. `nonConvergedOf` returns null for errors that the
 * calculation cannot continue with.
 */
function whenAsked(
  book: RunBook,
  bounds: CalculationBounds,
  nonConvergedOf: (error: unknown) => NonConvergedCells | null,
): { changed(): void; now(): NonConvergedCells | null } {
  // The copy has the saved values of the file, which may not be right any more.
  let isStale = true;
  let nonConverged: NonConvergedCells | null = null;
  return {
    changed() {
      isStale = true;
    },
    now() {
      if (!isStale) return nonConverged;
      nonConverged = null;
      try {
        book.copy.recalculate(bounds);
      } catch (error) {
        nonConverged = nonConvergedOf(error);
        if (!nonConverged) throw error;
      }
      isStale = false;
      return nonConverged;
    },
  };
}

const formulasByModel = new WeakMap<WorkbookModel, ReturnType<typeof formulasOfFile>>();

/** Read when the first error needs them, and cached per version. */
function formulasOf(model: WorkbookModel): ReturnType<typeof formulasOfFile> {
  let formulas = formulasByModel.get(model);
  if (!formulas) formulasByModel.set(model, (formulas = formulasOfFile(model)));
  return formulas;
}
