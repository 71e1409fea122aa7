/** Finds blocks of a sheet that must move as a whole or not at all. */
import type { SheetModel, TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatBlock } from '#shared/codecs/cell-address.ts';

export interface SolidBlock {
  block: CellBlock;
  /** Description, such as "table 'Rates'". */
  what: string;
  /** True if new rows inside the block make it longer. */
  grows: boolean;
}

/** Returns all such blocks except `table` itself, which the insertion is for. */
export function solidBlocks(model: WorkbookModel, table: TableModel, filters: readonly CellBlock[]): SolidBlock[] {
  const sheet = model.sheets[table.sheet]!;
  const solid = (block: CellBlock, what: string): SolidBlock => ({ block, what, grows: false });
  const growing = (block: CellBlock, what: string): SolidBlock => ({ block, what, grows: true });
  const tables = model.tables.filter((other) => other !== table && other.sheet === table.sheet);
  const pivots = (model.pivotTables ?? []).filter((pivot) => pivot.sheet === table.sheet);
  return [
    ...sheet.merges.map((block) => growing(block, `the merged cells ${formatBlock(block)}`)),
    ...filters.map((block) => growing(block, `the filter ${formatBlock(block)}`)),
    ...tables.map(({ block, name }) => solid(block, `table '${name}'`)),
    ...pivots.map(({ block, name }) => solid(block, `pivot table '${name}'`)),
    ...pivots.flatMap(({ pageBlock, name }) => (pageBlock ? [solid(pageBlock, `pivot table '${name}'`)] : [])),
    ...arrays(sheet).map(([block, what]) => solid(block, what)),
  ];
}

/**
 * Returns multi-cell array formulas, the ranges of dynamic arrays, and what-if tables with the values that they try.
 */
function arrays({ cells }: SheetModel): [CellBlock, string][] {
  return cells.formulaTable.flatMap(({ kind, block }): [CellBlock, string][] => {
    if (!block) return [];
    if (kind === 'dataTable') {
      const around = { ...block, top: Math.max(0, block.top - 1), left: Math.max(0, block.left - 1) };
      return [[around, `the what-if table ${formatBlock(block)}`]];
    }
    const isArray = kind === 'array' || kind === 'dynamicArray';
    const isOne = block.top === block.bottom && block.left === block.right;
    return isArray && !isOne ? [[block, `the array formula ${formatBlock(block)}`]] : [];
  });
}
