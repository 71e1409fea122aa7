/** A table as a new workbook. Texts stay texts: no cell content ever becomes a formula. */
import { excelJs } from '#server/base/on-demand.ts';

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
const MAX_SHEET_NAME_LENGTH = 31;
const DATE_FORMAT = 'd/mmm/yyyy';

export async function buildTableWorkbook(content: TableContent): Promise<Uint8Array> {
  const workbook = new (excelJs().Workbook)();
  const sheet = workbook.addWorksheet(sheetName(content.sheetName));
  const withRowHeaders = content.rowHeaders.length > 0;
  const titled = withRowHeaders || content.columns.some(({ header }) => header !== '');
  for (let row = 1; row < content.headerRow; row += 1) sheet.addRow([]);
  if (titled) {
    const headers = content.columns.map(({ header }) => textCell(header));
    sheet.addRow(withRowHeaders ? ['', ...headers] : headers).font = { bold: true };
  }
  for (const [index, column] of content.columns.entries()) {
    const numFmt = cellFormat(column.format, column.isDate);
    const sheetColumn = sheet.getColumn(index + 1 + Number(withRowHeaders));
    sheetColumn.width = Math.min(50, Math.max(10, column.header.length + 2));
    if (numFmt) sheetColumn.numFmt = numFmt;
    if (column.note && titled) sheet.getCell(content.headerRow, index + 1 + Number(withRowHeaders)).note = column.note;
  }
  for (const [index, cells] of content.rows.entries()) {
    const values = cells.map(cellValue);
    const row = sheet.addRow(withRowHeaders ? [textCell(content.rowHeaders[index] ?? ''), ...values] : values);
    const rowFormat = content.rowFormats[index];
    const numFmt = rowFormat && cellFormat(rowFormat.format, rowFormat.isDate);
    if (!numFmt) continue;
    for (const col of values.keys()) row.getCell(col + 1 + Number(withRowHeaders)).numFmt = numFmt;
  }
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

/** Returns a valid sheet name, without what Excel refuses. */
export function sheetName(name: string): string {
  const clean = name
    .replaceAll(/[\\/?*[\]:]/g, ' ')
    .replaceAll(/^'|'$/g, '')
    .trim()
    .slice(0, MAX_SHEET_NAME_LENGTH);
  return clean === '' || clean.toLowerCase() === 'history' ? 'Table' : clean;
}

function textCell(text: string): string {
  return text.slice(0, MAX_TEXT_LENGTH);
}

const ERRORS = ['#N/A', '#REF!', '#NAME?', '#DIV/0!', '#NULL!', '#VALUE!', '#NUM!'];

/** Returns the Excel number format for values with a workbook's own format; undefined for none. */
export function cellFormat(format: string, isDate: boolean): string | undefined {
  if (format !== '' && format !== 'General') return format;
  return isDate ? DATE_FORMAT : undefined;
}

/** Converts a JSON value for exceljs; texts stay texts. */
export function cellValue(value: unknown): string | number | boolean | null | { error: string } {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') return textCell(value);
  const { error } = (value ?? {}) as { error?: unknown };
  if (typeof error !== 'string') return null;
  // Newer errors, such as #SPILL!, have no cell type of their own.
  return ERRORS.includes(error) ? { error } : error;
}
