/**
 * Calculates circular references in books that request iterative calculation. As in Excel, each iteration goes through
 * the cells of circular references sheet by sheet, row by row, from the left. Each cell is calculated with the latest
 * values of the others. Iterations end when no cell changes by as much as the book's limit, or after the book's maximum
 * count.
 *
 * Every calculation starts with the values of the file, so that results depend on the inputs only and not on earlier
 * calculations.
 */
import { Flag } from '../kernels/chunk.ts';
import { cellAt, savedValue } from '../reader/cell-index.ts';
import type { CellValue } from '../values/cell-value.ts';
import { calculateCells } from './calculate-cells.ts';
import type { SheetCell } from './calculation-stack.ts';
import { circularReferenceMembers } from './circular-reference-members.ts';
import type { Evaluator } from './evaluator.ts';
import type { SheetCells } from './sheet-cells.ts';

/** Call after `cells` were calculated once and a circular reference was found. */
export function iterate(evaluator: Evaluator, cells: readonly SheetCells[]): void {
  const { store, book, stack } = evaluator;
  const { delta } = book.model.iteration;
  const count = Math.max(1, book.model.iteration.count);
  const { members, others } = circularReferenceMembers(book, store, cells);
  const starts = others && book.isAsLoaded ? members.map((cell) => savedIn(evaluator, cell)) : null;
  if (starts) members.forEach((cell, at) => put(evaluator, cell, starts[at]!));
  let greatest = Infinity;
  // Without initial values, the calculation before this call counts as the first iteration.
  for (let time = starts ? 0 : 1; time < count; time += 1) {
    greatest = calculateOnce(evaluator, members);
    if (time === 0 && stack.isAsSaved && starts && isSettled(greatest, delta)) {
      // The values that Excel saved had converged, and Excel would not recalculate them when it opens the file.
      members.forEach((cell, at) => put(evaluator, cell, starts[at]!));
    }
    if (isSettled(greatest, delta)) break;
  }
  if (!isSettled(greatest, delta)) stack.nonConverged.push(...members);
  for (const { sheet, row, col } of others ?? []) store.addFlags(sheet, row, col, Flag.Dirty);
  for (const { sheet, row, col } of others ?? []) calculateCell(evaluator, sheet, row, col);
  stack.forgetCircularReferences();
}

const isSettled = (greatest: number, delta: number): boolean => greatest === 0 || greatest < delta;

/** Returns the maximum change of a cell. */
function calculateOnce(evaluator: Evaluator, members: readonly SheetCell[]): number {
  const { store } = evaluator;
  let greatest = 0;
  for (const { sheet, row, col } of members) {
    const before = store.value(sheet, row, col);
    store.addFlags(sheet, row, col, Flag.Dirty);
    calculateCell(evaluator, sheet, row, col);
    greatest = Math.max(greatest, change(before, store.value(sheet, row, col)));
  }
  return greatest;
}

function calculateCell(evaluator: Evaluator, sheet: number, row: number, col: number): void {
  calculateCells(evaluator, sheet, { top: row, left: col, bottom: row, right: col });
}

function savedIn({ book }: Evaluator, { sheet, row, col }: SheetCell): CellValue {
  const { cells } = book.model.sheets[sheet]!;
  const at = cellAt(cells, row, col);
  return at < 0 ? null : savedValue(cells, at, book.model.strings);
}

function put({ store }: Evaluator, { sheet, row, col }: SheetCell, value: CellValue): void {
  store.set(sheet, row, col, value ?? 0, 0);
}

function change(before: CellValue, after: CellValue): number {
  if (before === after) return 0;
  return typeof before === 'number' && typeof after === 'number' ? Math.abs(after - before) : Infinity;
}
