/** The common layout of the sample workbooks: titles, labelled inputs and results, tables, lists. */
import type { Cell, DataValidation, TableColumnProperties, Workbook, Worksheet } from 'exceljs';

export const MONEY = '#,##0.00';
export const WHOLE = '#,##0';
export const PERCENT = '0.00%';
export const DAY = 'dd/mm/yyyy';

const INK = 'FF1F3A5F';
const PAPER = 'FFF3F6FA';
const INPUT = 'FFFFF8DC';
const LINE = 'FFB8C4D6';

const fill = (argb: string): Cell['fill'] => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });
const thin = { style: 'thin' as const, color: { argb: LINE } };
const box = { top: thin, left: thin, bottom: thin, right: thin };

/** Adds a sheet with a title. Its table or block may begin in row 4. */
export function addSheet(
  workbook: Workbook,
  name: string,
  title: string,
  subtitle: string,
  widths: number[],
): Worksheet {
  const sheet = workbook.addWorksheet(name, {
    views: [{ showGridLines: false }],
    pageSetup: { orientation: 'landscape', fitToPage: true, fitToWidth: 1, fitToHeight: 0 },
  });
  sheet.columns = widths.map((width) => ({ width }));
  sheet.getCell('A1').value = title;
  sheet.getCell('A1').font = { name: 'Calibri', size: 18, bold: true, color: { argb: INK } };
  sheet.getCell('A2').value = subtitle;
  sheet.getCell('A2').font = { name: 'Calibri', size: 11, italic: true, color: { argb: 'FF5F6B7A' } };
  return sheet;
}

/** Adds sentences, one per row, for people who open the file. */
export function addInstructions(workbook: Workbook, title: string, lines: string[]): void {
  const sheet = addSheet(workbook, 'Instructions', title, 'What this workbook does, and how to change it', [110]);
  for (const [index, line] of lines.entries()) {
    const cell = sheet.getCell(4 + index, 1);
    cell.value = line;
    cell.alignment = { wrapText: true, vertical: 'top' };
  }
}

export interface Field {
  row: number;
  label: string;
  value: Cell['value'];
  format?: string;
  /** Defined name of the cell. */
  name: string;
  note?: string;
  validation?: DataValidation;
}

/** Adds a label in column A and its cell in column B. Inputs are yellow, results blue. */
export function addField(sheet: Worksheet, { row, label, value, format, name, note, validation }: Field): void {
  const isInput = name.startsWith('in_');
  const head = sheet.getCell(row, 1);
  head.value = label;
  head.font = { bold: !isInput };
  const cell = sheet.getCell(row, 2);
  cell.value = value;
  cell.fill = fill(isInput ? INPUT : PAPER);
  cell.border = box;
  cell.font = { bold: !isInput, color: { argb: isInput ? 'FF7A4B00' : INK } };
  cell.alignment = { horizontal: 'right' };
  if (format) cell.numFmt = format;
  if (note) cell.note = note;
  if (validation) cell.dataValidation = validation;
  addName(sheet, name, `$B$${row}`);
}

export function addName(sheet: Worksheet, name: string, address: string): void {
  sheet.workbook.definedNames.add(`'${sheet.name}'!${address}`, name);
}

export function addHeading(sheet: Worksheet, address: string, text: string): void {
  const cell = sheet.getCell(address);
  cell.value = text;
  cell.font = { bold: true, size: 12, color: { argb: INK } };
}

export interface Column {
  name: string;
  format?: string;
  validation?: DataValidation;
}

/** Adds an Excel table with its formats and validations. Returns the row below it. */
export function addTable(
  sheet: Worksheet,
  name: string,
  at: { row: number; col: number },
  columns: Column[],
  rows: Cell['value'][][],
): number {
  sheet.addTable({
    name,
    ref: sheet.getCell(at.row, at.col).address,
    headerRow: true,
    style: { theme: 'TableStyleMedium2', showRowStripes: true },
    columns: columns.map(({ name }): TableColumnProperties => ({ name, filterButton: false })),
    rows,
  });
  for (const [index, { format, validation }] of columns.entries()) {
    for (let row = at.row + 1; row <= at.row + rows.length; row++) {
      const cell = sheet.getCell(row, at.col + index);
      if (format) cell.numFmt = format;
      if (validation) cell.dataValidation = validation;
    }
  }
  return at.row + rows.length + 1;
}

/** Adds the headers of a plain block of formulas. */
export function addHeaders(sheet: Worksheet, row: number, col: number, names: (string | null)[]): void {
  for (const [index, name] of names.entries()) {
    const cell = sheet.getCell(row, col + index);
    cell.value = name;
    if (name === null) continue;
    cell.font = { bold: true, color: { argb: 'FFFFFFFF' } };
    cell.fill = fill(INK);
    cell.alignment = { horizontal: index === 0 ? 'left' : 'right', wrapText: true };
  }
}

export const listOf = (source: string, prompt: string): DataValidation => ({
  type: 'list',
  formulae: [source],
  allowBlank: false,
  showErrorMessage: true,
  errorStyle: 'stop',
  showInputMessage: true,
  promptTitle: 'Choose',
  prompt,
});

export const between = (type: 'whole' | 'decimal', low: number, high: number, prompt: string): DataValidation => ({
  type,
  operator: 'between',
  formulae: [low, high],
  allowBlank: false,
  showErrorMessage: true,
  errorStyle: 'stop',
  showInputMessage: true,
  promptTitle: 'Enter',
  prompt,
});

export const anyDay = (prompt: string): DataValidation => ({
  type: 'date',
  operator: 'greaterThan',
  formulae: [new Date(Date.UTC(2000, 0, 1))],
  allowBlank: false,
  showErrorMessage: true,
  errorStyle: 'stop',
  showInputMessage: true,
  promptTitle: 'Enter',
  prompt,
});

/** Adds the hidden sheet Portal with the settings that names and cells do not express. */
export function addPortal(workbook: Workbook, tables: Record<string, Cell['value'][][]>): void {
  const sheet = workbook.addWorksheet('Portal', { state: 'hidden' });
  let row = 1;
  for (const [name, [header, ...rows]] of Object.entries(tables)) {
    const columns = header!.map((column) => ({ name: column as string }));
    row = addTable(sheet, name, { row, col: 1 }, columns, rows) + 1;
  }
  sheet.columns.forEach((column) => {
    column.width = 28;
  });
}

/** Returns a day as a Date that exceljs writes independently of the time zone. */
export const day = (year: number, month: number, date: number): Date => new Date(Date.UTC(year, month - 1, date));
