/** Writes the results of formulas into their cells, and arrays into as many cells as they need. */
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Evaluation } from '../compile/code.ts';
import { isLifted, toArray } from '../compile/lift.ts';
import { CalculationError } from '../engine.ts';
import { beyondArrayOf } from '../functions/information/kinds.ts';
import { MAX_SPILLED_CELLS } from '../kernels/limits.ts';
import type { Store } from '../kernels/store.ts';
import { CellError } from '../values/cell-value.ts';
import type { CellValue } from '../values/cell-value.ts';
import { CALC_ERROR, NA_ERROR, SPILL_ERROR, VALUE_ERROR } from '../values/coerce.ts';
import { Areas, Lambda, ReferenceArray } from '../values/matrix.ts';
import type { ArrayMatrix, FormulaValue } from '../values/matrix.ts';
import type { FormulaGroup } from './formula-groups.ts';
import type { Scope } from './scope.ts';
import type { Spills } from './spills.ts';

export interface ChangedBlock {
  sheet: number;
  block: CellBlock;
}

export class Results {
  readonly spills: Spills;
  /** Cells that changed without being marked as outdated before, because spilled arrays grew or shrank. */
  changed: ChangedBlock[] = [];
  private readonly store: Store;

  constructor(store: Store, spills: Spills) {
    this.store = store;
    this.spills = spills;
  }

  /** Returns what one cell shows of a result: blanks become 0, functions and multiple ranges cannot be shown. */
  cellValue(value: FormulaValue): CellValue {
    if (value === null || value === undefined) return 0;
    if (typeof value !== 'object' || value instanceof CellError) return value;
    if (value instanceof Lambda) return CALC_ERROR;
    if (value instanceof Areas || value instanceof ReferenceArray) return VALUE_ERROR;
    return this.cellValue(value.at(0, 0));
  }

  /**
   * Writes a legacy array formula. Its cells are fixed: a single row, column or value is repeated, missing values are
   * #N/A.
   */
  putArray(number: number, group: FormulaGroup, value: FormulaValue, c: Evaluation): void {
    const { sheet, top, left, bottom, right, record } = group;
    const beyond = record.tree?.type === 'call' ? beyondArrayOf(record.tree.name) : NA_ERROR;
    const array = isLifted(value) && !(value instanceof Areas) ? toArray(value, c) : null;
    const all = array ? null : this.cellValue(value);
    for (let row = top; row <= bottom; row += 1) {
      for (let col = left; col <= right; col += 1) {
        if (this.store.formula(sheet, row, col) !== number + 1) continue;
        this.store.set(sheet, row, col, array ? this.elementFor(array, row - top, col - left, beyond) : all, 0);
      }
    }
  }

  private elementFor({ rows, cols, cells }: ArrayMatrix, row: number, col: number, beyond: CellValue): CellValue {
    const y = rows === 1 ? 0 : row;
    const x = cols === 1 ? 0 : col;
    return y < rows && x < cols ? (cells[y * cols + x] ?? 0) : beyond;
  }

  /**
   * Writes a dynamic array, which spills to the cells below and to the right. It is #SPILL! if one of them is taken,
   * and always in a table.
   */
  putDynamic(number: number, group: FormulaGroup, value: FormulaValue, c: Evaluation, scope: Scope): void {
    const { sheet, top, left } = group;
    const array = isLifted(value) && !(value instanceof Areas) ? toArray(value, c) : null;
    const old = this.spills.get(number)?.block ?? null;
    if (!array || array.cells.length === 1) {
      this.clear(number, sheet, old, null);
      if (this.spills.get(number)) this.spills.set(number, null);
      this.store.set(sheet, top, left, this.cellValue(array ? array.cells[0] : value), 0);
      return;
    }
    const wanted = { top, left, bottom: top + array.rows - 1, right: left + array.cols - 1 };
    if (this.isTaken(number, group, wanted) || scope.tableAround(sheet, { row: top, col: left })) {
      this.clear(number, sheet, old, null);
      this.spills.set(number, { sheet, block: null, wanted });
      this.store.set(sheet, top, left, SPILL_ERROR, 0);
      return;
    }
    if (array.cells.length > MAX_SPILLED_CELLS) throw new CalculationError('limit', 'An array fills too many cells');
    this.clear(number, sheet, old, wanted);
    this.spill(number, sheet, wanted, array);
    this.spills.set(number, { sheet, block: wanted, wanted });
    if (!old || old.bottom < wanted.bottom || old.right < wanted.right) this.changed.push({ sheet, block: wanted });
  }

  private spill(number: number, sheet: number, { top, left }: CellBlock, { rows, cols, cells }: ArrayMatrix): void {
    for (let col = 0; col < cols; col += 1) {
      for (let row = 0; row < rows; row += 1) {
        this.store.set(sheet, top + row, left + col, cells[row * cols + col] ?? 0, 0);
        if (row > 0 || col > 0) this.store.setFormula(sheet, top + row, left + col, -1 - number);
      }
    }
  }

  private isTaken(number: number, { sheet, top, left }: FormulaGroup, block: CellBlock): boolean {
    if (block.bottom >= MAX_ROWS || block.right >= MAX_COLS) return true;
    for (let row = block.top; row <= block.bottom; row += 1) {
      for (let col = block.left; col <= block.right; col += 1) {
        if (row === top && col === left) continue;
        const formula = this.store.formula(sheet, row, col);
        if (formula !== -1 - number && (formula !== 0 || !this.store.isEmpty(sheet, row, col))) return true;
      }
    }
    return false;
  }

  /** Clears the cells of the former spill that are not in the next one. */
  clear(number: number, sheet: number, old: CellBlock | null, next: CellBlock | null): void {
    if (!old) return;
    let hasChanged = false;
    for (let row = old.top; row <= old.bottom; row += 1) {
      for (let col = old.left; col <= old.right; col += 1) {
        if (next && row <= next.bottom && col <= next.right) continue;
        if (this.store.formula(sheet, row, col) !== -1 - number) continue;
        this.store.set(sheet, row, col, null, 0);
        this.store.setFormula(sheet, row, col, 0);
        hasChanged = true;
      }
    }
    if (hasChanged) this.changed.push({ sheet, block: old });
  }
}
