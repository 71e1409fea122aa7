/** What the workbook itself has in its input cells, as an input's JSON text. */
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

/** Larger tables keep their default in the workbook alone: it is stored with each version and sent with each form. */
const MOST_CELLS = 20_000;

export interface DefaultCells {
  sheet: number;
  shape: Shape;
  usages: readonly CellUsage[];
  /** Number formats, by usage. */
  formats: readonly string[];
  /** Fields of a table for which nothing is shown, such as those whose formulas give their values. */
  leftOut: readonly boolean[];
}

/** Null where all cells are blank, or too many. */
export function defaultValue(model: WorkbookModel, view: CellView, cells: DefaultCells): string | null {
  const { data, anchors, rangeType } = cells.shape;
  const { height, width, rowAt, colAt } = valueGrid(data, anchors);
  if (height * width > MOST_CELLS) return null;
  let isBlank = true;
  const rows: FormCell[][] = [];
  for (let y = 0; y < height; y++) {
    const line: FormCell[] = [];
    for (let x = 0; x < width; x++) {
      const index = ruleIndex({ RangeType: rangeType, CellUsages: [...cells.usages] }, y, x);
      const { value } = view.cell(cells.sheet, rowAt(y), colAt(x));
      const isLeftOut = cells.leftOut[index] === true && cells.usages.length > 1;
      if (!isLeftOut && value !== null && value !== '') isBlank = false;
      line.push(
        isLeftOut ? null : toFormCell(value, cells.usages[index] ?? 'Text', model.date1904, cells.formats[index]),
      );
    }
    rows.push(line);
  }
  if (isBlank) return null;
  const shape = valueShape({ RangeType: rangeType });
  if (shape === 'cell') return JSON.stringify(rows[0]![0]);
  return JSON.stringify(shape === 'list' ? rows.flat() : rows);
}

/** A cell's value as the form has it; an error is none. */
export function toFormCell(value: CellValue, usage: CellUsage, date1904: boolean, format = 'General'): FormCell {
  if (value instanceof CellError || value === null) return usage === 'Boolean' ? false : null;
  if (usage === 'Boolean') return value === true || value === 'TRUE';
  if (usage === 'Number') return typeof value === 'number' ? value : null;
  if (usage === 'Date') return typeof value === 'number' ? (date1904 ? from1904(value, format) : value) : null;
  return savedText(value);
}

/** The text that stands for a saved value in a Text input. */
export function savedText(value: number | string | boolean): string {
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}
