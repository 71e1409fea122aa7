/**
 * The view of the cells from which a workbook's definition is read. It adds calculated values if the file has none, and
 * types inferred from formulas.
 */
import type { CalculationModel } from '#server/calculation/engine.ts';
import { FormulaTypes } from '#server/calculation/kinds/formula-types.ts';
import { CellKind } from '#server/calculation/reader/workbook-model.ts';
import type { SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { createCellView } from './cell-view.ts';
import type { CellView } from './cell-view.ts';
import { formatUsage, saidUsage } from './usages.ts';

/**
 * `calculated` is called at most once, and only for files of programs that save no values. It returns null if the
 * workbook cannot be calculated.
 */
export function createDefinitionView(model: WorkbookModel, calculated: () => CalculationModel | null): CellView {
  const view = createCellView(model);
  const cell = withCalculatedValues(model, view, calculated);
  const cellTypes = {
    ofCell: (sheet: number, row: number, col: number) => saidUsage([cell(sheet, row, col)], null, null),
    ofFormat: (sheet: number, row: number, col: number) => formatUsage(view.cell(sheet, row, col).format),
  };
  return { cell, formulaTypes: new FormulaTypes(model, cellTypes, formatUsage) };
}

/**
 * Returns the cells of a view, with a calculated value if the file has a formula without a value. `calculated` as in
 * createDefinitionView.
 */
export function withCalculatedValues(
  model: WorkbookModel,
  view: CellView,
  calculated: () => CalculationModel | null,
): CellView['cell'] {
  const unsavedArrays = model.sheets.map(unsavedArraysOf);
  let known: CalculationModel | null | undefined;
  return (sheet, row, col) => {
    const saved = view.cell(sheet, row, col);
    if (saved.value !== null) return saved;
    const isUnsaved = saved.formula !== null || unsavedArrays[sheet]!.some((block) => covers(block, row, col));
    if (!isUnsaved || saved.formula?.kind === 'dataTable') return saved;
    known ??= calculated();
    return known ? { ...saved, value: known.value(sheet, row, col), isCalculated: true } : saved;
  };
}

/** Returns the ranges of array formulas whose values are not in the file. */
function unsavedArraysOf({ cells }: SheetModel): CellBlock[] {
  const blocks: CellBlock[] = [];
  for (let at = 0; at < cells.count; at++) {
    if (cells.formulas[at]! < 0 || cells.kinds[at] !== CellKind.Blank) continue;
    const { kind, block } = cells.formulaTable[cells.formulas[at]!]!;
    if (block && (kind === 'array' || kind === 'dynamicArray')) blocks.push(block);
  }
  return blocks;
}

const covers = ({ top, left, bottom, right }: CellBlock, row: number, col: number): boolean =>
  row >= top && row <= bottom && col >= left && col <= right;
