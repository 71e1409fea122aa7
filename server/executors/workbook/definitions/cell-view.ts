/** Random access to the saved cells of a workbook model. */
import type { FormulaTypes } from '#server/calculation/kinds/formula-types.ts';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import type { FormulaModel, SheetModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';

/** A cell as it was saved. A cell that the file does not store is blank. */
export interface SavedCell {
  value: CellValue;
  formula: FormulaModel | null;
  /** Number format code, even for cells that the file does not store. */
  format: string;
  /** The file has no saved value for the formula, so this value was calculated. */
  isCalculated?: true;
}

export interface CellView {
  cell(sheet: number, row: number, col: number): SavedCell;
  /**
   * Types inferred from formulas, for cells that do not reveal their own type. Absent if only the cells themselves
   * count.
   */
  readonly formulaTypes?: FormulaTypes;
}

export function createCellView(model: WorkbookModel): CellView {
  const formatOf = (style: number): string => model.numberFormats[style] ?? 'General';
  return {
    cell(sheetIndex, row, col) {
      const sheet = model.sheets[sheetIndex]!;
      const at = cellAt(sheet.cells, row, col);
      if (at < 0) return { value: null, formula: null, format: formatOf(defaultStyle(sheet, row, col)) };
      const { formulas, formulaTable, styles } = sheet.cells;
      return {
        value: savedValue(sheet.cells, at, model.strings),
        formula: formulas[at]! < 0 ? null : formulaTable[formulas[at]!]!,
        format: formatOf(styles[at]!),
      };
    },
  };
}

function defaultStyle(sheet: SheetModel, row: number, col: number): number {
  const rowStyle = sheet.rowStyles.get(row);
  if (rowStyle !== undefined) return rowStyle;
  return sheet.columnStyles.find(({ first, last }) => col >= first && col <= last)?.style ?? 0;
}
