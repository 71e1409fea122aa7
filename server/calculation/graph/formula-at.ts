/** Finds the formula of a cell of a loaded model for display, and the cells it reads. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { WorkbookModel } from '../reader/workbook-model.ts';
import { printFormula } from '../syntax/printer.ts';
import { shownFormula } from '../syntax/shown-formula.ts';
import type { Evaluator } from './evaluator.ts';
import { FormulaIndex } from './formula-index.ts';
import type { FormulaGroup } from './formula-groups.ts';
import { coveredBlock } from './reads.ts';
import type { SheetBlock } from './scope.ts';
import type { CellFormula } from '#server/calculation/cell-formula.ts';

/**
 * Does the same from the formulas of a file, for engines that cannot report theirs. Valid only while no table has
 * changed its size.
 */
export function formulasOfFile(model: WorkbookModel): (sheet: number, row: number, col: number) => CellFormula | null {
  const index = new FormulaIndex(model);
  const used = model.sheets.map(({ cells }) => ({
    rows: cells.rows.reduce((max, row) => Math.max(max, row + 1), 0),
    cols: cells.cols.reduce((max, col) => Math.max(max, col + 1), 0),
  }));
  return (sheet, row, col) => {
    let id: number | undefined;
    index.scan(sheet, { top: row, left: col, bottom: row, right: col }, ({ ids }, from) => (id = ids[from]));
    if (id === undefined) return null;
    const { formula, tree, row: top, col: left } = index.cells[id]!;
    const reads = index.precedents(id).areas.flatMap((area): SheetBlock[] => {
      const { rows, cols } = used[area.sheet]!;
      const block = clip(area.block, rows, cols);
      return block ? [{ sheet: area.sheet, block }] : [];
    });
    const text = shownFormula(tree ? printFormula(tree, { row: top, col: left }) : formula.text);
    return { sheet, row: top, col: left, text, reads };
  };
}

/** Returns null if the cell holds a constant or nothing. */
export function formulaAt(evaluator: Evaluator, sheet: number, row: number, col: number): CellFormula | null {
  const { book, store } = evaluator;
  const group = groupAt(evaluator, sheet, row, col);
  if (!group) return null;
  const isOwn = group.record.kind === 'cells';
  const at = { row: isOwn ? row : group.top, col: isOwn ? col : group.left };
  const cell = { top: at.row, left: at.col, bottom: at.row, right: at.col };
  const { tree } = group.record;
  const reads = book.readsOf(group.record).reads.flatMap((read): SheetBlock[] => {
    const { usedRows, usedCols } = store.sheets[read.sheet]!;
    const block = clip(coveredBlock(read, cell), usedRows, usedCols);
    return block ? [{ sheet: read.sheet, block }] : [];
  });
  const text = tree ? shownFormula(printFormula(tree, at)) : '';
  return { sheet, ...at, text, reads };
}

function groupAt({ book, store, results }: Evaluator, sheet: number, row: number, col: number): FormulaGroup | null {
  const formula = store.formula(sheet, row, col);
  if (formula > 0) return book.groups[formula - 1]!;
  const isInside = (block: CellBlock | null): boolean =>
    block !== null && row >= block.top && row <= block.bottom && col >= block.left && col <= block.right;
  for (const [number, spill] of results.spills.all()) {
    if (spill.sheet === sheet && isInside(spill.block)) return book.groups[number]!;
  }
  return null;
}

function clip({ top, left, bottom, right }: CellBlock, rows: number, cols: number): CellBlock | null {
  const block = { top, left, bottom: Math.min(bottom, rows - 1), right: Math.min(right, cols - 1) };
  return block.bottom < top || block.right < left ? null : block;
}
