/** Effects of a table's new length on its block and on references, for all engines. */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatBlock, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import { CalculationError } from '../engine.ts';
import type { Scope, TableShape } from '../graph/scope.ts';
import { moveReference, referenceBlock } from '../syntax/areas.ts';
import type { Node, ReferenceNode } from '../syntax/ast.ts';
import { mapChildren } from '../syntax/traverse.ts';
import { followTableBlock } from './follow-block.ts';

/**
 * Returns the table with `rows` data rows. Throws CalculationError if `rows` is less than 1, or if the sheet ends or
 * another table is in the way.
 */
export function resizedTable(table: TableShape, rows: number, others: readonly TableShape[]): TableShape {
  if (!Number.isSafeInteger(rows) || rows < 1) throw new CalculationError('table', `A table needs at least one row`);
  const bottom = table.block.top + table.headerRows + rows + table.totalsRows - 1;
  if (bottom >= MAX_ROWS) {
    throw new CalculationError('table', `The table ${table.name} would reach below the last row of its sheet`);
  }
  const block = { ...table.block, bottom };
  for (const other of others) {
    if (other.sheet === table.sheet && other.name !== table.name && overlap(other.block, block)) {
      throw new CalculationError(
        'table',
        `The table ${table.name} cannot grow to ${formatBlock(block)}: the table ${other.name} is in the way`,
      );
    }
  }
  return { ...table, block };
}

function overlap(a: CellBlock, b: CellBlock): boolean {
  return a.top <= b.bottom && b.top <= a.bottom && a.left <= b.right && b.left <= a.right;
}

/**
 * Adjusts the references of a formula to the table's change from `old` to `next`. References that covered exactly all
 * data rows of some columns (with or without header and totals) still do; references to the totals row move with it.
 * `follows` excludes other references.
 */
export function followTable(
  tree: Node,
  sheet: number,
  at: CellPosition,
  change: { old: TableShape; next: TableShape },
  scope: Scope,
  follows: (node: ReferenceNode) => boolean = () => true,
): Node {
  const { old, next } = change;
  const visit = (node: Node): Node => {
    if (node.type !== 'reference') return mapChildren(node, visit);
    if (!follows(node)) return node;
    const sheets = scope.prefixSheets(node.prefix, sheet);
    if (sheets?.length !== 1 || sheets[0] !== old.sheet || node.shape === 'columns' || node.shape === 'rows')
      return node;
    const block = referenceBlock(node, at);
    const moved = followTableBlock(block, node.shape === 'range', old, next.block.bottom);
    return moved === block ? node : moveReference(node, moved, at);
  };
  return visit(tree);
}

/** Returns the formula that reads the same cells from `to` as the given one from `from`. */
export function rebase(tree: Node, from: CellPosition, to: CellPosition): Node {
  const visit = (node: Node): Node =>
    node.type === 'reference' ? moveReference(node, cornerBlock(node, from), to) : mapChildren(node, visit);
  return visit(tree);
}

function cornerBlock(node: Extract<Node, { type: 'reference' }>, at: CellPosition): CellBlock {
  const block = referenceBlock({ ...node, shape: node.shape === 'cell' ? 'cell' : 'range' }, at);
  return block;
}
