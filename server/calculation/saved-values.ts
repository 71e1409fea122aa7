/** The values a file holds, by cell. */
import { lowerBound } from './graph/formula-index.ts';
import { CellKind } from './reader/workbook-model.ts';
import type { WorkbookModel } from './reader/workbook-model.ts';
import { cellError, ERROR_CODES } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

export class SavedValues {
  private readonly model: WorkbookModel;
  /** By sheet, when asked for: where each row begins. */
  private readonly rows: (Map<number, { from: number; to: number }> | undefined)[] = [];

  constructor(model: WorkbookModel) {
    this.model = model;
  }

  /** The value of the cell at this position of its sheet's cells; null for a blank one. */
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
    const span = (this.rows[sheet] ??= this.rowSpans(sheet)).get(row);
    if (!span) return null;
    const cols = [...this.model.sheets[sheet]!.cells.cols.subarray(span.from, span.to)];
    const at = lowerBound(cols, col, (own) => own);
    return cols[at] === col ? this.at(sheet, span.from + at) : null;
  }

  private rowSpans(sheet: number): Map<number, { from: number; to: number }> {
    const spans = new Map<number, { from: number; to: number }>();
    const { rows, count } = this.model.sheets[sheet]!.cells;
    for (let cell = 0; cell < count; cell += 1) {
      const span = spans.get(rows[cell]!);
      if (span) span.to = cell + 1;
      else spans.set(rows[cell]!, { from: cell, to: cell + 1 });
    }
    return spans;
  }
}
