/** A table as a new workbook. Texts stay texts: no cell content ever becomes a formula. */
import type { CellContent } from '#server/base/xlsx/cell-xml.ts';
import { sheetName } from '#server/base/xlsx/sheet-name.ts';
import { buildWorkbook } from '#server/base/xlsx/stream-workbook.ts';

/** How numbers are displayed. */
export interface NumberFormat {
  /** True if the numbers are serial days. */
  isDate: boolean;
  /** Excel's number format; '' for none. */
  format: string;
}

export interface TableColumn extends NumberFormat {
  header: string;
  /** Note about the values, shown at the header; none if '' or omitted. */
  note?: string;
}

export interface TableContent {
  sheetName: string;
  /** Row of the headers, from 1. */
  headerRow: number;
  columns: TableColumn[];
  /** Titles to the left of the rows; empty if there are none. */
  rowHeaders: string[];
  /** Formats of the rows if each has its own, instead of those of the columns; otherwise empty. */
  rowFormats: NumberFormat[];
  rows: unknown[][];
}

/** Source: Excel's specifications and limits. */
const MAX_TEXT_LENGTH = 32_767;
const DATE_FORMAT = 'd/mmm/yyyy';

export function buildTableWorkbook(content: TableContent): Promise<Uint8Array> {
  const { columns, rowHeaders, rowFormats, headerRow } = content;
  const withRowHeaders = rowHeaders.length > 0;
  const titled = withRowHeaders || columns.some(({ header }) => header !== '');
  const own = columns.map(({ header, format, isDate }) => ({
    width: Math.min(50, Math.max(10, header.length + 2)),
    format: cellFormat(format, isDate),
  }));
  return buildWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: sheetName(content.sheetName, 'Table'),
      columns: withRowHeaders ? [{}, ...own] : own,
    });
    for (let row = 1; row < headerRow; row += 1) await sheet.addRow([]);
    if (titled) {
      const headers = columns.map(({ header }) => textCell(header));
      await sheet.addHeadings(withRowHeaders ? ['', ...headers] : headers);
      for (const [col, { note }] of columns.entries())
        if (note) sheet.addNote(headerRow - 1, col + Number(withRowHeaders), note);
    }
    for (const [index, cells] of content.rows.entries()) {
      const values = cells.map(cellValue);
      const rowFormat = rowFormats[index];
      const format = rowFormat && cellFormat(rowFormat.format, rowFormat.isDate);
      await sheet.addRow(withRowHeaders ? [textCell(rowHeaders[index] ?? ''), ...values] : values, (col) =>
        format && col >= Number(withRowHeaders) ? { format } : undefined,
      );
    }
    sheet.end();
  });
}

function textCell(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH);
}

/** Returns the Excel number format for values with a workbook's own format; undefined for none. */
export function cellFormat(format: string, isDate: boolean): string | undefined {
  if (format !== '' && format !== 'General') return format;
  return isDate ? DATE_FORMAT : undefined;
}

/** Converts a JSON value to the content of a cell. */
export function cellValue(value: unknown): CellContent {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return textCell(value);
  const { error } = (value ?? {}) as { error?: unknown };
  return typeof error === 'string' ? { error } : null;
}
