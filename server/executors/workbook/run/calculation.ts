/**
 * One run's copy of a workbook: written to, read from, and recalculated when something is read that a write may have
 * changed. Remembers its writes for the workbook it hands back.
 */
import type { CalculationModel, CellEdit } from '#server/calculation/engine.ts';
import { formulasOfFile } from '#server/calculation/graph/formula-at.ts';
import { traceError } from '#server/calculation/trace-error.ts';
import type { ErrorTrace } from '#server/calculation/trace-error.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { PlacedFormula, PlacedResult } from '#server/calculation/placed-formula.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import { unsettledCells } from './unsettled-cells.ts';
import type { UnsettledCells } from './unsettled-cells.ts';
import { findTable } from '../definitions/table-references.ts';

export interface Calculation {
  readonly model: WorkbookModel;
  write(edits: readonly CellEdit[]): void;
  /** Gives a table this many data rows. */
  resize(table: string, dataRows: number): void;
  /** Where a block of the file lies now: tables that grew or shrank move their totals and end elsewhere. */
  now(sheet: number, block: CellBlock): CellBlock;
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
  resized(): { table: TableModel; block: CellBlock }[];
  dispose(): void;
}

/** `timeLimit`: milliseconds one recalculation may take. */
export function createCalculation(model: WorkbookModel, copy: CalculationModel, timeLimit: number): Calculation {
  const constants = new Map<number, CellEdit>();
  const resized = new Map<TableModel, CellBlock>();
  // where rows have moved, the formulas of the file say no more what depends on what
  const results = whenAsked(copy, timeLimit, (error) => (resized.size > 0 ? null : unsettledCells(error, model, copy)));

  return {
    model,
    write(edits) {
      copy.setCells(edits);
      for (const edit of edits) constants.set(cellKey(edit.sheet, edit.row, edit.col), edit);
      results.changed();
    },
    resize(name, dataRows) {
      const table = findTable(model, name)!;
      copy.resizeTable(name, dataRows);
      const block = copy.tableBlock(name);
      const body = block.bottom - table.totalsRows;
      for (const [key, { sheet, row, col }] of constants) {
        if (sheet === table.sheet && row > body && row <= table.block.bottom && isBetween(col, block))
          constants.delete(key);
      }
      resized.set(table, block);
      results.changed();
    },
    now(sheet, block) {
      let moved = block;
      for (const [table, next] of resized) if (table.sheet === sheet) moved = follow(moved, table, next);
      return moved;
    },
    unsettled() {
      return results.now();
    },
    read(sheet, block) {
      const unsettled = results.now();
      if (unsettled?.touch(sheet, block)) throw unsettled.error;
      return copy.values(sheet, block);
    },
    spill(sheet, row, col) {
      results.now();
      return copy.spillBlock(sheet, row, col);
    },
    trace(sheet, row, col) {
      results.now();
      const formulaAt = copy.formulaAt?.bind(copy) ?? (resized.size === 0 ? formulasOf(model) : undefined);
      return formulaAt && traceError({ value: copy.value.bind(copy), formulaAt }, sheet, row, col);
    },
    evaluate: copy.evaluate
      ? (formula, at, limit) => {
          results.now();
          return copy.evaluate!(formula, at, { timeLimit: limit });
        }
      : null,
    constants: () => [...constants.values()],
    resized: () => [...resized].map(([table, block]) => ({ table, block })),
    dispose: () => copy.dispose(),
  };
}

/** Recalculates when something is asked for that a write may have changed; `unsettledOf` tells of an error whether the calculation can do with it. */
function whenAsked(
  copy: CalculationModel,
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
        copy.recalculate({ timeLimit });
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

const cellKey = (sheet: number, row: number, col: number): number => (sheet * 2 ** 20 + row) * MAX_COLS + col;

const isBetween = (col: number, block: CellBlock): boolean => col >= block.left && col <= block.right;

function follow(block: CellBlock, table: TableModel, next: CellBlock): CellBlock {
  const delta = next.bottom - table.block.bottom;
  const lastRow = table.block.bottom - table.totalsRows;
  const firstRow = table.block.top + table.headerRows;
  const isInside = block.left >= table.block.left && block.right <= table.block.right;
  if (!isInside || delta === 0 || block.top > table.block.bottom || block.bottom < firstRow) return block;
  if (block.top > lastRow) return { ...block, top: block.top + delta, bottom: block.bottom + delta };
  return block.top <= firstRow && block.bottom >= lastRow ? { ...block, bottom: block.bottom + delta } : block;
}
