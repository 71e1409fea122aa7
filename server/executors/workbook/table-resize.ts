/**
 * Changes the number of rows of tables: clears removed rows, moves the totals row, and updates the table's own part.
 */
import { formatBlock, MAX_ROWS, parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { cellsIn, savedValue } from '#server/calculation/reader/cell-index.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { applyEdits } from './byte-edits.ts';
import type { ByteEdit } from './byte-edits.ts';
import type { CellChange } from './cell-xml.ts';
import type { ChangeSet } from './change-set.ts';
import { followTable } from './grown-references.ts';
import type { ResizedTable } from './grown-references.ts';
import { obstacleBelow } from './table-space.ts';

/** The new number of rows between header and totals of a table, at least 1. */
export interface TableResize {
  table: string;
  dataRows: number;
}

/** Returns the planned resizes, without those that change nothing. */
export function planResizes(model: WorkbookModel, resizes: readonly TableResize[]): ResizedTable[] {
  return resizes.flatMap(({ table: name, dataRows }) => {
    const table = model.tables.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!table) throw new WorkbookFileError('tables', `The workbook has no table '${name}'.`);
    const dataTop = table.block.top + table.headerRows;
    const oldBottom = table.block.bottom;
    const newDataBottom = dataTop + Math.max(1, Math.trunc(dataRows)) - 1;
    const newBottom = newDataBottom + table.totalsRows;
    if (newBottom >= MAX_ROWS) {
      throw new WorkbookFileError('beyondSheet', `Table '${table.name}' would need more rows than a sheet has.`);
    }
    const resized = {
      table,
      dataTop,
      oldDataBottom: oldBottom - table.totalsRows,
      newDataBottom,
      oldBottom,
      newBottom,
    };
    return newBottom === oldBottom ? [] : [resized];
  });
}

/** Records the cells that a resize moves and clears. Throws if something is below a growing table. */
export function resizeCells(changes: ChangeSet, resized: ResizedTable): void {
  requireSpace(changes.model, resized);
  const { table, newDataBottom } = resized;
  // Read the totals before anything changes and write them last: their new row may be one that is cleared.
  const totals = table.totalsRows > 0 ? readTotals(changes, resized) : [];
  for (let row = newDataBottom + 1; row <= resized.oldBottom; row++) clearRow(changes, resized, row);
  for (const [index, change] of totals.entries()) {
    Object.assign(changes.at(table.sheet, resized.newBottom, table.block.left + index), change);
  }
}

function requireSpace(model: WorkbookModel, { table, oldBottom, newBottom }: ResizedTable): void {
  const obstacle = newBottom > oldBottom ? obstacleBelow(model, table, newBottom) : null;
  if (!obstacle) return;
  throw new WorkbookFileError(
    'tableBlocked',
    `Table '${table.name}' has no room to grow: ${obstacle.what} is in the way. Move it to another place or sheet.`,
  );
}

function readTotals(changes: ChangeSet, { table, oldBottom, newBottom }: ResizedTable): CellChange[] {
  const { cells } = changes.model.sheets[table.sheet]!;
  const row = { ...table.block, top: oldBottom };
  const totals = table.columns.map((_, index): CellChange => {
    const col = table.block.left + index;
    const formula = changes.formulaText(table.sheet, oldBottom, col);
    const array = changes.arrayOf(table.sheet, { row: oldBottom, col }, { row: newBottom, col });
    return { value: null, formula, ...array, style: changes.style(table.sheet, oldBottom, col) };
  });
  for (const at of cellsIn(cells, row)) {
    totals[cells.cols[at]! - table.block.left]!.value = savedValue(cells, at, changes.model.strings);
  }
  return totals;
}

/** Clears values and formulas but keeps formats. The format of the old totals row is cleared too. */
function clearRow(changes: ChangeSet, { table, oldBottom, oldDataBottom }: ResizedTable, row: number): void {
  const isTotals = row === oldBottom && oldBottom > oldDataBottom;
  for (let col = table.block.left; col <= table.block.right; col++) {
    Object.assign(changes.at(table.sheet, row, col), { value: null, formula: null, ...(isTotals ? { style: 0 } : {}) });
  }
}

/** Rewrites the part of a resized table: its own range, and those of its filter and sort order. */
export function rewriteTablePart(bytes: Uint8Array, resized: ResizedTable): Uint8Array {
  const { table, newBottom, newDataBottom, oldDataBottom } = resized;
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, table.part);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    const index = xml.attributeIndex('ref');
    const block = index < 0 ? null : parseBlock(xml.attributeValue(index));
    if (!block) continue;
    const isTable = xml.name === 'table';
    const shrunk = Math.min(block.bottom, newDataBottom);
    const bottom = isTable ? newBottom : block.bottom === oldDataBottom ? newDataBottom : shrunk;
    const text = formatBlock(isTable ? { ...table.block, bottom } : { ...block, bottom: Math.max(bottom, block.top) });
    edits.push({ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text });
  }
  return applyEdits(bytes, edits);
}

/**
 * Returns a function that updates a range tied to cells (validations, conditional formats, filters). A range that ended
 * at the last data row of a table ends there after the resize too, even if it begins within the data. A range on the
 * totals row moves with it.
 */
export function followRange(resized: readonly ResizedTable[]): (block: CellBlock) => CellBlock {
  return (block) => {
    for (const table of resized) {
      const followed = followTable(block, table);
      if (followed !== block) return followed;
      const { left, right, top } = table.table.block;
      const isInside = block.left >= left && block.right <= right && block.top >= top;
      const bottom = table.newDataBottom;
      if (isInside && block.bottom === table.oldDataBottom && block.top <= bottom) return { ...block, bottom };
    }
    return block;
  };
}
