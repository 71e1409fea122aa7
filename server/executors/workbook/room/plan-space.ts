/** Decides whether the cells below a table can move down to make room for new rows, and which cells must move. */
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { tearsBlock } from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { WorkbookPackage } from '../package.ts';
import { moveObstacle } from './moved-parts.ts';
import { readReferences } from './read-references.ts';
import type { WorkbookReferences } from './read-references.ts';
import { solidBlocks } from './solid-blocks.ts';
import type { SolidBlock } from './solid-blocks.ts';

/** Cells of an input or output, which stay together. */
export interface ParameterBlock {
  /** Description, such as "the input 'Rates'". */
  what: string;
  sheet: number;
  block: CellBlock;
  /** True if new rows inside the block make it longer; blocks that users fill in keep their size. */
  grows: boolean;
}

export type SpacePlan =
  | {
      /** Inserts one new row below the table; more are inserted in the same place. */
      insertion: CellInsertion;
      /** Maximum number of rows that can be inserted before something would be pushed off the sheet. */
      maxInsertedRows: number;
    }
  /** Why nothing can be moved, as a text that follows "because". */
  | { reason: string };

export function planSpace(
  source: WorkbookPackage,
  model: WorkbookModel,
  table: TableModel,
  parameters: readonly ParameterBlock[],
): SpacePlan {
  const references = readReferences(source, model);
  const obstacle = moveObstacle(source, model, table.sheet);
  if (obstacle !== null) return { reason: obstacle };
  if (references.unread !== null) return { reason: `it is not clear which cells ${references.unread} refers to` };
  const row = table.block.bottom + 1;
  const over = references.found.find(
    ({ sheets, block, isColumns }) =>
      sheets.length > 1 && sheets.includes(table.sheet) && !isColumns && block.bottom >= row,
  );
  if (over) return { reason: `${over.what} reads the same cells of several sheets` };
  const { left, right } = table.block;
  const ofColumns: CellInsertion = { sheet: table.sheet, row, count: 1, left, right };
  const solids = solidBlocks(model, table, references.ranges[table.sheet]!.filters);
  solids.push(...parameters.filter(({ sheet }) => sheet === table.sheet));
  const insertion = isTorn(ofColumns, solids, references) ? { ...ofColumns, left: 0, right: MAX_COLS - 1 } : ofColumns;
  const blocked = solids.find(
    ({ block, grows }) => !grows && block.top < row && block.bottom >= row && isIn(block, insertion),
  );
  if (blocked) return { reason: `${blocked.what} is next to its last row` };
  return { insertion, maxInsertedRows: MAX_ROWS - 1 - lastRow(model, insertion, solids) };
}

const isIn = (block: CellBlock, { left, right }: CellInsertion): boolean => block.left <= right && block.right >= left;

/** Returns true if moving only the table's columns would split something. */
function isTorn(insertion: CellInsertion, solids: readonly SolidBlock[], references: WorkbookReferences): boolean {
  if (solids.some(({ block }) => tearsBlock(block, insertion))) return true;
  const { rules } = references.ranges[insertion.sheet]!;
  const tears = (block: CellBlock): boolean => tearsBlock(block, insertion);
  if (rules.some(({ blocks, formulas }) => formulas.some(isCalculated) && blocks.some(tears))) return true;
  return references.found.some(({ sheets, block }) => sheets.includes(insertion.sheet) && tears(block));
}

/** A number or a text is the same in all cells of a rule; anything else may depend on the position of the cell. */
const isCalculated = (formula: string): boolean => /[A-Za-z]/.test(formula.replaceAll(/"[^"]*"/g, ''));

/** Returns the last row with content that the insertion moves. */
function lastRow(
  { sheets }: WorkbookModel,
  { sheet, row, left, right }: CellInsertion,
  solids: readonly SolidBlock[],
): number {
  const { cells } = sheets[sheet]!;
  let last = row - 1;
  for (const at of cellsIn(cells, { top: row, bottom: MAX_ROWS - 1, left, right }))
    if (cells.kinds[at] !== CellKind.Blank || cells.formulas[at]! >= 0) last = Math.max(last, cells.rows[at]!);
  for (const { block } of solids) if (block.left <= right && block.right >= left) last = Math.max(last, block.bottom);
  return last;
}
