import type { Workbook } from 'exceljs';
import { addField, addHeading, addInstructions, addSheet, between, MONEY, PERCENT } from './layout.ts';

/** A starter workbook: two inputs, one result, and how to mark them. */
export function template(workbook: Workbook): void {
  addInstructions(workbook, 'Template', [
    'Put your own calculation on the sheet Calculation, or on sheets of its own.',
    'An input is a cell or table with a name that begins with in_ (Formulas, Define Name): in_Amount is asked for as Amount.',
    'A result is a cell or table with a name that begins with out_: out_Total is shown as Total.',
    'Number formats, data validations and notes of inputs become their kinds, limits and descriptions.',
    'Save the workbook, and choose it on the page New activity: it tells at once what it has found.',
  ]);
  const sheet = addSheet(workbook, 'Calculation', 'Calculation', 'Fill in the yellow cells', [34, 18]);
  addHeading(sheet, 'A3', 'Inputs');
  const validation = between('decimal', 0, 1_000_000_000, 'What it costs without tax');
  addField(sheet, { row: 4, label: 'Amount', value: 100, format: MONEY, name: 'in_Amount', validation });
  const rate = between('decimal', 0, 1, 'Such as 19 %');
  addField(sheet, { row: 5, label: 'Tax rate', value: 0.19, format: PERCENT, name: 'in_Tax_Rate', validation: rate });
  addHeading(sheet, 'A7', 'Results');
  addField(sheet, {
    row: 8,
    label: 'Total',
    value: { formula: 'ROUND(B4*(1+B5),2)' },
    format: MONEY,
    name: 'out_Total',
  });
}
