/** Reads the Excel table whose columns a condition may reference: the types of its columns and the values in them. */
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import type { ColumnKind, ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { dateFormatOf } from '#shared/codecs/date-format.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { tableBody } from './blocks.ts';
import type { CellView, SavedCell } from './cell-view.ts';
import { formatOf, usageOf } from './usages.ts';

/** Maximum number of rows read, and of different values per column offered for selection. */
const MAX_ROWS = 20_000;
const MAX_VALUES = 1000;

export function conditionTable(
  view: CellView,
  table: TableModel,
): { columns: ConditionColumn[]; values: Record<string, string[]> } {
  const { top, bottom, left } = tableBody(table);
  const rows = Math.min(bottom - top + 1, MAX_ROWS);
  const columns: ConditionColumn[] = [];
  const values: [string, string[]][] = [];
  for (const [index, { name }] of table.columns.entries()) {
    const cells = Array.from({ length: rows }, (_, row) => view.cell(table.sheet, top + row, left + index));
    const usage = usageOf(cells, null, null);
    const kind = kindOf(usage, formatOf(cells));
    columns.push({ Name: name, Kind: kind });
    values.push([name, distinctValues(cells, kind)]);
  }
  return { columns, values: Object.fromEntries(values) };
}

/** Durations are compared as plain numbers. */
function kindOf(usage: CellUsage, format: string): ColumnKind {
  if (usage === 'Date') return dateFormatOf(format).kind === 'duration' ? 'Number' : 'Date';
  return usage === 'Number' || usage === 'Boolean' ? usage : 'Text';
}

/** Returns the distinct values as list items, in order. Numbers and serial dates are written in digits. */
function distinctValues(cells: readonly SavedCell[], kind: ColumnKind): string[] {
  const distinct = new Set<string>();
  for (const { value } of cells) {
    if (distinct.size >= MAX_VALUES) break;
    if (typeof value === 'boolean') distinct.add(value ? 'TRUE' : 'FALSE');
    else if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''))
      distinct.add(String(value));
  }
  const isNumeric = kind === 'Number' || kind === 'Date';
  return [...distinct].sort((a, b) => (isNumeric ? Number(a) - Number(b) : a.localeCompare(b, 'en')));
}
