/** Finds formula groups by the cells they fill. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { lowerBound } from './formula-index.ts';
import type { FormulaGroup } from './formula-groups.ts';

interface GroupSpan {
  top: number;
  bottom: number;
  group: number;
}

/** The places of one column, sorted by their tops. Only saved spills may overlap. */
interface ColumnSpans {
  col: number;
  spans: GroupSpan[];
  /** Maximum bottom of all places up to each one. */
  reach: Int32Array;
}

export class GroupIndex {
  private readonly sheets: ColumnSpans[][];

  constructor(sheetCount: number, groups: readonly FormulaGroup[]) {
    const columns = Array.from({ length: sheetCount }, () => new Map<number, GroupSpan[]>());
    groups.forEach(({ sheet, top, left, bottom, right, spill }, group) => {
      const block = spill ?? { top, left, bottom, right };
      for (let col = block.left; col <= block.right; col += 1) {
        const spans = columns[sheet]!.get(col);
        const span = { top: block.top, bottom: block.bottom, group };
        if (spans) spans.push(span);
        else columns[sheet]!.set(col, [span]);
      }
    });
    this.sheets = columns.map((byColumn) =>
      [...byColumn]
        .map(([col, spans]) => {
          spans.sort((a, b) => a.top - b.top);
          let lowest = -1;
          const reach = Int32Array.from(spans, ({ bottom }) => (lowest = Math.max(lowest, bottom)));
          return { col, spans: spans, reach };
        })
        .sort((a, b) => a.col - b.col),
    );
  }

  /** Calls `visit` with the groups that fill a cell of the block, once per column. */
  visit(sheet: number, block: CellBlock, visit: (group: number) => void): void {
    const columns = this.sheets[sheet]!;
    for (let at = lowerBound(columns, block.left, ({ col }) => col); at < columns.length; at += 1) {
      const { col, spans: places, reach } = columns[at]!;
      if (col > block.right) return;
      for (let index = firstReaching(reach, block.top); index < places.length; index += 1) {
        const span = places[index]!;
        if (span.top > block.bottom) break;
        if (span.bottom >= block.top) visit(span.group);
      }
    }
  }
}

/** Returns the first index whose `reach` extends to the row. `reach` is ascending. */
export function firstReaching(reach: Int32Array, row: number): number {
  let low = 0;
  let high = reach.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reach[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
