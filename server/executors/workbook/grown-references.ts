/** References to whole columns of a table follow it when it is resized, as they do in Excel. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { followTableBlock } from '#server/calculation/tables/follow-block.ts';
import { hasFixedRows, moveReference, referenceBlock } from '#server/calculation/syntax/areas.ts';
import type { Node, ReferenceNode } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { mapChildren, walk } from '#server/calculation/syntax/traverse.ts';

/** A table before and after. Rows count from 0. */
export interface ResizedTable {
  table: TableModel;
  dataTop: number;
  oldDataBottom: number;
  newDataBottom: number;
  oldBottom: number;
  newBottom: number;
}

/** Where a block on the table's sheet lies now. */
export const followTable = (block: CellBlock, { table, newBottom }: ResizedTable): CellBlock =>
  followTableBlock(block, true, table, newBottom);

/**
 * The formula with its references to the resized tables following them; null where it stays as it is, or is none the
 * program can parse. `sheet` is where it stands, null for a name of the whole workbook.
 */
export function followTables(
  text: string,
  at: CellPosition,
  sheet: number | null,
  model: WorkbookModel,
  resized: readonly ResizedTable[],
): string | null {
  // Nearly all formulas name no row in which a table ended.
  if (!resized.some(({ oldBottom, oldDataBottom }) => mentions(text, oldBottom) || mentions(text, oldDataBottom))) {
    return null;
  }
  const tree = parseOrNull(text, at);
  if (!tree) return null;
  const changed = followTree(tree, at, sheet, model, resized);
  return changed === tree ? null : printFormula(changed, at);
}

/**
 * A formula that is filled down from a row of a table: references whose rows are all fixed follow, as they do in the row it comes from.
 * Others mean cells as far away from each row.
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

/** The same for a formula that has been parsed: the tree itself where nothing in it follows. */
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

/** The index of the sheet a reference in a formula of `sheet` leads to; null for other workbooks and spans, -1 for a missing one. */
export function referencedSheet(node: ReferenceNode, sheet: number | null, model: WorkbookModel): number | null {
  const { prefix } = node;
  if (!prefix) return sheet;
  if (prefix.book !== null || prefix.last !== null || prefix.first === null) return null;
  const name = prefix.first.toLowerCase();
  return model.sheets.findIndex((candidate) => candidate.name.toLowerCase() === name);
}

/** Whether a formula refers to cells at all, by coordinates; true where it cannot be parsed. */
export function refersToCells(text: string, at: CellPosition): boolean {
  const tree = parseOrNull(text, at);
  let found = tree === null;
  if (tree) walk(tree, (node) => void (found ||= node.type === 'reference'));
  return found;
}

/** A formula as it reads in another cell it was filled into; null where it cannot be parsed. */
export function fillFormula(text: string, from: CellPosition, to: CellPosition): string | null {
  if (from.row === to.row && from.col === to.col) return text;
  const tree = parseOrNull(text, from);
  return tree && printFormula(tree, to);
}

/** The tree of a formula; null where it cannot be parsed. */
export function parseOrNull(text: string, at: CellPosition): Node | null {
  try {
    return parseFormula(text, at);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
