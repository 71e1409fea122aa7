/** Writes constants into cells, and marks what becomes outdated. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { CellEdit } from '../engine.ts';
import type { Evaluator } from './evaluator.ts';
import type { OutOfDate } from './out-of-date.ts';
import { unblock } from './scheduler.ts';

/** `outOfDate` is null if everything will be calculated anyway. */
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
  // An array that lost one of its cells has no room any more.
  for (const number of anchors) outOfDate.mark(number, book.groups[number]!);
  outOfDate.changedAll([...changed, ...editedBlocks(edits)], ({ sheet, block }) =>
    unblock(evaluator, outOfDate, sheet, block),
  );
}

/** An overwritten formula also removes what it filled. */
function endSpill({ results }: Evaluator, number: number): void {
  const spill = results.spills.get(number);
  if (!spill) return;
  results.clear(number, spill.sheet, spill.block, null);
  results.spills.set(number, null);
}

/** Joins edits of adjacent cells in a column to blocks. */
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
