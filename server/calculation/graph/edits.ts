/** Writes constants into cells, and notes what that puts out of date. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellEdit } from '../engine.ts';
import type { Evaluator } from './evaluator.ts';
import type { OutOfDate } from './out-of-date.ts';
import { unblock } from './scheduler.ts';

/** `outOfDate` is null where everything is going to be calculated anyway. */
export function editCells(evaluator: Evaluator, outOfDate: OutOfDate | null, edits: readonly CellEdit[]): void {
  const { store, results, book } = evaluator;
  const anchors = new Set<number>();
  for (const { sheet, row, col, value } of edits) {
    const formula = store.formula(sheet, row, col);
    if (formula < 0) anchors.add(-formula - 1);
    if (formula > 0) endSpill(evaluator, formula - 1);
    store.set(sheet, row, col, value, 0);
    if (formula !== 0) store.setFormula(sheet, row, col, 0);
  }
  const changed = results.changed;
  results.changed = [];
  if (!outOfDate) return;
  // an array one of whose cells was taken has no room any more
  for (const number of anchors) outOfDate.mark(number, book.groups[number]!);
  for (const { sheet, block } of [...changed, ...editedBlocks(edits)]) {
    outOfDate.changed(sheet, block);
    unblock(evaluator, outOfDate, sheet, block);
  }
}

/** A formula that is overwritten takes what it filled with it. */
function endSpill({ results }: Evaluator, number: number): void {
  const spill = results.spills.get(number);
  if (!spill) return;
  results.clear(number, spill.sheet, spill.block, null);
  results.spills.set(number, null);
}

/** Edits one below the other as one block. */
function editedBlocks(edits: readonly CellEdit[]): { sheet: number; block: CellBlock }[] {
  const sorted = edits.toSorted((a, b) => a.sheet - b.sheet || a.col - b.col || a.row - b.row);
  const blocks: { sheet: number; block: CellBlock }[] = [];
  for (const { sheet, row, col } of sorted) {
    const last = blocks.at(-1);
    if (last && last.sheet === sheet && last.block.left === col && row <= last.block.bottom + 1)
      last.block.bottom = row;
    else blocks.push({ sheet, block: { top: row, left: col, bottom: row, right: col } });
  }
  return blocks;
}
