import type { Workbook } from 'exceljs';
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
  listOf,
  MONEY,
  PERCENT,
  WHOLE,
} from './layout.ts';

/** Forty years of monthly rows. */
const ROWS = 480;
const FIRST = 5;
const LAST = FIRST + ROWS - 1;

export function loanSchedule(workbook: Workbook): void {
  addInstructions(workbook, 'Loan schedule', [
    'Calculates the payments of an annuity loan and how it is paid back, payment by payment.',
    'Yellow cells on the sheet Loan are inputs. The portal knows them by their defined names, which begin with in_.',
    'Blue cells are results (names with out_). The schedule has as many rows as the loan has payments.',
    'Payments and interest are rounded to cents; the last payment takes up what rounding left.',
    'To offer other payment frequencies, add rows to the table on the sheet Lists.',
  ]);
  addLoan(workbook);
  addSchedule(workbook);
  addLists(workbook);
  addPortal(workbook, {
    PortalSettings: [
      ['Name', 'Value'],
      ['RunActivityTitle', 'Calculate a {0}'],
      ['StartDisplayName', 'Calculate'],
      ['Group', 'Treasury'],
      ['Function', 'Loans'],
    ],
    PortalOutputs: [
      ['Name', 'Description', 'Order'],
      ['Payment', 'The regular payment', 1],
      ['Schedule', 'All payments until the loan is paid back', 9],
    ],
  });
}

function addLoan(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Loan', 'Loan', 'Fill in the yellow cells', [34, 18, 4, 40]);
  addHeading(sheet, 'A3', 'Terms');
  addField(sheet, {
    row: 4,
    label: 'Amount',
    value: 250_000,
    format: MONEY,
    name: 'in_Amount',
    validation: between('decimal', 1, 1_000_000_000, 'Amount borrowed'),
  });
  addField(sheet, {
    row: 5,
    label: 'Interest rate per year',
    value: 0.0425,
    format: PERCENT,
    name: 'in_Interest_Rate',
    validation: between('decimal', 0, 1, 'Nominal rate per year, such as 4.25 %'),
  });
  addField(sheet, {
    row: 6,
    label: 'Term in years',
    value: 20,
    format: WHOLE,
    name: 'in_Term_in_Years',
    validation: between('whole', 1, 40, 'Whole years, 40 at most'),
  });
  addField(sheet, {
    row: 7,
    label: 'Payment frequency',
    value: 'Monthly',
    name: 'in_Payment_Frequency',
    validation: listOf('Lists!$A$5:$A$8', 'How often the loan is paid back'),
  });
  addField(sheet, {
    row: 8,
    label: 'First payment',
    value: day(2027, 1, 31),
    format: DAY,
    name: 'in_First_Payment',
    validation: anyDay('Day of the first payment'),
  });
  addHeading(sheet, 'A10', 'Result');
  const last = `Schedule!$A$${FIRST}:$A$${LAST}`;
  const results: [string, string, string, string][] = [
    ['Payments per year', 'INDEX(Lists!$B$5:$B$8,MATCH(B7,Lists!$A$5:$A$8,0))', WHOLE, 'PaymentsPerYear'],
    ['Number of payments', 'B6*B11', WHOLE, 'out_Number_of_Payments'],
    ['Payment', 'IF(B5=0,ROUND(B4/B12,2),ROUND(PMT(B5/B11,B12,-B4),2))', MONEY, 'out_Payment'],
    ['Total paid', `ROUND(SUM(Schedule!$D$${FIRST}:$D$${LAST}),2)`, MONEY, 'out_Total_Paid'],
    ['Total interest', `ROUND(SUM(Schedule!$E$${FIRST}:$E$${LAST}),2)`, MONEY, 'out_Total_Interest'],
    ['Last payment', `INDEX(Schedule!$B$${FIRST}:$B$${LAST},MATCH(B12,${last},0))`, DAY, 'out_Last_Payment'],
  ];
  for (const [index, [label, formula, format, name]] of results.entries()) {
    addField(sheet, { row: 11 + index, label, value: { formula, date1904: false }, format, name });
  }
}

function addSchedule(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Schedule', 'Payment schedule', 'One row a payment', [8, 14, 16, 14, 14, 14, 16]);
  addHeaders(sheet, FIRST - 1, 1, [
    'No.',
    'Date',
    'Opening Balance',
    'Payment',
    'Interest',
    'Principal',
    'Closing Balance',
  ]);
  const formats = [WHOLE, DAY, MONEY, MONEY, MONEY, MONEY, MONEY];
  for (let row = FIRST; row <= LAST; row++) {
    const number = row - FIRST + 1;
    const formulas = [
      `IF(${number}<=Loan!$B$12,${number},"")`,
      `IF(A${row}="","",EDATE(Loan!$B$8,(A${row}-1)*12/Loan!$B$11))`,
      row === FIRST ? 'Loan!$B$4' : `IF(A${row}="","",G${row - 1})`,
      `IF(A${row}="","",IF(A${row}=Loan!$B$12,ROUND(C${row}+E${row},2),MIN(Loan!$B$13,ROUND(C${row}+E${row},2))))`,
      `IF(A${row}="","",ROUND(C${row}*Loan!$B$5/Loan!$B$11,2))`,
      `IF(A${row}="","",ROUND(D${row}-E${row},2))`,
      `IF(A${row}="","",ROUND(C${row}-F${row},2))`,
    ];
    for (const [index, formula] of formulas.entries()) {
      const cell = sheet.getCell(row, index + 1);
      cell.value = { formula, date1904: false };
      cell.numFmt = formats[index]!;
    }
  }
  sheet.views = [{ state: 'frozen', ySplit: FIRST - 1, showGridLines: false }];
  addName(sheet, 'out_Schedule', `$A$${FIRST - 1}:$G$${LAST}`);
}

function addLists(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Lists', 'Lists', 'What the inputs offer', [20, 18]);
  addTable(
    sheet,
    'Frequencies',
    { row: 4, col: 1 },
    [{ name: 'Frequency' }, { name: 'Payments per Year', format: WHOLE }],
    [
      ['Monthly', 12],
      ['Quarterly', 4],
      ['Half-yearly', 2],
      ['Yearly', 1],
    ],
  );
}
