/** References to whole columns of a table follow it when it is resized, as in Excel. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { followTableBlock } from '#server/calculation/tables/follow-block.ts';
import { hasFixedRows, moveReference, referenceBlock } from '#server/calculation/syntax/areas.ts';
import type { Node, ReferenceNode } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { mapChildren, walk } from '#server/calculation/syntax/traverse.ts';

/** A table before and after its resize. Rows are 0-based. */
export interface ResizedTable {
  table: TableModel;
  dataTop: number;
  oldDataBottom: number;
  newDataBottom: number;
  oldBottom: number;
  newBottom: number;
}

/** Returns the new position of a block on the table's sheet. */
export const followTable = (block: CellBlock, { table, newBottom }: ResizedTable): CellBlock =>
  followTableBlock(block, true, table, newBottom);

/**
 * Returns the formula with its references to the resized tables updated; null if nothing changes or the formula cannot
 * be parsed. `sheet` is the sheet of the formula, null for a name of the whole workbook.
 */
export function followTables(
  text: string,
  at: CellPosition,
  sheet: number | null,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): string | null {
  // Fast path: nearly all formulas mention no row in which a table ended.
  if (!resized.some(({ oldBottom, oldDataBottom }) => mentions(text, oldBottom) || mentions(text, oldDataBottom))) {
    return null;
  }
  const tree = parseOrNull(text, at);
  if (!tree) return null;
  const changed = followTree(tree, at, sheet, model, resized);
  return changed === tree ? null : printFormula(changed, at);
}

/**
 * Updates a formula that is filled down from a table row. References whose rows are all absolute follow the table, as
 * in the row the formula comes from. Relative references keep their distance to each row.
 */
export function fixedReferencesFollow(
  tree: Node,
  at: CellPosition,
  sheet: number,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): Node {
  const change = (node: Node): Node => {
    if (node.type !== 'reference') return mapChildren(node, change);
    return hasFixedRows(node) ? followReference(node, at, sheet, model, resized) : node;
  };
  return change(tree);
}

/** Does the same for a parsed formula. Returns the tree itself if nothing changes. */
export function followTree(
  tree: Node,
  at: CellPosition,
  sheet: number | null,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): Node {
  const change = (node: Node): Node => {
    if (node.type === 'reference') return followReference(node, at, sheet, model, resized);
    return mapChildren(node, change);
  };
  return change(tree);
}

function mentions(text: string, row: number): boolean {
  return text.includes(String(row + 1));
}

function followReference(
  node: ReferenceNode,
  at: CellPosition,
  sheet: number | null,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): ReferenceNode {
  if (node.shape !== 'range' && node.shape !== 'cell') return node;
  const target = referencedSheet(node, sheet, model);
  const block = referenceBlock(node, at);
  for (const table of resized) {
    if (table.table.sheet !== target) continue;
    const followed = followTableBlock(block, node.shape === 'range', table.table, table.newBottom);
    if (followed !== block) return moveReference(node, followed, at);
  }
  return node;
}

/**
 * Returns the index of the sheet that a reference in a formula of `sheet` points to; null for other workbooks and spans
 * of sheets, -1 for a missing sheet.
 */
export function referencedSheet(node: ReferenceNode, sheet: number | null, model: WorkbookModel): number | null {
  const { prefix } = node;
  if (!prefix) return sheet;
  if (prefix.book !== null || prefix.last !== null || prefix.first === null) return null;
  const name = prefix.first.toLowerCase();
  return model.sheets.findIndex((candidate) => candidate.name.toLowerCase() === name);
}

/** Returns true if a formula references cells by coordinates, or cannot be parsed. */
export function refersToCells(text: string, at: CellPosition): boolean {
  const tree = parseOrNull(text, at);
  let found = tree === null;
  if (tree) walk(tree, (node) => void (found ||= node.type === 'reference'));
  return found;
}

/** Returns a formula as it reads in the cell it was filled into; null if it cannot be parsed. */
export function fillFormula(text: string, from: CellPosition, to: CellPosition): string | null {
  if (from.row === to.row && from.col === to.col) return text;
  const tree = parseOrNull(text, from);
  return tree && printFormula(tree, to);
}

/** Returns the tree of a formula; null if it cannot be parsed. */
export function parseOrNull(text: string, at: CellPosition): Node | null {
  try {
    return parseFormula(text, at);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
