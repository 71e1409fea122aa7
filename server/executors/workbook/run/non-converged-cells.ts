/** Finds cells without a value because they depend on themselves or on cells that do. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationModel } from '#server/calculation/engine.ts';
import { BlockMax } from '#server/calculation/graph/block-max.ts';
import type { SheetCell } from '#server/calculation/graph/calculation-stack.ts';
import { FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import { transitiveDependents } from '#server/calculation/graph/properties.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { calculationOrder } from '#server/calculation/graph/visit.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';

export interface NonConvergedCells {
  /** The engine's error about them. */
  error: CalculationError;
  /** Returns true if one of the cells depends on itself, or on a cell that does. */
  touch(sheet: number, block: CellBlock): boolean;
  /**
   * Returns the cells that depend on themselves and that the block depends on, nearest first; empty if there are none.
   */
  circle(sheet: number, block: CellBlock): SheetCell[];
}

const formulas = new WeakMap<WorkbookModel, { index: FormulaIndex; order: Int32Array }>();

/**
 * Returns the cells that have no value after a calculation with circular references. All other cells have their values,
 * as in Excel. Returns null for other errors, or if the engine cannot tell.
 */
export function findNonConvergedCells(
  error: unknown,
  model: WorkbookModel,
  copy: CalculationModel,
): NonConvergedCells | null {
  if (!(error instanceof CalculationError) || error.code !== 'circular') return null;
  const cells = copy.nonConverged?.() ?? [];
  if (cells.length === 0) return null;
  let known = formulas.get(model);
  if (!known) {
    const index = new FormulaIndex(model);
    formulas.set(model, (known = { index, order: calculationOrder(index).order }));
  }
  const { index, order } = known;
  const own = new Set(cells.map(({ sheet, row, col }) => keyOf(sheet, row, col)));
  const isCircular = (id: number): boolean => {
    const { sheet, row, col } = index.cells[id]!;
    return own.has(keyOf(sheet, row, col));
  };
  const { sheet, row, col } = cells[0]!;
  const any = [{ sheet, block: { top: row, left: col, bottom: row, right: col } }];
  // If the engine cannot tell what OFFSET and INDIRECT refer to, assume that it is one of these cells.
  const createdReferences = (id: number): readonly SheetBlock[] => {
    const at = index.cells[id]!;
    return copy.referencesOf?.(at.sheet, at.row, at.col) ?? any;
  };
  const marks = new BlockMax(index);
  for (const [id, root] of transitiveDependents(index, order, isCircular, createdReferences)) marks.raise(id, root + 1);
  return {
    error,
    touch: (sheet, block) => marks.max(sheet, block) > 0,
    circle: (sheet, block) => circleFrom(index, marks.max(sheet, block) - 1, isCircular),
  };
}

/**
 * Returns the circular cells that a formula reads, directly or through other circular cells, starting with itself; none
 * for -1.
 */
function circleFrom(index: FormulaIndex, root: number, isCircular: (id: number) => boolean): SheetCell[] {
  const found = new Set(root < 0 ? [] : [root]);
  // Iterating over a set includes the elements added during the iteration.
  for (const id of found) {
    for (const { sheet, block } of index.precedents(id).areas) {
      index.scan(sheet, block, ({ ids }, from, to) => {
        for (const read of ids.slice(from, to)) if (isCircular(read)) found.add(read);
      });
    }
  }
  return [...found].map((id) => index.cells[id]!);
}

const keyOf = (sheet: number, row: number, col: number): number => (sheet * 2 ** 20 + row) * MAX_COLS + col;
