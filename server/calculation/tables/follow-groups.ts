/** Adjusts the formulas of a group to a table's new length: none, all of its cells, or a few of them change. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { FormulaGroup } from '../graph/formula-groups.ts';
import type { FormulaRecord } from '../graph/formula-trees.ts';
import { dataRows } from '../graph/scope.ts';
import type { Scope, TableShape } from '../graph/scope.ts';
import { Absolute } from '../syntax/ast.ts';
import type { Node, ReferenceNode } from '../syntax/ast.ts';
import { walk } from '../syntax/traverse.ts';
import { followTable } from './resize-table.ts';

export interface GroupPart {
  block: CellBlock;
  record: FormulaRecord;
}

export interface TableChange {
  old: TableShape;
  next: TableShape;
}

/** Returns the pieces that replace the group; null if it does not change. */
export function followGroup(group: FormulaGroup, change: TableChange, scope: Scope): GroupPart[] | null {
  const { tree } = group.record;
  const references = tree ? referencesTo(tree, group.sheet, change.old.sheet, scope) : [];
  if (!tree || references.length === 0) return null;
  if (group.record.kind !== 'cells') return wholly(group, tree, change, scope);
  const parts: GroupPart[] = [];
  for (let col = group.left; col <= group.right; col += 1) {
    const special = specialRows(group, references, change.old);
    let from = group.top;
    const upTo = (row: number): void => {
      if (row > from)
        parts.push(partOf(group, tree, { top: from, left: col, bottom: row - 1, right: col }, change, scope));
    };
    for (const row of special) {
      upTo(row);
      parts.push(partOf(group, tree, { top: row, left: col, bottom: row, right: col }, change, scope));
      from = row + 1;
    }
    upTo(group.bottom + 1);
  }
  return parts.every(({ record }) => record === group.record) ? null : parts;
}

function wholly(group: FormulaGroup, tree: Node, change: TableChange, scope: Scope): GroupPart[] | null {
  const { top, left, bottom, right } = group;
  const whole = partOf(group, tree, { top, left, bottom, right }, change, scope);
  return whole.record === group.record ? null : [whole];
}

/** Adjusts all cells of the block in the same way as its first cell. */
function partOf(group: FormulaGroup, tree: Node, block: CellBlock, change: TableChange, scope: Scope): GroupPart {
  const followed = followTable(tree, group.sheet, { row: block.top, col: block.left }, change, scope);
  return { block, record: followed === tree ? group.record : { ...group.record, tree: followed } };
}

function referencesTo(tree: Node, sheet: number, target: number, scope: Scope): ReferenceNode[] {
  const found: ReferenceNode[] = [];
  walk(tree, (node) => {
    if (node.type !== 'reference' || node.shape === 'columns' || node.shape === 'rows') return;
    const sheets = scope.prefixSheets(node.prefix, sheet);
    if (sheets?.length === 1 && sheets[0] === target) found.push(node);
  });
  return found;
}

/**
 * Returns the rows whose relative references start or end at an end of the table's data. Only their meaning can change
 * in a different way.
 */
function specialRows({ top, bottom }: FormulaGroup, references: readonly ReferenceNode[], table: TableShape): number[] {
  const rows = new Set<number>();
  const data = dataRows(table);
  const ends = [...span(table.block.top, data.top), ...span(data.bottom, table.block.bottom)];
  for (const { row1, row2, absolute } of references) {
    for (const [row, bit] of [
      [row1, Absolute.row1],
      [row2, Absolute.row2],
    ] as const) {
      if (absolute & bit) continue;
      for (const end of ends) {
        const own = end - row;
        if (own >= top && own <= bottom) rows.add(own);
      }
    }
  }
  return [...rows].sort((a, b) => a - b);
}

const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
