/** Reads the rows of a workbook table for steps that pass them on. */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import type { StepDefinition } from '#server/executors/activity-definition.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { hasDay } from '#shared/codecs/date-format.ts';
import { isDate } from '#shared/codecs/format-value.ts';
import { shiftFrom1904 } from '#shared/codecs/serial-date.ts';
import { tableBody } from '../definitions/blocks.ts';
import { findTable } from '../definitions/table-references.ts';
import { LogCode } from '#shared/rules/log-codes.ts';
import { RunEnded } from './run-ended.ts';
import type { StepContext } from './step-context.ts';

/** Maximum number of error cells that are reported one by one. */
const MAX_REPORTED_CELLS = 20;

type PlainCell = Exclude<CellValue, CellError>;

export interface RowsOfStep {
  /** Name of the table. */
  table: string;
  /** 0-based indexes of its columns. */
  columnIndexes: readonly number[];
  /** The word for what does not happen if there are errors, as used in the messages. */
  undone: 'written' | 'started';
}

/** Per column: true if its cells format their numbers as dates. */
export function datesOf({ view }: StepContext, table: TableModel, columnIndexes: readonly number[]): boolean[] {
  const { top, left } = tableBody(table);
  const formatOf = (index: number): string => view.cell(table.sheet, top, left + index).format;
  return columnIndexes.map((index) => isDate(formatOf(index)) && hasDay(formatOf(index)));
}

/**
 * Returns the rows of the table without blank ones; an empty table has one blank row. Errors in cells end the run
 * before anything is done with the rows.
 */
export function tableRows(
  context: StepContext,
  step: StepDefinition,
  { table: name, columnIndexes, undone }: RowsOfStep,
): PlainCell[][] {
  const { calculation, log } = context;
  const table = findTable(calculation.model, name)!;
  const block = calculation.now(table.sheet, tableBody(table));
  const dates = calculation.model.date1904 ? datesOf(context, table, columnIndexes) : [];
  const errors: string[] = [];
  const rows: PlainCell[][] = [];
  for (const [y, values] of calculation.read(table.sheet, block).entries()) {
    const row = columnIndexes.map((index, x): PlainCell => {
      const value = values[index] ?? null;
      if (value instanceof CellError) {
        errors.push(
          `${value.code} in ${calculation.model.sheets[table.sheet]!.name}!${formatCell(block.top + y, block.left + index)}`,
        );
        return null;
      }
      return typeof value === 'number' && dates[x] ? shiftFrom1904(value) : value;
    });
    if (!values.every((value) => value === null || value === '')) rows.push(row);
  }
  if (errors.length === 0) return rows;
  const code = undone === 'written' ? LogCode.WriteRefused : LogCode.StepRefused;
  const nothing = `Step '${step.Step}': nothing was ${undone} because of`;
  for (const error of errors.slice(0, MAX_REPORTED_CELLS)) log.error(`${nothing} the error ${error}`, code);
  const more = errors.length - MAX_REPORTED_CELLS;
  if (more > 0) log.error(`${nothing} errors in ${more} more ${more === 1 ? 'cell' : 'cells'}`, code);
  throw new RunEnded('Failed');
}
