/** Determines what must be calculated for a few cells only: variants of a workbook need them again and again. */
import { intersectBlocks } from '../syntax/areas.ts';
import type { Book } from './book.ts';
import { precedents } from './precedents.ts';
import { coveredBlock } from './reads.ts';
import type { SheetCells } from './sheet-cells.ts';
import type { Spills } from './spills.ts';

/**
 * Returns the components (indexes in the book's order) that cells of the blocks depend on. Returns null if that may be
 * any component, because the cells read spilling arrays, references known only at run time, or circular references.
 */
export function neededComponents(book: Book, spills: Spills, cells: readonly SheetCells[]): ReadonlySet<number> | null {
  const { groups, order, groupIndex } = book;
  if (book.model.iteration.enabled) return null;
  const needed = new Set<number>();
  const open: number[] = [];
  const need = (group: number): void => {
    const component = order.of[group]!;
    if (needed.has(component)) return;
    needed.add(component);
    open.push(...order.components[component]!.groups);
  };
  for (const { sheet, block } of cells) groupIndex.visit(sheet, block, need);
  const spilled = [...spills.all()].map(([, spill]) => spill);
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    const { record, top, left } = groups[group]!;
    const { reads, unknown } = book.readsOf(record);
    if (unknown || record.kind === 'dynamic') return null;
    if (record.tree && precedents(record.tree, record.sheet, { row: top, col: left }, book.scope).unknown) return null;
    for (const read of reads) {
      const covered = coveredBlock(read, groups[group]!);
      if (spilled.some((own) => own.sheet === read.sheet && own.block && intersectBlocks(own.block, covered)))
        return null;
      groupIndex.visit(read.sheet, covered, need);
    }
  }
  return needed;
}
