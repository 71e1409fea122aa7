/** Values of cells as Excel would show them, through the number format the workbook gives them. */
import { format, isDateFormat, isValidFormat } from 'numfmt';
import type { CellUsage } from '../contract/parameters.ts';
import { formatSerialDate } from './serial-date.ts';

/** A value as it stands in JSON: an Excel error is {"error": "#N/A"}. */
export type JsonCell = number | string | boolean | null | { error: string };

/** What a cell shows. `code` is Excel's number format ('General' where none is set); one it cannot have counts as General. */
export function formatCellValue(value: JsonCell | undefined, code = 'General', usage?: CellUsage): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return value.error;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return value;
  if (usage === 'Date' && !isDate(code)) return formatSerialDate(value) || String(value);
  return format(isValidFormat(code) ? code : 'General', value, { throws: false });
}

/** Whether a number format shows days or times. */
export function isDate(code: string): boolean {
  return isValidFormat(code) && isDateFormat(code);
}

/** The cells of a JSON value in rows: a scalar is one row of one cell, a list one row (or one column) of cells. */
export function valueRows(json: string | null, asColumn = true): JsonCell[][] {
  if (json === null) return [];
  const value = JSON.parse(json) as JsonCell | JsonCell[] | JsonCell[][];
  if (!Array.isArray(value)) return [[value]];
  if (value.length === 0) return [];
  if (Array.isArray(value[0])) return value as JsonCell[][];
  return asColumn ? (value as JsonCell[]).map((cell) => [cell]) : [value as JsonCell[]];
}
