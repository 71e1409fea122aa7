/** Computes how many rows a table can have before it reaches the content below it. */
import { formatBlock, formatCell, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';

export interface Obstacle {
  /** 0-based. */
  row: number;
  /** Description, such as "table 'Rates'". */
  what: string;
}

/** Returns the topmost obstacle below a table in its columns, down to row `bottom`; null if there is none. */
export function obstacleBelow(model: WorkbookModel, table: TableModel, bottom: number): Obstacle | null {
  const { cells, merges, name } = model.sheets[table.sheet]!;
  const space = { ...table.block, top: table.block.bottom + 1, bottom };
  const isInside = (block: typeof space): boolean =>
    block.top <= space.bottom && block.bottom >= space.top && block.left <= space.right && block.right >= space.left;
  const found: Obstacle[] = [];
  for (const at of cellsIn(cells, space)) {
    if (cells.kinds[at] === CellKind.Blank && cells.formulas[at]! < 0) continue;
    const row = cells.rows[at]!;
    found.push({ row, what: `cell ${formatCell(row, cells.cols[at]!)} of sheet '${name}'` });
    break;
  }
  for (const merge of merges) {
    if (isInside(merge))
      found.push({ row: merge.top, what: `the merged cells ${formatBlock(merge)} of sheet '${name}'` });
  }
  for (const other of model.tables) {
    if (other !== table && other.sheet === table.sheet && isInside(other.block))
      found.push({ row: other.block.top, what: `table '${other.name}'` });
  }
  return found.reduce<Obstacle | null>((first, one) => (first && first.row <= one.row ? first : one), null);
}

export interface TableSpace {
  /** Maximum number of data rows the table can have. */
  rows: number;
  /** Description of what blocks further rows: "cell D5 of sheet 'Deals'". */
  end: string;
}

/** Describes the end of a table that has nothing below it. */
export const sheetEnd = (model: WorkbookModel, table: TableModel): string =>
  `the end of sheet '${model.sheets[table.sheet]!.name}'`;

/** Returns the room down to the first obstacle, otherwise to the end of the sheet. */
export function measureTableSpace(model: WorkbookModel, table: TableModel): TableSpace {
  const obstacle = obstacleBelow(model, table, MAX_ROWS - 1);
  const end = obstacle?.row ?? MAX_ROWS;
  const { block, headerRows, totalsRows } = table;
  return {
    rows: Math.max(1, Math.max(end - 1, block.bottom) - totalsRows - (block.top + headerRows) + 1),
    end: obstacle?.what ?? sheetEnd(model, table),
  };
}
