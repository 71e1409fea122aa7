/**
 * Sample files of inputs, created on request. A .csv never contains a formula: a text that would be read as one gets a
 * leading apostrophe.
 */
import { stringify } from 'csv-stringify/sync';
import type { InputDefinition, SampleLayout } from '#server/executors/activity-definition.ts';
import type { TableSource } from '#server/sheets/table-content.ts';
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { valueShape } from '#shared/codecs/input-form.ts';

type Cell = SampleLayout['rows'][number][number];

/** Returns the contents of an input's sample; null if it has none. */
export function sampleLayout({ Name, Info, sample }: InputDefinition): SampleLayout | null {
  if (Info.SampleFilePath === null) return null;
  if (sample) return { ...sample, sheetName: sample.sheetName || Name };
  if (valueShape(Info) !== 'rows') return null;
  // People paste rows of the sample into the grid, so it has the same columns in the same order.
  const shown = Info.ColumnHeaderValues.flatMap((_, col) => (Info.Specifications[col] === 'Hidden' ? [] : [col]));
  const rows = JSON.parse(Info.DefaultValue ?? '[]') as Cell[][];
  return {
    columns: shown.map((col) => ({
      name: Info.ColumnHeaderValues[col]!,
      usage: Info.CellUsages[col] ?? 'Text',
      format: Info.Formats[col] ?? 'General',
    })),
    rows: rows.map((cells) => shown.map((col) => cells[col] ?? null)),
    sheetName: Name,
    headerRow: 1,
    delimiter: ',',
    dateFormat: 'yyyy-mm-dd',
    decimalSeparator: '.',
  };
}

/** Returns the sample as a table for a workbook. */
export function sampleTable({ columns, rows, sheetName, headerRow }: SampleLayout): TableSource {
  return {
    name: sheetName,
    info: {
      RangeType: 'RangeWithColumnHeaders',
      CellUsages: columns.map(({ usage }) => usage),
      ColumnHeaderValues: columns.map(({ name }) => name),
      RowHeaderValues: [],
      Formats: columns.map(({ format }) => format),
    },
    value: JSON.stringify(rows),
    rowIndices: null,
    headerRow,
  };
}

export function sampleCsv(layout: SampleLayout): Uint8Array {
  const { columns, rows, headerRow, delimiter } = layout;
  const above = Array.from({ length: headerRow - 1 }, () => ['']);
  const head = columns.map(({ name }) => asText(name));
  const body = rows.map((cells) => cells.map((cell, col) => csvCell(layout, cell, col)));
  return new TextEncoder().encode(stringify([...above, head, ...body], { delimiter, bom: true }));
}

function csvCell({ columns, dateFormat, decimalSeparator }: SampleLayout, cell: Cell, col: number): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (typeof cell === 'string') return asText(cell);
  if (columns[col]?.usage === 'Date') return formatCellValue(cell, dateFormat, 'Date');
  return String(cell).replace('.', decimalSeparator);
}

/** Source: OWASP, CSV injection. */
const asText = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
