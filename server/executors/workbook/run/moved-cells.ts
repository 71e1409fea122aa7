/**
 * Maps cells of a version to their positions in a run: after its tables have gained rows, and after the content below
 * them has moved.
 */
import type { CellEdit } from '#server/calculation/engine.ts';
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import { insertedRow, rowBefore } from '#server/calculation/tables/insert-cells.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { blockIn } from '../room/layouts.ts';
import type { Layout } from '../room/layouts.ts';

/** A table whose number of rows differs from the layout's file. */
export interface RunTable {
  /** As in the layout's file. */
  table: TableModel;
  /** The range it covers now. */
  block: CellBlock;
}

export interface CurrentLayout {
  layout: Layout;
  resized: readonly RunTable[];
}

/** Returns the current position of a block of the version. */
export function blockNow(sheet: number, block: CellBlock, { layout, resized }: CurrentLayout): CellBlock {
  let moved = blockIn(sheet, block, layout.insertions);
  for (const { table, block: next } of resized) if (table.sheet === sheet) moved = follow(moved, table, next);
  return moved;
}

function follow(block: CellBlock, table: TableModel, next: CellBlock): CellBlock {
  const delta = next.bottom - table.block.bottom;
  const lastRow = table.block.bottom - table.totalsRows;
  const firstRow = table.block.top + table.headerRows;
  const isInside = block.left >= table.block.left && block.right <= table.block.right;
  if (!isInside || delta === 0 || block.bottom > table.block.bottom || block.bottom < firstRow) return block;
  if (block.top > lastRow) return { ...block, top: block.top + delta, bottom: block.bottom + delta };
  return block.top <= firstRow && block.bottom >= lastRow ? { ...block, bottom: block.bottom + delta } : block;
}

/**
 * Returns the row of the version that a current cell comes from. Rows that a table has gained continue the numbering
 * after its last row. Null for a new cell.
 */
export function rowInVersion(
  sheet: number,
  row: number,
  col: number,
  { layout, resized }: CurrentLayout,
): number | null {
  const around = resized.find(({ table, block }) => table.sheet === sheet && isIn(row, col, block));
  // The table's first row is not new, and the table has moved as a whole.
  if (around) return inVersion(sheet, around.block.top, col, layout)! + row - around.block.top;
  return inVersion(sheet, row, col, layout);
}

function inVersion(sheet: number, row: number, col: number, { insertions }: Layout): number | null {
  return insertions.reduceRight<number | null>(
    (at, insertion) => (at === null || insertion.sheet !== sheet ? at : rowBefore(at, col, insertion)),
    row,
  );
}

const isIn = (row: number, col: number, { top, left, bottom, right }: CellBlock): boolean =>
  row >= top && row <= bottom && col >= left && col <= right;

/** Moves edits from their positions in one layout to those in another. Edits in removed rows are dropped. */
export function moveEdits(edits: Iterable<CellEdit>, before: CurrentLayout, after: CurrentLayout): CellEdit[] {
  const nowByName = new Map(after.resized.map((own) => [own.table.name, own]));
  return [...edits].flatMap((edit) => {
    const { sheet, row, col } = edit;
    const around = before.resized.find(({ table, block }) => table.sheet === sheet && isIn(row, col, block));
    if (!around) {
      const saved = inVersion(sheet, row, col, before.layout);
      return saved === null ? [] : [{ ...edit, row: rowAfter(sheet, saved, col, after.layout) }];
    }
    const { name } = around.table;
    const own = nowByName.get(name) ?? after.layout.model.tables.find((table) => table.name === name)!;
    const lastRow = own.block.bottom - around.table.totalsRows;
    const moved = own.block.top + row - around.block.top;
    return moved <= lastRow ? [{ ...edit, row: moved }] : [];
  });
}

function rowAfter(sheet: number, row: number, col: number, { insertions }: Layout): number {
  return insertions.reduce((at, insertion) => (insertion.sheet === sheet ? insertedRow(at, col, insertion) : at), row);
}
