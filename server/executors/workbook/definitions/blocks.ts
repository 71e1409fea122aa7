/** Geometry of blocks and tables. */
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { formatBlock } from '#shared/codecs/cell-address.ts';

export const heightOf = (block: CellBlock): number => block.bottom - block.top + 1;
export const widthOf = (block: CellBlock): number => block.right - block.left + 1;

export const intersects = (a: CellBlock, b: CellBlock): boolean =>
  a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right;

export const sameBlock = (a: CellBlock, b: CellBlock): boolean =>
  a.top === b.top && a.left === b.left && a.bottom === b.bottom && a.right === b.right;

/** Returns the rows of a table between its header and its totals. */
export function tableBody(table: TableModel, block: CellBlock = table.block): CellBlock {
  return { ...block, top: block.top + table.headerRows, bottom: block.bottom - table.totalsRows };
}

/** Returns an address such as "'My Sheet'!B2:C9", as Excel writes it. */
export function formatArea(sheet: string, block: CellBlock): string {
  const plain = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) && !/^[A-Za-z]{1,3}\d+$/.test(sheet);
  return `${plain ? sheet : `'${sheet.replaceAll("'", "''")}'`}!${formatBlock(block)}`;
}
