/** Fills the rows that a table gains. They get the styles of its last row and the formulas of its columns. */
import { printFormula, printRelative } from '#server/calculation/syntax/printer.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { CellChange } from './cell-xml.ts';
import type { ChangeSet } from './change-set.ts';
import { fixedReferencesFollow, followTables, parseOrNull } from './grown-references.ts';
import type { ResizedTable } from './grown-references.ts';

/**
 * Records the cells of the new rows. Call it after all other formulas were updated, because the new formulas are built
 * from the updated ones.
 */
export function addRows(changes: ChangeSet, own: ResizedTable, resized: readonly ResizedTable[]): void {
  const { table, oldDataBottom, newDataBottom } = own;
  if (newDataBottom <= oldDataBottom) return;
  for (const index of table.columns.keys()) {
    const col = table.block.left + index;
    const style = changes.style(table.sheet, oldDataBottom, col);
    const formulaIn = columnFormula(changes, own, index, resized);
    for (let row = oldDataBottom + 1; row <= newDataBottom; row++) {
      Object.assign(changes.at(table.sheet, row, col), { value: null, formula: null, style, ...formulaIn(row) });
    }
  }
}

type FormulaIn = (row: number) => Pick<CellChange, 'formula' | 'arrayBlock' | 'metadata'>;

/**
 * Returns the column's formula for a new row, filled down from the last row. The table's own copy of the formula does
 * not say which row its relative references are based on.
 */
function columnFormula(
  changes: ChangeSet,
  { table, oldDataBottom }: ResizedTable,
  index: number,
  resized: readonly ResizedTable[],
): FormulaIn {
  const { sheet } = table;
  const col = table.block.left + index;
  const from = { row: oldDataBottom, col };
  const { calculatedFormula, isArray } = table.columns[index]!;
  const text = changes.formulaText(sheet, from.row, from.col);
  const tree = text === null ? null : parseOrNull(text, from);
  if (tree && (calculatedFormula !== undefined || isWholeColumn(changes, table, from))) {
    const filled = fixedReferencesFollow(tree, from, sheet, changes.model, resized);
    return (row) => {
      const to = { row, col };
      return { formula: printFormula(filled, to), ...changes.arrayOf(sheet, from, to) };
    };
  }
  if (calculatedFormula === undefined) return () => ({});
  return (row) => {
    const to = { row, col };
    const block = { top: row, left: col, bottom: row, right: col };
    const formula = followTables(calculatedFormula, to, sheet, changes.model, resized) ?? calculatedFormula;
    return { formula, ...(isArray ? { arrayBlock: block } : {}) };
  };
}

/** Returns true if all rows have the same formula. Programs other than Excel do not declare calculated columns. */
function isWholeColumn(changes: ChangeSet, table: ResizedTable['table'], last: CellPosition): boolean {
  const relative = (row: number): string | null => {
    const at = { row, col: last.col };
    const text = changes.formulaText(table.sheet, row, last.col);
    const tree = text === null ? null : parseOrNull(text, at);
    return tree && printRelative(tree);
  };
  const wanted = relative(last.row);
  const kind = changes.formula(table.sheet, last.row, last.col)?.kind;
  if (kind === 'array' || kind === 'dynamicArray') return false;
  for (let row = table.block.top + table.headerRows; row < last.row; row++) if (relative(row) !== wanted) return false;
  return wanted !== null;
}
