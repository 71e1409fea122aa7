/** A workbook for entering rows, or for showing their results. Texts stay texts: no cell content becomes a formula. */
import type * as exceljs from 'exceljs';
import { excelJs } from '#server/base/on-demand.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { cellFormat, cellValue } from './table-workbook.ts';
import type { CellUsage, ValueRule } from '#shared/contract/parameters.ts';

export interface RowColumn {
  header: string;
  usage: CellUsage;
  format: string;
  /** Description of the column for the notes sheet. */
  note: string;
  isRequired: boolean;
  /** Items of a list that allows no other values. */
  items: string[] | null;
  rule: ValueRule | null;
  /** True if the portal fills the column. */
  isResult: boolean;
}

export interface RowWorkbook {
  sheetName: string;
  columns: RowColumn[];
  rows: unknown[][];
  /** Number of rows that may be entered below the headers; 0 if the workbook shows results. */
  entered: number;
  /** Lines above the list of columns. */
  notes: string[];
}

const LISTS = 'Lists';
const NOTES = 'Notes';

export async function buildRowWorkbook({ sheetName, columns, rows, entered, notes }: RowWorkbook): Promise<Uint8Array> {
  const workbook = new (excelJs().Workbook)();
  const sheet = workbook.addWorksheet(sheetName, { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.addRow(columns.map(({ header }) => cellValue(header))).font = { bold: true };
  addNotes(workbook, columns, notes);
  const lists = columns.some(({ items }) => items !== null)
    ? workbook.addWorksheet(LISTS, { state: 'hidden' })
    : undefined;
  for (const [at, column] of columns.entries()) {
    const sheetColumn = sheet.getColumn(at + 1);
    sheetColumn.width = Math.min(50, Math.max(12, column.header.length + 2));
    const numFmt = cellFormat(column.format, column.usage === 'Date');
    // Keeps a text that looks like a number, such as 007, as typed.
    const isText = column.usage === 'Text' && !column.isResult;
    if (numFmt ?? isText) sheetColumn.numFmt = numFmt ?? '@';
    const colour = column.isResult ? 'FFD9EAD3' : column.isRequired ? 'FFFFF2CC' : 'FFEFEFEF';
    sheet.getCell(1, at + 1).fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: colour } };
    if (column.note !== '') sheet.getCell(1, at + 1).note = column.note.slice(0, 1000);
    if (column.items) lists!.getColumn(at + 1).values = column.items.map((item) => cellValue(item) as string);
    const validation = entered > 0 ? validationOf(column, at) : null;
    const letters = columnLetters(at);
    // The library's types do not declare validations of a range.
    const { dataValidations } = sheet as unknown as { dataValidations: { add(range: string, rule: object): void } };
    if (validation) dataValidations.add(`${letters}2:${letters}${entered + 1}`, validation);
  }
  for (const cells of rows) sheet.addRow(cells.map(cellValue));
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

function addNotes(workbook: exceljs.Workbook, columns: readonly RowColumn[], notes: readonly string[]): void {
  const sheet = workbook.addWorksheet(NOTES);
  sheet.columns = [{ width: 32 }, { width: 14 }, { width: 14 }, { width: 90 }];
  for (const note of notes) sheet.addRow([cellValue(note)]);
  sheet.addRow([]);
  sheet.addRow(['Column', 'Kind', 'Needed', 'What it is']).font = { bold: true };
  for (const { header, usage, isRequired, isResult, note } of columns) {
    const needed = isResult ? 'result' : isRequired ? 'yes' : 'no';
    sheet.addRow([header, usage, needed, note].map(cellValue));
  }
}

const ANY_NUMBER = { operator: 'between', formulae: [-1e300, 1e300] } as const;
/** The range of dates that Excel supports. */
const ANY_DAY = { operator: 'between', formulae: [0, 2_958_465.99999] } as const;

function validationOf(column: RowColumn, at: number): exceljs.DataValidation | null {
  const { usage, items, rule, isRequired, isResult } = column;
  if (isResult) return null;
  const shared = { allowBlank: !isRequired, showErrorMessage: true, error: `${column.header} cannot have this value` };
  if (items && items.length > 0) {
    const letters = columnLetters(at);
    const formulae = [`${LISTS}!$${letters}$1:$${letters}$${items.length}`];
    return { ...shared, type: 'list', formulae };
  }
  if (usage === 'Boolean') return { ...shared, type: 'list', formulae: ['"TRUE,FALSE"'] };
  const own = rule && ownRule(rule);
  if (own) return { ...shared, ...own, ...(rule.Text === '' ? {} : { error: rule.Text.slice(0, 255) }) };
  if (usage === 'Number') return { ...shared, ...ANY_NUMBER, type: 'decimal', formulae: [...ANY_NUMBER.formulae] };
  if (usage === 'Date') return { ...shared, ...ANY_DAY, type: 'decimal', formulae: [...ANY_DAY.formulae] };
  return null;
}

/** Compares dates as numbers: the library would interpret their bounds in the server's time zone. */
function ownRule({ Type, Operator, Bounds, Calculated, Alert }: ValueRule) {
  if (Calculated || Alert !== 'Stop' || Type === 'custom' || Type === 'list') return null;
  const type = Type === 'whole' || Type === 'textLength' ? Type : ('decimal' as const);
  return { type, operator: Operator, formulae: [...Bounds] };
}
