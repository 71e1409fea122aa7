/** Values of inputs and outputs as tables for display, on screens and in PDFs. */
import type { CellUsage, InputInfo, OutputInfo } from '../contract/parameters.ts';
import { dateFormatOf } from './date-format.ts';
import { valueRows, type JsonCell } from './format-value.ts';
import { isFileUsage, isHiddenColumn } from './input-form.ts';

type Info = InputInfo | OutputInfo;

/** Formats a cell in the region of a person. */
export type ShowValue = (value: JsonCell | undefined, format?: string, usage?: CellUsage) => string;

export interface TableColumn {
  title: string;
  usage: CellUsage;
  /** Excel's number format. */
  format: string;
}

export interface TableRow {
  /** Position in the value, from 0. Downloads of filtered rows refer to it. */
  index: number;
  name: string;
  cells: readonly JsonCell[];
}

export interface ValueTable {
  columns: TableColumn[];
  /** True if rows have names. */
  hasRowNames: boolean;
  rows: TableRow[];
}

export const isFileValue = (info: Info): boolean => isFileUsage(info.CellUsages[0]);
export const isSingleValue = (info: Info): boolean => info.RangeType === 'SingleCell';

/** Numbers and dates are aligned at the right. */
export const isRightAligned = ({ usage }: TableColumn): boolean => usage === 'Number' || usage === 'Date';

/** Returns a list, table or matrix as a table. */
export function tableOfValue(json: string | null, info: Info, name: string, show: ShowValue): ValueTable {
  const rows = valueRows(json, info.RangeType !== 'SingleRowOfSimilarValues');
  const width = rows.reduce((max, row) => Math.max(max, row.length), info.ColumnHeaderValues.length);
  // With row headings, usages and formats apply per row. A column then shows what its cells have in common.
  const byRow = info.RangeType === 'RangeWithRowHeaders' && info.CellUsages.length > 1;
  const columns = Array.from({ length: width }, (_, col): TableColumn => ({
    title: columnTitle(info, col, name),
    usage: byRow ? 'Text' : (info.CellUsages[col] ?? info.CellUsages[0] ?? 'Text'),
    format: byRow ? 'General' : (info.Formats[col] ?? info.Formats[0] ?? 'General'),
  }));
  const table: ValueTable = {
    columns,
    hasRowNames: info.RowHeaderValues.length > 0,
    rows: rows.map((cells, index) => ({
      index,
      name: info.RowHeaderValues[index] ?? '',
      cells: byRow ? cells.map((cell) => show(cell, info.Formats[index], info.CellUsages[index])) : cells,
    })),
  };
  return withoutHidden(table, info);
}

/** Hides what the form hides: hidden parts of an input are not shown in its run either. */
function withoutHidden(table: ValueTable, info: Info): ValueTable {
  if (!('Specifications' in info) || !info.Specifications.includes('Hidden')) return table;
  if (info.RangeType === 'RangeWithRowHeaders')
    return { ...table, rows: table.rows.filter(({ index }) => !isHiddenColumn(info, index, 0)) };
  const isShown = (_: unknown, col: number): boolean => !isHiddenColumn(info, 0, col);
  const rows = table.rows.map((row) => ({ ...row, cells: row.cells.filter(isShown) }));
  return { ...table, columns: table.columns.filter(isShown), rows };
}

function columnTitle(info: Info, col: number, name: string): string {
  const title = info.ColumnHeaderValues[col];
  if (title) return title;
  return info.RangeType === 'SingleColumnOfSimilarValues' ? name : String(col + 1);
}

/** Returns a column as numbers for plotting; NaN and non-numbers become gaps. */
export const columnNumbers = (table: ValueTable, col: number): (number | null)[] =>
  table.rows.map(({ cells }) => {
    const cell = cells[col];
    return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
  });

export interface PlotPlan {
  /** Column of the x axis; null uses the row number. */
  x: number | null;
  series: number[];
}

/** Number of lines shown at first. More lines are hard to read. */
export const FIRST_PLOTTED = 4;

/**
 * Returns what can be plotted of a table: numbers over the first column that always rises (dates, years, periods), else
 * over the row number. Null if there is nothing to plot.
 */
export function planPlot(table: ValueTable): PlotPlan | null {
  if (table.rows.length < 2) return null;
  const numeric = table.columns.flatMap(({ usage }, col) => (usage === 'Number' || usage === 'Date' ? [col] : []));
  const x = numeric.find((col) => isRising(columnNumbers(table, col))) ?? null;
  const series = numeric.filter(
    (col) => col !== x && isAmount(table.columns[col]!) && columnNumbers(table, col).some((value) => value !== null),
  );
  return series.length > 0 ? { x, series } : null;
}

/** True for amounts: durations count, points in time do not. */
const isAmount = ({ usage, format }: TableColumn): boolean =>
  usage === 'Number' || (usage === 'Date' && dateFormatOf(format).kind === 'duration');

const isRising = (values: readonly (number | null)[]): boolean =>
  values.every((value, index) => value !== null && (index === 0 || value > (values[index - 1] ?? Infinity)));
