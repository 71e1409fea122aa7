import type { Cell, Workbook } from 'exceljs';
import { BANK_ROWS, INVOICE_ROWS } from './invoice-data.ts';
import {
  addField,
  addHeaders,
  addHeading,
  addInstructions,
  addName,
  addPortal,
  addSheet,
  addTable,
  anyDay,
  between,
  day,
  DAY,
  MONEY,
  WHOLE,
} from './layout.ts';

/** Maximum number of exceptions in the report. A check fails if there are more. */
const ROWS = 200;
const FIRST = 5;
const LAST = FIRST + ROWS - 1;

const formula = (text: string): Cell['value'] => ({ formula: text, date1904: false });

export function invoiceReconciliation(workbook: Workbook): void {
  addInstructions(workbook, 'Invoice reconciliation', [
    'Compares the invoices of a month with the payments on the bank statement, and lists what does not match.',
    'The two files are uploaded on the run page. The steps on the hidden sheet Portal import them into the tables Invoices and Payments, by the names of their columns.',
    'An invoice is settled where its payments come to its amount within the tolerance.',
    'A file in which an invoice number stands twice is refused; open invoices only give a warning.',
  ]);
  addControl(workbook);
  addInvoices(workbook);
  addPayments(workbook);
  addExceptions(workbook);
  addPortalSheet(workbook);
}

function addControl(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Control', 'Invoice reconciliation', 'Files, settings and totals', [34, 26, 4, 40]);
  addHeading(sheet, 'A3', 'Files and settings');
  addField(sheet, {
    row: 4,
    label: 'Invoices',
    value: null,
    name: 'in_Invoice_File',
    note: 'Invoices of the month, csv or xlsx',
  });
  addField(sheet, {
    row: 5,
    label: 'Bank statement',
    value: null,
    name: 'in_Bank_File',
    note: 'Payments received, csv or xlsx',
  });
  addField(sheet, {
    row: 6,
    label: 'Report date',
    value: day(2026, 10, 31),
    format: DAY,
    name: 'in_Report_Date',
    validation: anyDay('Invoices due by this day and open are overdue'),
  });
  addField(sheet, {
    row: 7,
    label: 'Tolerance',
    value: 0.05,
    format: MONEY,
    name: 'in_Tolerance',
    validation: between('decimal', 0, 100, 'Differences up to this amount do not count'),
  });
  addHeading(sheet, 'A9', 'Totals');
  const totals: [string, string, string, string][] = [
    ['Invoiced', 'SUM(Invoices[Amount])', MONEY, 'out_Invoiced'],
    ['Received', 'SUM(Payments[Amount])', MONEY, 'out_Received'],
    ['Open', 'SUMIFS(Invoices[Open],Invoices[Status],"<>Settled")', MONEY, 'out_Open'],
    ['Overdue', 'SUMIFS(Invoices[Open],Invoices[Status],"Overdue")', MONEY, 'out_Overdue'],
    [
      'Payments without invoice',
      'SUMIFS(Payments[Amount],Payments[Customer],"unknown")',
      MONEY,
      'out_Unmatched_Payments',
    ],
    [
      'Exceptions',
      'COUNTIFS(Invoices[Status],"<>Settled")+COUNTIFS(Payments[Customer],"unknown")',
      WHOLE,
      'out_Exceptions_Found',
    ],
  ];
  for (const [index, [label, text, format, name]] of totals.entries()) {
    addField(sheet, { row: 10 + index, label, value: formula(text), format, name });
  }
  addHeading(sheet, 'A18', 'Checks');
  const checks: [number, string, string][] = [
    [19, 'No invoice twice', 'COUNTIFS(Invoices[Status],"Duplicate")=0'],
    [20, 'All settled', 'B15=0'],
    [21, 'Report is long enough', `B15<=${ROWS}`],
  ];
  for (const [row, label, text] of checks) {
    sheet.getCell(row, 1).value = label;
    sheet.getCell(row, 2).value = formula(text);
  }
}

function addInvoices(workbook: Workbook): void {
  const sheet = addSheet(
    workbook,
    'Invoices',
    'Invoices',
    'Filled by the import',
    [14, 26, 13, 13, 14, 14, 14, 12, 12],
  );
  const row = (text: string): string => `Invoices[[#This Row],[${text}]]`;
  const calculated = [
    `SUMIFS(Payments[Amount],Payments[Invoice],${row('Number')})`,
    `ROUND(${row('Amount')}-${row('Paid')},2)`,
    `IF(COUNTIFS(Invoices[Number],${row('Number')})>1,"Duplicate",IF(ABS(${row('Open')})<=in_Tolerance,"Settled",IF(${row('Open')}<0,"Overpaid",IF(${row('Due')}<=in_Report_Date,"Overdue",IF(${row('Paid')}=0,"Open","Partly paid")))))`,
    'ROW()-ROW(Invoices[[#Headers],[Number]])',
    `IF(${row('Status')}="Settled","",COUNTIFS(Invoices[Row],"<="&${row('Row')},Invoices[Status],"<>Settled"))`,
  ];
  addTable(
    sheet,
    'Invoices',
    { row: 4, col: 1 },
    [
      { name: 'Number', format: '@' },
      { name: 'Customer' },
      { name: 'Date', format: DAY },
      { name: 'Due', format: DAY },
      { name: 'Amount', format: MONEY },
      { name: 'Paid', format: MONEY },
      { name: 'Open', format: MONEY },
      { name: 'Status' },
      { name: 'Row', format: WHOLE },
      { name: 'Exception', format: WHOLE },
    ],
    INVOICE_ROWS.map((cells) => [...cells, ...calculated.map(formula)]),
  );
}

function addPayments(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Payments', 'Payments', 'Filled by the import', [13, 14, 14, 34, 26, 8, 12]);
  const row = (text: string): string => `Payments[[#This Row],[${text}]]`;
  const calculated = [
    `_xlfn.XLOOKUP(${row('Invoice')},Invoices[Number],Invoices[Customer],"unknown")`,
    'ROW()-ROW(Payments[[#Headers],[Date]])',
    `IF(${row('Customer')}<>"unknown","",COUNTIFS(Payments[Row],"<="&${row('Row')},Payments[Customer],"unknown"))`,
  ];
  addTable(
    sheet,
    'Payments',
    { row: 4, col: 1 },
    [
      { name: 'Date', format: DAY },
      { name: 'Invoice', format: '@' },
      { name: 'Amount', format: MONEY },
      { name: 'Text' },
      { name: 'Customer' },
      { name: 'Row', format: WHOLE },
      { name: 'Exception', format: WHOLE },
    ],
    BANK_ROWS.map((cells) => [...cells, ...calculated.map(formula)]),
  );
}

function addExceptions(workbook: Workbook): void {
  const sheet = addSheet(
    workbook,
    'Exceptions',
    'Exceptions',
    'Invoices that are not settled, then payments without an invoice',
    [12, 14, 30, 14, 14, 14],
  );
  addHeaders(sheet, FIRST - 1, 1, ['Kind', 'Invoice', 'Customer or Text', 'Invoiced', 'Paid', 'Difference']);
  const open = 'COUNTIFS(Invoices[Status],"<>Settled")';
  for (let row = FIRST; row <= LAST; row++) {
    const number = row - FIRST + 1;
    const invoice = (column: string): string => `_xlfn.XLOOKUP(${number},Invoices[Exception],Invoices[${column}])`;
    const payment = (column: string): string =>
      `_xlfn.XLOOKUP(${number}-${open},Payments[Exception],Payments[${column}])`;
    const either = (first: string, second: string): string =>
      `IF(${number}>Control!$B$15,"",IF(${number}<=${open},${first},${second}))`;
    const formulas = [
      either(invoice('Status'), '"No invoice"'),
      either(invoice('Number'), payment('Invoice')),
      either(invoice('Customer'), payment('Text')),
      either(invoice('Amount'), '0'),
      either(invoice('Paid'), payment('Amount')),
      `IF(A${row}="","",D${row}-E${row})`,
    ];
    for (const [index, text] of formulas.entries()) {
      const cell = sheet.getCell(row, index + 1);
      cell.value = formula(text);
      if (index > 2) cell.numFmt = MONEY;
    }
  }
  addName(sheet, 'out_Exceptions', `$A$${FIRST - 1}:$F$${LAST}`);
}

function addPortalSheet(workbook: Workbook): void {
  addPortal(workbook, {
    PortalSettings: [
      ['Name', 'Value'],
      ['StartDisplayName', 'Reconcile'],
      ['Group', 'Finance'],
      ['Function', 'Receivables'],
    ],
    PortalInputs: [
      ['Name', 'MaxSize', 'SampleFile', 'Order'],
      ['Invoice File', 20_000_000, 'invoices-2026-10.csv', 1],
      ['Bank File', 20_000_000, 'bank-2026-10.csv', 2],
    ],
    PortalSteps: [
      ['Step', 'Action', 'Input', 'Table', 'DateFormat', 'When', 'Cell', 'Message', 'Severity'],
      ['Invoices', 'Import', 'Invoice File', 'Invoices', null, null, null, null, null],
      ['Bank statement', 'Import', 'Bank File', 'Payments', 'dd/mm/yyyy', null, null, null, null],
      [
        'Duplicates',
        'Check',
        null,
        null,
        null,
        null,
        'Control!B19',
        'An invoice number stands twice in the file of invoices',
        'Error',
      ],
      [
        'Length',
        'Check',
        null,
        null,
        null,
        null,
        'Control!B21',
        `There are more than ${ROWS} exceptions; the files may belong to different months`,
        'Error',
      ],
      [
        'Open items',
        'Check',
        null,
        null,
        null,
        null,
        'Control!B20',
        formula('Control!B15&" exceptions; "&TEXT(Control!B12,"#,##0.00")&" is open"'),
        'Warning',
      ],
      [
        'Totals',
        'Log',
        null,
        null,
        null,
        null,
        null,
        formula('"Received "&TEXT(Control!B11,"#,##0.00")&" of "&TEXT(Control!B10,"#,##0.00")'),
        null,
      ],
    ],
  });
}
