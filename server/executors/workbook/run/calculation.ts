/**
 * One run's copy of a workbook: written to, read from, and recalculated when something is read that a write may have
 * changed. Remembers its writes for the workbook it hands back.
 */
import type { CalculationModel, CellEdit } from '#server/calculation/engine.ts';
import { formulasOfFile } from '#server/calculation/graph/formula-at.ts';
import { traceError } from '#server/calculation/trace-error.ts';
import type { ErrorTrace } from '#server/calculation/trace-error.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import { findTable } from '../definitions/table-references.ts';

export interface Calculation {
  readonly model: WorkbookModel;
  write(edits: readonly CellEdit[]): void;
  /** Gives a table this many data rows. */
  resize(table: string, dataRows: number): void;
  /** Where a block of the file lies now: tables that grew or shrank move their totals and end elsewhere. */
  now(sheet: number, block: CellBlock): CellBlock;
  read(sheet: number, block: CellBlock): CellValue[][];
  /** What the dynamic array in a cell fills, or null. */
  spill(sheet: number, row: number, col: number): CellBlock | null;
  /** Where the error in a cell arose first; undefined where it holds none, or that cannot be told. */
  trace(sheet: number, row: number, col: number): ErrorTrace | undefined;
  constants(): CellEdit[];
  resized(): { table: TableModel; block: CellBlock }[];
  dispose(): void;
}

/** `timeLimit`: milliseconds one recalculation may take. */
export function createCalculation(model: WorkbookModel, copy: CalculationModel, timeLimit: number): Calculation {
  const constants = new Map<number, CellEdit>();
  const resized = new Map<TableModel, CellBlock>();
  // The copy is as the file was saved; nothing says that its results are still right.
  let isStale = true;

  const recalculate = (): void => {
    if (!isStale) return;
    copy.recalculate({ timeLimit });
    isStale = false;
  };

  return {
    model,
    write(edits) {
      copy.setCells(edits);
      for (const edit of edits) constants.set(cellKey(edit.sheet, edit.row, edit.col), edit);
      isStale = true;
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
      isStale = true;
    },
    now(sheet, block) {
      let moved = block;
      for (const [table, next] of resized) if (table.sheet === sheet) moved = follow(moved, table, next);
      return moved;
    },
    read(sheet, block) {
      recalculate();
      return copy.values(sheet, block);
    },
    spill(sheet, row, col) {
      recalculate();
      return copy.spillBlock(sheet, row, col);
    },
    trace(sheet, row, col) {
      recalculate();
      const formulaAt = copy.formulaAt?.bind(copy) ?? (resized.size === 0 ? formulasOf(model) : undefined);
      return formulaAt && traceError({ value: copy.value.bind(copy), formulaAt }, sheet, row, col);
    },
    constants: () => [...constants.values()],
    resized: () => [...resized].map(([table, block]) => ({ table, block })),
    dispose: () => copy.dispose(),
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
