/**
 * An ordinary quote workbook, in which no inputs or outputs are marked. The first steps in the portal use it to show
 * how a workbook becomes an activity.
 */
import type { Cell, Fill, Workbook, Worksheet } from 'exceljs';

const formula = (text: string): Cell['value'] => ({ formula: text, date1904: false });
const fill = (argb: string): Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

const TYPED = fill('FFFFF2CC');
const HEADING = fill('FF1F4E78');
const MONEY = '#,##0.00';

const LINES: [string, number | null, number | null][] = [
  ['Desk, oak, 160 × 80', 4, 420],
  ['Office chair', 4, 189.5],
  ['Delivery and assembly', 1, 120],
  ['', null, null],
  ['', null, null],
  ['', null, null],
];
const FIRST_LINE = 9;

export function quoteCalculator(workbook: Workbook): void {
  const sheet = workbook.addWorksheet('Quote', { views: [{ showGridLines: false }] });
  for (const [index, width] of [30, 12, 14, 16].entries()) sheet.getColumn(index + 1).width = width;
  sheet.mergeCells('A1:D1');
  Object.assign(sheet.getCell('A1'), { value: 'Quote', font: { bold: true, size: 18, color: { argb: 'FF1F4E78' } } });
  addField(sheet, 3, 'Customer', 'Miller & Sons');
  addField(sheet, 4, 'Date', new Date(Date.UTC(2026, 9, 1)), 'dd/mm/yyyy');
  addField(sheet, 5, 'Discount', 0.05, '0.0%');
  addField(sheet, 6, 'VAT rate', 0.2, '0.0%');
  addLines(sheet);
  addTotals(sheet);
}

function addField(sheet: Worksheet, row: number, label: string, value: Cell['value'], numFmt = 'General'): void {
  sheet.getCell(row, 1).value = label;
  Object.assign(sheet.getCell(row, 2), { value, numFmt, fill: TYPED, alignment: { horizontal: 'right' } });
}

function addLines(sheet: Worksheet): void {
  for (const [index, title] of ['Item', 'Quantity', 'Unit price', 'Amount'].entries()) {
    const heading = sheet.getCell(FIRST_LINE - 1, index + 1);
    Object.assign(heading, { value: title, fill: HEADING, font: { bold: true, color: { argb: 'FFFFFFFF' } } });
  }
  for (const [index, [item, quantity, price]] of LINES.entries()) {
    const row = FIRST_LINE + index;
    for (const [column, value] of [item || null, quantity, price].entries()) {
      const cell = sheet.getCell(row, column + 1);
      Object.assign(cell, { value, fill: TYPED, ...(column === 2 ? { numFmt: MONEY } : {}) });
    }
    Object.assign(sheet.getCell(row, 4), { value: formula(`B${row}*C${row}`), numFmt: MONEY });
  }
}

function addTotals(sheet: Worksheet): void {
  const last = FIRST_LINE + LINES.length - 1;
  const totals: [string, string][] = [
    ['Subtotal', `SUM(D${FIRST_LINE}:D${last})`],
    ['Less discount', `-D${last + 2}*B5`],
    ['VAT', `(D${last + 2}+D${last + 3})*B6`],
    ['Total to pay', `SUM(D${last + 2}:D${last + 4})`],
  ];
  for (const [index, [label, text]] of totals.entries()) {
    const row = last + 2 + index;
    const bold = index === totals.length - 1;
    Object.assign(sheet.getCell(row, 3), { value: label, font: { bold } });
    Object.assign(sheet.getCell(row, 4), {
      value: formula(text),
      numFmt: MONEY,
      font: { bold },
      ...(bold ? { border: { top: { style: 'thin' }, bottom: { style: 'double' } } } : {}),
    });
  }
}
