/** Fills tables from steps. */
import type { CellEdit } from '#server/calculation/engine.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { to1904 } from '#shared/codecs/date-systems.ts';
import { tableBody } from '../definitions/blocks.ts';
import { tableFields } from '../definitions/step-guesses.ts';
import { findTable } from '../definitions/table-references.ts';
import type { TargetColumn } from '../import/typed-rows.ts';
import type { StepContext } from './step-context.ts';

/**
 * Returns the columns of a table with the types of their cells in the file; formulas decide the types of blank cells.
 */
export function targetColumns(
  { calculation, view }: Pick<StepContext, 'calculation' | 'view'>,
  name: string,
): TargetColumn[] {
  const { model } = calculation;
  const table = findTable(model, name)!;
  return tableFields(model, view, table).map((field, index) => ({
    name: table.columns[index]!.name,
    usage: field.usage,
    isGuessed: field.guess !== null,
    isCalculated: table.columns[index]!.calculatedFormula !== undefined || field.formulas === 'all',
  }));
}

/**
 * Fills a table with these rows, at least one; columns with formulas keep them. Dates are serial numbers of the 1900
 * date system.
 */
export function fillTable(
  { calculation }: Pick<StepContext, 'calculation'>,
  name: string,
  targets: readonly TargetColumn[],
  rows: CellValue[][],
): void {
  const table = findTable(calculation.model, name)!;
  const body = tableBody(table);
  calculation.resize(name, Math.max(1, rows.length));
  const block = calculation.now(table.sheet, body);
  const edits: CellEdit[] = [];
  for (let row = block.top; row <= block.bottom; row++) {
    for (const [index, { isCalculated, usage }] of targets.entries()) {
      if (isCalculated) continue;
      const value = rows[row - block.top]?.[index] ?? null;
      const isDay1904 = usage === 'Date' && typeof value === 'number' && calculation.model.date1904;
      edits.push({
        sheet: table.sheet,
        row,
        col: block.left + index,
        value: isDay1904 ? to1904(value, 'General') : value,
      });
    }
  }
  calculation.write(edits);
}
