/** Converts the workbook's own values of input cells to an input's JSON text. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { ruleIndex, valueShape } from '#shared/codecs/input-form.ts';
import type { FormCell } from '#shared/codecs/input-form.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { valueGrid } from '../anchors.ts';
import type { CellView } from './cell-view.ts';
import type { Shape } from './shapes.ts';

/**
 * Maximum number of cells of a default value, which is stored with each version and sent with each form. The defaults
 * of larger tables stay only in the workbook.
 */
const MAX_CELLS = 20_000;

export interface DefaultCells {
  sheet: number;
  shape: Shape;
  usages: readonly CellUsage[];
  /** Number formats, parallel to the usages. */
  formats: readonly string[];
  /** Per field of a table: true if its values are omitted, for example because formulas supply them. */
  skipped: readonly boolean[];
}

/** Returns null if all cells are blank, or if there are too many. */
export function defaultValue(model: WorkbookModel, view: CellView, cells: DefaultCells): string | null {
  const { data, anchors, rangeType } = cells.shape;
  const { height, width, rowAt, colAt } = valueGrid(data, anchors);
  if (height * width > MAX_CELLS) return null;
  let isBlank = true;
  const rows: FormCell[][] = [];
  for (let y = 0; y < height; y++) {
    const line: FormCell[] = [];
    for (let x = 0; x < width; x++) {
      const index = ruleIndex({ RangeType: rangeType, CellUsages: [...cells.usages] }, y, x);
      const { value } = view.cell(cells.sheet, rowAt(y), colAt(x));
      const isSkipped = cells.skipped[index] === true && cells.usages.length > 1;
      if (!isSkipped && value !== null && value !== '') isBlank = false;
      line.push(
        isSkipped ? null : toFormCell(value, cells.usages[index] ?? 'Text', model.date1904, cells.formats[index]),
      );
    }
    rows.push(line);
  }
  if (isBlank) return null;
  const shape = valueShape({ RangeType: rangeType });
  if (shape === 'cell') return JSON.stringify(rows[0]![0]);
  return JSON.stringify(shape === 'list' ? rows.flat() : rows);
}

/** Returns a cell's value as the form holds it. An error counts as no value. */
export function toFormCell(value: CellValue, usage: CellUsage, date1904: boolean, format = 'General'): FormCell {
  if (value instanceof CellError || value === null) return usage === 'Boolean' ? false : null;
  if (usage === 'Boolean') return value === true || value === 'TRUE';
  if (usage === 'Number') return typeof value === 'number' ? value : null;
  if (usage === 'Date') return typeof value === 'number' ? (date1904 ? from1904(value, format) : value) : null;
  return savedText(value);
}

/** Returns the text of a saved value in a Text input. */
export function savedText(value: number | string | boolean): string {
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}
