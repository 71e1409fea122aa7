/** Computes how many rows a table of an uploaded workbook can have if the content below it moves down. */
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookPackage } from '../package.ts';
import { sheetEnd, measureTableSpace } from '../table-space.ts';
import type { TableSpace } from '../table-space.ts';
import { insertCells } from './insert-cells.ts';
import { planSpace } from './plan-space.ts';
import type { ParameterBlock } from './plan-space.ts';

export interface GrowthSpace extends TableSpace {
  /**
   * Why the obstacle cannot be moved, as a text that follows "because"; null if there is no obstacle or it can move.
   */
  reason: string | null;
}

/**
 * Tests the move with one row, so that content that cannot be written or read again is reported before a run needs it.
 */
export function measureGrowthSpace(
  source: WorkbookPackage,
  model: WorkbookModel,
  table: TableModel,
  parameters: readonly ParameterBlock[],
): GrowthSpace {
  const space = measureTableSpace(model, table);
  if (space.end === sheetEnd(model, table)) return { ...space, reason: null };
  try {
    const plan = planSpace(source, model, table, parameters);
    if ('reason' in plan) return { ...space, reason: plan.reason };
    if (plan.maxInsertedRows > 0) readWorkbook(insertCells(source, model, plan.insertion));
    const { block, headerRows, totalsRows } = table;
    const rows = block.bottom - block.top + 1 - headerRows - totalsRows + plan.maxInsertedRows;
    return { rows: Math.max(space.rows, rows), end: sheetEnd(model, table), reason: null };
  } catch (error) {
    if (!(error instanceof WorkbookFileError)) throw error;
    return { ...space, reason: `the file cannot be read after moving cells: ${error.message.replace(/\.$/, '')}` };
  }
}
