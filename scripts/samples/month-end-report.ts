import type { Cell, Workbook } from 'exceljs';
import {
  addField,
  addHeading,
  addInstructions,
  addName,
  addPortal,
  addSheet,
  addTable,
  between,
  MONEY,
  WHOLE,
} from './layout.ts';

/** Items as the invoice reconciliation lists them, so that a workflow can pass them on. */
const OPEN_ITEMS: [string, string, string, number, number, number][] = [
  ['Overdue', 'R-2026-0917', 'Nordwind Handel GmbH', 1200, 0, 1200],
  ['Partly paid', 'R-2026-1003', 'Alba Foods S.L.', 800, 500, 300],
  ['No invoice', '', 'Transfer without a number', 0, 75.5, -75.5],
];

const formula = (text: string): Cell['value'] => ({ formula: text, date1904: false });

export function monthEndReport(workbook: Workbook): void {
  addInstructions(workbook, 'Month-end report', [
    'Brings the figures of a month together: what came in, what is open, and what has to be set aside.',
    'Yellow cells on the sheet Report are inputs, and so is the table on the sheet Items. In the sample workflow Monthly close other activities give them.',
    'Blue cells are results (names with out_).',
    'For items that are overdue, the rate of allowance is set aside.',
  ]);
  addReport(workbook);
  addItems(workbook);
  addPortal(workbook, {
    PortalSettings: [
      ['Name', 'Value'],
      ['Group', 'Finance'],
      ['Function', 'Report'],
    ],
    PortalInputs: [
      ['Name', 'Blanks', 'Description'],
      ['Open Items', true, 'Payments without an invoice have no number'],
    ],
    PortalOutputs: [
      ['Name', 'Description'],
      ['Result', 'What is left of what was received'],
    ],
  });
}

function addReport(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Report', 'Month-end report', 'Fill in the yellow cells', [34, 18, 4, 40]);
  addHeading(sheet, 'A3', 'Figures of the month');
  const amount = (prompt: string) => between('decimal', -1_000_000_000, 1_000_000_000, prompt);
  const inputs: [string, number, string, string, string][] = [
    ['Received', 48_250, MONEY, 'in_Received', 'Payments on the bank statement'],
    ['Commission', 6120.5, MONEY, 'in_Commission', 'What is paid to sales people'],
    ['Loss at shock', 2310.25, MONEY, 'in_Loss_at_Shock', 'If rates of exchange move against us'],
  ];
  for (const [index, [label, value, format, name, prompt]] of inputs.entries()) {
    addField(sheet, { row: 4 + index, label, value, format, name, validation: amount(prompt) });
  }
  addField(sheet, {
    row: 7,
    label: 'Rate of allowance',
    value: 0.5,
    format: '0 %',
    name: 'in_Allowance_Rate',
    validation: between('decimal', 0, 1, 'Share of overdue items that is set aside'),
  });
  addHeading(sheet, 'A9', 'Result');
  const results: [string, string, string, string][] = [
    ['Open items', 'COUNTIF(Items[Kind],"?*")', WHOLE, 'out_Open_Items_Found'],
    ['Largest difference', 'MAX(0,MAX(Items[Difference]))', MONEY, 'out_Largest_Difference'],
    ['Allowance', 'ROUND(SUMIFS(Items[Difference],Items[Kind],"Overdue")*B7,2)', MONEY, 'out_Allowance'],
    ['Result', 'ROUND(B4-B5-B6-B12,2)', MONEY, 'out_Result'],
  ];
  for (const [index, [label, text, format, name]] of results.entries()) {
    addField(sheet, { row: 10 + index, label, value: formula(text), format, name });
  }
}

function addItems(workbook: Workbook): void {
  const sheet = addSheet(
    workbook,
    'Items',
    'Open items',
    'As the invoice reconciliation lists them',
    [12, 14, 30, 14, 14, 14],
  );
  addTable(
    sheet,
    'Items',
    { row: 4, col: 1 },
    [
      { name: 'Kind' },
      { name: 'Invoice', format: '@' },
      { name: 'Customer or Text' },
      { name: 'Invoiced', format: MONEY },
      { name: 'Paid', format: MONEY },
      { name: 'Difference', format: MONEY },
    ],
    OPEN_ITEMS,
  );
  addName(sheet, 'in_Open_Items', `$A$4:$F$${4 + OPEN_ITEMS.length}`);
}
