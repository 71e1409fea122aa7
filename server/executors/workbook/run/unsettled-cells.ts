/** Circular references that a run can do without. */
import { CalculationError } from '#server/calculation/engine.ts';
import type { CalculationModel } from '#server/calculation/engine.ts';
import { FormulaIndex } from '#server/calculation/graph/formula-index.ts';
import { reachedBy } from '#server/calculation/graph/properties.ts';
import { calculationOrder } from '#server/calculation/graph/visit.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { MAX_COLS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';

export interface UnsettledCells {
  /** What the engine said of them. */
  error: CalculationError;
  /** Whether one of the cells depends on itself, or on one that does. */
  touch(sheet: number, block: CellBlock): boolean;
}

const formulas = new WeakMap<WorkbookModel, { index: FormulaIndex; order: Int32Array }>();

/**
 * The cells that have no value after a calculation that met circular references; all others have theirs, as in Excel. Null where `error` is
 * another one, or the engine cannot tell.
 */
export function unsettledCells(error: unknown, model: WorkbookModel, copy: CalculationModel): UnsettledCells | null {
  if (!(error instanceof CalculationError) || error.code !== 'circular') return null;
  const cells = copy.unsettled?.() ?? [];
  if (cells.length === 0) return null;
  let known = formulas.get(model);
  if (!known) {
    const index = new FormulaIndex(model);
    formulas.set(model, (known = { index, order: calculationOrder(index).order }));
  }
  const { index, order } = known;
  const own = new Set(cells.map(({ sheet, row, col }) => keyOf(sheet, row, col)));
  const has = (id: number): boolean => {
    const { sheet, row, col } = index.cells[id]!;
    return own.has(keyOf(sheet, row, col));
  };
  // what OFFSET and INDIRECT refer to is taken to be one of these cells
  const { sheet, row, col } = cells[0]!;
  const any = [{ sheet, block: { top: row, left: col, bottom: row, right: col } }];
  const reached = reachedBy(index, order, has, () => any);
  const blocks: { sheet: number; block: CellBlock }[] = [];
  for (const id of reached.keys()) {
    const { sheet, row, col, formula } = index.cells[id]!;
    own.add(keyOf(sheet, row, col));
    const isArray = formula.kind === 'array' || formula.kind === 'dynamicArray';
    if (isArray && formula.block) blocks.push({ sheet, block: formula.block });
  }
  return {
    error,
    touch: (sheet, block) => isAnyIn(own, sheet, block) || blocks.some((array) => meets(array, sheet, block)),
  };
}

const keyOf = (sheet: number, row: number, col: number): number => (sheet * 2 ** 20 + row) * MAX_COLS + col;

function isAnyIn(keys: ReadonlySet<number>, sheet: number, block: CellBlock): boolean {
  const { top, left, bottom, right } = block;
  if ((bottom - top + 1) * (right - left + 1) > keys.size) {
    return [...keys].some((key) => {
      const col = key % MAX_COLS;
      const at = (key - col) / MAX_COLS - sheet * 2 ** 20;
      return at >= top && at <= bottom && col >= left && col <= right;
    });
  }
  for (let row = top; row <= bottom; row += 1) {
    for (let col = left; col <= right; col += 1) if (keys.has(keyOf(sheet, row, col))) return true;
  }
  return false;
}

function meets(array: { sheet: number; block: CellBlock }, sheet: number, block: CellBlock): boolean {
  const { top, left, bottom, right } = array.block;
  const isBeside = block.left > right || block.right < left || block.top > bottom || block.bottom < top;
  return array.sheet === sheet && !isBeside;
}
