/** Circular references in books that ask for iterative calculation. */
import { Flag } from '../kernels/chunk.ts';
import type { CellValue } from '../values/cell-value.ts';
import { calculateCells } from './calculate-cells.ts';
import type { Evaluator } from './evaluator.ts';
import type { SheetCells } from './scheduler.ts';

/** Calculates the cells again and again, each with what the others came to last, until they hardly change or as often as the book says. */
export function iterate(evaluator: Evaluator, cells: readonly SheetCells[]): void {
  const { store, book, stack } = evaluator;
  const { count, delta } = book.model.iteration;
  // the first time was on the way to here
  for (let time = 1; time < count; time += 1) {
    let greatest = 0;
    for (const { sheet, block } of cells) {
      for (let row = block.top; row <= block.bottom; row += 1) {
        for (let col = block.left; col <= block.right; col += 1) {
          if (store.formula(sheet, row, col) <= 0) continue;
          const before = store.value(sheet, row, col);
          store.addFlags(sheet, row, col, Flag.Dirty);
          calculateCells(evaluator, sheet, { top: row, left: col, bottom: row, right: col });
          greatest = Math.max(greatest, change(before, store.value(sheet, row, col)));
        }
      }
    }
    if (greatest < delta) break;
  }
  stack.circles.length = 0;
  stack.metCircle = false;
}

function change(before: CellValue, after: CellValue): number {
  if (before === after) return 0;
  return typeof before === 'number' && typeof after === 'number' ? Math.abs(after - before) : Infinity;
}
