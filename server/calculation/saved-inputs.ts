/**
 * Detects results that differ only because their inputs differ in the last digits. Example: the present value at an
 * internal rate of return is only a rounding error of 0, and a thousand times larger if the rate has one digit more or
 * less.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { sameValue } from './compare-values.ts';
import type { CalculationModel, CellEdit } from './engine.ts';
import { CalculationError } from './engine.ts';
import { resultCells } from './filled-cells.ts';
import type { FormulaIndex } from './graph/formula-index.ts';
import { precedents } from './graph/precedents.ts';
import { cellAt } from './reader/cell-index.ts';
import type { FormulaModel, SheetCells, WorkbookModel } from './reader/workbook-model.ts';
import type { SavedValues } from './saved-values.ts';
import { blockReference, referenceBlock } from './syntax/areas.ts';
import type { Node } from './syntax/ast.ts';
import { printFormula } from './syntax/printer.ts';
import { mapChildren } from './syntax/traverse.ts';
import { CellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

/** Maximum number of cells that a formula can read to be tried. */
const MAX_CELLS_PER_FORMULA = 1_000;
/** Maximum number of cells read in total. */
const MAX_CELL_READS = 2_000_000;
/**
 * Number of formulas always tried, in workbooks of any size; further ones are tried until tries times formulas reach
 * MAX_TRY_COST, which allows more tries in small workbooks.
 */
const MIN_TRIES = 200;
const MAX_TRY_COST = 5_000_000;
/**
 * Maximum deviation of a result relative to the largest number it reads; the same as the tolerance for equal numbers.
 */
const NEAR = 1e-9;

/** Legacy and dynamic array formulas. */
const ARRAYS: ReadonlySet<FormulaModel['kind']> = new Set(['array', 'dynamicArray']);

interface Result extends CellPosition {
  wanted: CellValue;
  got: CellValue;
}

export class SavedInputs {
  private readonly index: FormulaIndex;
  private readonly saved: SavedValues;
  private readonly calculated: CalculationModel;
  private readonly model: WorkbookModel;
  private readonly extents: { bottom: number; right: number }[] = [];
  private tries = 0;
  private cellReads = 0;
  /** The largest number that contributed to each explained formula, by cell. */
  private readonly explained = new Map<string, number>();
  private copy: CalculationModel | null = null;

  constructor(model: WorkbookModel, index: FormulaIndex, saved: SavedValues, calculated: CalculationModel) {
    this.model = model;
    this.index = index;
    this.saved = saved;
    this.calculated = calculated;
  }

  /**
   * Returns true if a difference in numbers is explained by the last digits of the inputs. The formula must give the
   * saved numbers when calculated from the saved values of the cells it reads. These must count as equal to the
   * calculated ones, and the difference must be small relative to them or to what contributed to them.
   */
  explain(id: number): boolean {
    const { sheet } = this.index.cells[id]!;
    const differing = this.results(id)?.filter(({ wanted, got }) => !sameValue(wanted, got)) ?? [];
    if (differing.length === 0) return false;
    let greatest = 0;
    for (const { wanted, got } of differing) {
      if (typeof wanted !== 'number' || typeof got !== 'number') return false;
      greatest = Math.max(greatest, Math.abs(wanted - got));
    }
    const read = this.inputs(id);
    if (!read || greatest > NEAR * read.greatest) return false;
    if (!this.comesTo(id, read.cells)) return false;
    for (const { row, col } of differing) this.explained.set(keyOf(sheet, row, col), read.greatest);
    return true;
  }

  /**
   * Returns true if a text or Boolean that differs equals the saved one when the cells read have their saved last
   * digits.
   */
  isOfLastDigits(id: number): boolean {
    const read = this.inputs(id);
    return read !== null && this.comesTo(id, read.cells);
  }

  dispose(): void {
    this.copy?.dispose();
    this.copy = null;
  }

  /** Returns the cells that a formula fills with their saved and calculated values; null if there are too many. */
  private results(id: number): Result[] | null {
    const { sheet, row, col, formula } = this.index.cells[id]!;
    const block = ARRAYS.has(formula.kind) ? formula.block : undefined;
    if (block && sizeOf(block) > MAX_CELLS_PER_FORMULA) return null;
    return [...resultCells(block, row, col)].map((at) => ({
      ...at,
      wanted: this.saved.find(sheet, at.row, at.col),
      got: this.calculated.value(sheet, at.row, at.col),
    }));
  }

  /**
   * Returns true if the formula gives the saved values when the cells it reads have theirs. At least one of these must
   * differ from the calculated value.
   */
  private comesTo(id: number, cells: readonly CellEdit[]): boolean {
    const { sheet, row, col, formula } = this.index.cells[id]!;
    const results = this.results(id);
    if (!results || !(ARRAYS.has(formula.kind) || ['normal', 'shared', 'filled'].includes(formula.kind))) return false;
    if (cells.every(({ value, ...at }) => isSame(value, this.calculated.value(at.sheet, at.row, at.col)))) return false;
    if (this.tries >= MIN_TRIES && this.tries * this.index.cells.length >= MAX_TRY_COST) return false;
    this.tries += 1;
    const copy = (this.copy ??= this.calculated.copy());
    try {
      this.write(copy, cells);
      const tree = this.withBlocks(id);
      if (!ARRAYS.has(formula.kind) && tree === this.index.cells[id]!.tree) {
        return sameValue(this.saved.find(sheet, row, col), copy.value(sheet, row, col));
      }
      const text = tree && printFormula(tree, { row, col });
      const { values } = (text && copy.evaluate?.({ text, sheet, base: { row, col } }, { row, col })) || { values: [] };
      return (
        values.length === results.length && inRows(results).every(({ wanted }, at) => sameValue(wanted, values[at]!))
      );
    } catch (error) {
      if (!(error instanceof CalculationError) || error.code !== 'circular') throw error;
      return false;
    }
  }

  /** Writes twice if necessary: a value within a dynamic array turns the array into #SPILL!. */
  private write(copy: CalculationModel, cells: readonly CellEdit[]): void {
    for (let pass = 0; pass < 2; pass += 1) {
      const edits = cells.filter(({ value, ...at }) => !isSame(value, copy.value(at.sheet, at.row, at.col)));
      if (edits.length === 0 && pass > 0) return;
      copy.setCells(edits);
      copy.recalculate();
    }
  }

  /**
   * Returns the formula with 'K60#' replaced by the block that the dynamic array filled. 'K60#' is an error once K60
   * contains a plain value.
   */
  private withBlocks(id: number): Node | null {
    const { tree, sheet: own, row, col } = this.index.cells[id]!;
    const change = (node: Node): Node => {
      if (node.type !== 'postfix' || node.operator !== '#' || node.operand.type !== 'reference') {
        return mapChildren(node, change);
      }
      const { prefix } = node.operand;
      const sheets = this.index.scope.prefixSheets(prefix, own);
      const block =
        sheets?.length === 1 ? this.filledFrom(sheets[0]!, referenceBlock(node.operand, { row, col })) : null;
      return block ? blockReference(block, prefix) : node;
    };
    return tree && change(tree);
  }

  private filledFrom(sheet: number, { top, left }: CellBlock): CellBlock | null {
    const cells = this.model.sheets[sheet]?.cells;
    const at = cells ? cellAt(cells, top, left) : -1;
    const formula = at < 0 ? undefined : cells!.formulaTable[cells!.formulas[at]!];
    return formula?.kind === 'dynamicArray' ? (formula.block ?? null) : null;
  }

  /**
   * Returns the cells that a formula reads with their saved values, and the largest number among them. Null if a value
   * differs by more than its last digits, if the cells are unknown, or if there are too many.
   */
  private inputs(id: number): { cells: CellEdit[]; greatest: number } | null {
    const { sheet: own, row: ownRow, col: ownCol, tree } = this.index.cells[id]!;
    const written = this.withBlocks(id);
    const { areas, unknown } =
      written && written !== tree
        ? precedents(written, own, { row: ownRow, col: ownCol }, this.index.scope)
        : this.index.precedents(id);
    if (unknown) return null;
    const cells: CellEdit[] = [];
    let greatest = 0;
    let count = 0;
    for (const { sheet, block: whole } of areas) {
      const block = this.used(sheet, whole);
      const size = Math.max(0, block.bottom - block.top + 1) * Math.max(0, block.right - block.left + 1);
      if ((count += size) > MAX_CELLS_PER_FORMULA || (this.cellReads += size) > MAX_CELL_READS) return null;
      for (let row = block.top; row <= block.bottom; row += 1) {
        for (let col = block.left; col <= block.right; col += 1) {
          const value = this.saved.find(sheet, row, col);
          const explained = this.explained.get(keyOf(sheet, row, col));
          if (typeof value === 'number') greatest = Math.max(greatest, Math.abs(value), explained ?? 0);
          if (explained === undefined && !sameValue(value, this.calculated.value(sheet, row, col))) return null;
          cells.push({ sheet, row, col, value });
        }
      }
    }
    return { cells, greatest };
  }

  /** Limits whole columns and rows to the part in which the file has cells. */
  private used(sheet: number, block: CellBlock): CellBlock {
    const extent = (this.extents[sheet] ??= extentOf(this.model.sheets[sheet]?.cells));
    return {
      ...block,
      bottom: Math.min(block.bottom, extent.bottom),
      right: Math.min(block.right, extent.right),
    };
  }
}

const sizeOf = ({ top, left, bottom, right }: CellBlock): number => (bottom - top + 1) * (right - left + 1);

const inRows = (results: readonly Result[]): Result[] => [...results].sort((a, b) => a.row - b.row || a.col - b.col);

const keyOf = (sheet: number, row: number, col: number): string => `${sheet}:${row}:${col}`;

const isSame = (a: CellValue, b: CellValue): boolean =>
  a === b || (a instanceof CellError && b instanceof CellError && a.code === b.code);

function extentOf(cells: SheetCells | undefined): { bottom: number; right: number } {
  let bottom = -1;
  let right = -1;
  for (let at = 0; at < (cells?.count ?? 0); at += 1) {
    bottom = Math.max(bottom, cells!.rows[at]!);
    right = Math.max(right, cells!.cols[at]!);
  }
  return { bottom, right };
}
