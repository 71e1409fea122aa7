/** Computes how many rows a table of an uploaded workbook can have if the content below it moves down. */
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { WorkbookPackage } from '../package.ts';
import { sheetEnd, tableRoom } from '../table-room.ts';
import type { TableRoom } from '../table-room.ts';
import { insertCells } from './insert-cells.ts';
import { planRoom } from './plan-room.ts';
import type { ParameterBlock } from './plan-room.ts';

export interface GrowingRoom extends TableRoom {
  /**
   * Why the obstacle cannot be moved, as a text that follows "because"; null if there is no obstacle or it can move.
   */
  reason: string | null;
}

/**
 * Tests the move with one row, so that content that cannot be written or read again is reported before a run needs it.
 */
export function growingRoom(
  source: WorkbookPackage,
  model: WorkbookModel,
  table: TableModel,
  parameters: readonly ParameterBlock[],
): GrowingRoom {
  const room = tableRoom(model, table);
  if (room.end === sheetEnd(model, table)) return { ...room, reason: null };
  try {
    const plan = planRoom(source, model, table, parameters);
    if ('reason' in plan) return { ...room, reason: plan.reason };
    if (plan.maxInsertedRows > 0) readWorkbook(insertCells(source, model, plan.insertion));
    const { block, headerRows, totalsRows } = table;
    const rows = block.bottom - block.top + 1 - headerRows - totalsRows + plan.maxInsertedRows;
    return { rows: Math.max(room.rows, rows), end: sheetEnd(model, table), reason: null };
  } catch (error) {
    if (!(error instanceof WorkbookFileError)) throw error;
    return { ...room, reason: `the file cannot be read again with moved cells: ${error.message.replace(/\.$/, '')}` };
  }
}
