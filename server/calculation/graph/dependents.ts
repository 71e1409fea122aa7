/** Finds the readers of a block of cells: indexes the reads of all groups by what they cover. */
import { MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { FormulaGroup } from './formula-groups.ts';
import { firstReaching } from './group-index.ts';
import { coveredBlock, readersOf } from './reads.ts';
import type { Read } from './reads.ts';

interface Entry {
  top: number;
  bottom: number;
  left: number;
  right: number;
  group: number;
  read: Read;
}

interface ColumnEntries {
  entries: Entry[];
  reach: Int32Array;
  /**
   * Entries over most of a sheet's rows are stored separately, because they would make `reach` useless for all others.
   */
  tall: Entry[];
}

/** A read over at least this many columns is stored once, separately. */
const WIDE = 64;
const TALL = MAX_ROWS / 4;

export class Dependents {
  private readonly sheets: { columns: Map<number, ColumnEntries>; wide: ColumnEntries }[];
  private readonly groups: readonly FormulaGroup[];

  constructor(sheetCount: number, groups: readonly FormulaGroup[], reads: (group: number) => readonly Read[]) {
    this.groups = groups;
    const found = Array.from({ length: sheetCount }, () => ({
      columns: new Map<number, Entry[]>(),
      wide: [] as Entry[],
    }));
    groups.forEach((group, index) => {
      for (const read of reads(index)) {
        const entry: Entry = { ...coveredBlock(read, group), group: index, read };
        const { columns, wide } = found[read.sheet]!;
        if (entry.right - entry.left >= WIDE) {
          wide.push(entry);
          continue;
        }
        for (let col = entry.left; col <= entry.right; col += 1) {
          const entries = columns.get(col);
          if (entries) entries.push(entry);
          else columns.set(col, [entry]);
        }
      }
    });
    this.sheets = found.map(({ columns, wide }) => ({
      columns: new Map([...columns].map(([col, entries]) => [col, sorted(entries)])),
      wide: sorted(wide),
    }));
  }

  /**
   * Calls `visit` with the cells of groups that read something in the block. The same cells may come more than once.
   */
  visit(sheet: number, block: CellBlock, visit: (group: number, cells: CellBlock) => void): void {
    const { columns, wide } = this.sheets[sheet]!;
    const take = (entry: Entry): void => {
      if (entry.left > block.right || entry.right < block.left) return;
      const cells = readersOf(entry.read, this.groups[entry.group]!, block);
      if (cells) visit(entry.group, cells);
    };
    visitRows(wide, block, take);
    if (block.right - block.left >= columns.size) {
      for (const [col, entries] of columns)
        if (col >= block.left && col <= block.right) visitRows(entries, block, take);
      return;
    }
    for (let col = block.left; col <= block.right; col += 1) {
      const entries = columns.get(col);
      if (entries) visitRows(entries, block, take);
    }
  }
}

function sorted(all: Entry[]): ColumnEntries {
  const entries = all.filter(({ top, bottom }) => bottom - top < TALL).sort((a, b) => a.top - b.top);
  let lowest = -1;
  const reach = Int32Array.from(entries, ({ bottom }) => (lowest = Math.max(lowest, bottom)));
  return { entries, reach, tall: all.filter(({ top, bottom }) => bottom - top >= TALL) };
}

function visitRows({ entries, reach, tall }: ColumnEntries, block: CellBlock, take: (entry: Entry) => void): void {
  for (const entry of tall) if (entry.top <= block.bottom && entry.bottom >= block.top) take(entry);
  for (let index = firstReaching(reach, block.top); index < entries.length; index += 1) {
    const entry = entries[index]!;
    if (entry.top > block.bottom) return;
    if (entry.bottom >= block.top) take(entry);
  }
}
