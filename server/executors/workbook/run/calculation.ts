/**
 * One run's copy of a workbook: written to, read from, and recalculated when something is read that a write may have
 * changed. Remembers its writes for the workbook it hands back.
 */
import type { CellEdit } from '#server/calculation/engine.ts';
import { formulasOfFile } from '#server/calculation/graph/formula-at.ts';
import { traceError } from '#server/calculation/trace-error.ts';
import type { ErrorTrace } from '#server/calculation/trace-error.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { PlacedFormula, PlacedResult } from '#server/calculation/placed-formula.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { Layout, MakeRoom } from '../room/layouts.ts';
import { blockNow, rowInVersion } from './moved-cells.ts';
import type { RunTable } from './moved-cells.ts';
import { RunBook } from './run-book.ts';
import { unsettledCells } from './unsettled-cells.ts';
import type { UnsettledCells } from './unsettled-cells.ts';

export interface Calculation {
  /** The workbook as it was published: definitions and steps mean its cells. */
  readonly model: WorkbookModel;
  /** The workbook with room for the rows of its tables: what is calculated, and handed back. */
  readonly layout: Layout;
  write(edits: readonly CellEdit[]): void;
  /** Gives a table this many data rows. Throws WorkbookFileError 'tableBlocked' where there is no room, and none can be made. */
  resize(table: string, dataRows: number): void;
  /** Where a block of the version lies now: tables that grew or shrank move their totals and end elsewhere, and what stood below one that had no room has moved. */
  now(sheet: number, block: CellBlock): CellBlock;
  /** The row of the version that a cell of now comes from; rows that a table has gained count on from its last one. Null for a new cell. */
  rowInVersion(sheet: number, row: number, col: number): number | null;
  /** Throws CalculationError 'circular' where something in the block has no value for that reason. */
  read(sheet: number, block: CellBlock): CellValue[][];
  /** Cells without a value, because they depend on themselves or on such; null where there are none. */
  unsettled(): UnsettledCells | null;
  /** What the dynamic array in a cell fills, or null. */
  spill(sheet: number, row: number, col: number): CellBlock | null;
  /** Where the error in a cell arose first; undefined where it holds none, or that cannot be told. */
  trace(sheet: number, row: number, col: number): ErrorTrace | undefined;
  /** What a formula that stands in no cell comes to at a cell, within so many milliseconds; null where the engine cannot tell. */
  readonly evaluate: ((formula: PlacedFormula, at: CellPosition, timeLimit: number) => PlacedResult) | null;
  constants(): CellEdit[];
  /** Tables with another number of rows than in the layout. */
  resized(): readonly RunTable[];
  dispose(): void;
}

/** `timeLimit`: milliseconds one recalculation may take. `makeRoom` gives tables room that need it; without it they have it. */
export function createCalculation(version: Layout, timeLimit: number, makeRoom?: MakeRoom): Calculation {
  const { model } = version;
  const book = new RunBook(version, makeRoom);
  // where rows have moved, the formulas of the file say no more what depends on what
  const results = whenAsked(book, timeLimit, (error) =>
    book.resized.length > 0 ? null : unsettledCells(error, book.layout.model, book.copy),
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
    unsettled() {
      return results.now();
    },
    read(sheet, block) {
      const unsettled = results.now();
      if (unsettled?.touch(sheet, block)) throw unsettled.error;
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

/** Recalculates when something is asked for that a write may have changed; `unsettledOf` tells of an error whether the calculation can do with it. */
function whenAsked(
  book: RunBook,
  timeLimit: number,
  unsettledOf: (error: unknown) => UnsettledCells | null,
): { changed(): void; now(): UnsettledCells | null } {
  // The copy is as the file was saved; nothing says that its results are still right.
  let isStale = true;
  let unsettled: UnsettledCells | null = null;
  return {
    changed() {
      isStale = true;
    },
    now() {
      if (!isStale) return unsettled;
      unsettled = null;
      try {
        book.copy.recalculate({ timeLimit });
      } catch (error) {
        unsettled = unsettledOf(error);
        if (!unsettled) throw error;
      }
      isStale = false;
      return unsettled;
    },
  };
}

const formulasByModel = new WeakMap<WorkbookModel, ReturnType<typeof formulasOfFile>>();

/** Read when a first error asks for them, and kept with the version. */
function formulasOf(model: WorkbookModel): ReturnType<typeof formulasOfFile> {
  let formulas = formulasByModel.get(model);
  if (!formulas) formulasByModel.set(model, (formulas = formulasOfFile(model)));
  return formulas;
}
