/**
 * Calculates cells one after the other. A cell that depends on too many others waits for them without deepening the
 * stack.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { Flag } from '../kernels/chunk.ts';
import { NUM_ERROR } from '../values/coerce.ts';
import { PutOff } from './calculation-stack.ts';
import type { SheetCell } from './calculation-stack.ts';
import type { Evaluator } from './evaluator.ts';

/** Calculates the outdated cells of a block, row by row. */
export function calculateCells(evaluator: Evaluator, sheet: number, block: CellBlock): void {
  const { store } = evaluator;
  const { left, bottom, right } = block;
  let row = block.top;
  let col = left;
  while (row <= bottom) {
    try {
      while (row <= bottom) {
        if (store.state(sheet, row, col) >= Flag.Dirty) evaluator.calculate(sheet, row, col);
        if (col < right) col += 1;
        else {
          col = left;
          row += 1;
        }
      }
    } catch (error) {
      calculateFrom(evaluator, { sheet, row, col }, error);
    }
  }
}

/**
 * Calculates a cell whose formula was interrupted. First calculates the cells it depends on, each with an empty stack.
 */
function calculateFrom(evaluator: Evaluator, cell: SheetCell, interruption: unknown): void {
  const { store, stack } = evaluator;
  const { waiting } = stack;
  waiting.push(cell);
  putOff(evaluator, interruption);
  while (waiting.length > 0) {
    const next = waiting.at(-1)!;
    store.clearFlags(next.sheet, next.row, next.col, Flag.Busy);
    try {
      if (store.state(next.sheet, next.row, next.col) >= Flag.Dirty) {
        evaluator.calculate(next.sheet, next.row, next.col);
      }
      waiting.pop();
    } catch (error) {
      putOff(evaluator, error);
    }
  }
}

/** Puts the cell that an interruption names next in line. Rethrows errors that do not allow a later attempt. */
function putOff(evaluator: Evaluator, interruption: unknown): void {
  const { store, stack } = evaluator;
  const innermost = stack.top();
  const { level, waiting } = stack;
  stack.unwind(store);
  evaluator.calls = 0;
  evaluator.frame = [];
  const last = waiting.at(-1)!;
  if (interruption instanceof PutOff) {
    const { sheet, row, col } = interruption;
    store.addFlags(last.sheet, last.row, last.col, Flag.Busy);
    waiting.push({ sheet, row, col });
  } else if (interruption instanceof RangeError && innermost) {
    // The JavaScript stack overflowed. With fewer cells below it, the innermost formula may succeed; if it was alone,
    // it cannot.
    if (level > 1) {
      store.addFlags(last.sheet, last.row, last.col, Flag.Busy);
      waiting.push(innermost);
    } else store.set(innermost.sheet, innermost.row, innermost.col, NUM_ERROR, 0);
  } else {
    for (const { sheet, row, col } of waiting) store.clearFlags(sheet, row, col, Flag.Busy);
    waiting.length = 0;
    throw interruption;
  }
}
