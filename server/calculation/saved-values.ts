/** The values saved in a file, by cell. */
import { cellAt } from './reader/cell-index.ts';
import { CellKind } from './reader/workbook-model.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import { cellError, ERROR_CODES } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

export class SavedValues {
  private readonly model: WorkbookModel;

  constructor(model: WorkbookModel) {
    this.model = model;
  }

  /** Returns the value at an index of a sheet's cells; null for a blank cell. */
  at(sheet: number, cell: number): CellValue {
    const { cells } = this.model.sheets[sheet]!;
    const value = cells.values[cell]!;
    switch (cells.kinds[cell]) {
      case CellKind.Number:
        return value;
      case CellKind.Text:
        return this.model.strings[value] ?? '';
      case CellKind.Boolean:
        return value === 1;
      case CellKind.Error:
        return cellError(ERROR_CODES[value] ?? '#VALUE!')!;
      default:
        return null;
    }
  }

  find(sheet: number, row: number, col: number): CellValue {
    const at = cellAt(this.model.sheets[sheet]!.cells, row, col);
    return at < 0 ? null : this.at(sheet, at);
  }
}
