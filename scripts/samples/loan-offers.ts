import type { Workbook } from 'exceljs';
import {
  addField,
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

/** What each customer requests. The margin is added to the bank's rate. */
const CUSTOMERS = [
  ['Alder Joinery', 80_000, 0.012, 5, 'Quarterly'],
  ['Birch & Sons', 250_000, 0.009, 20, 'Monthly'],
  ['Cedar Mill', 1_200_000, 0.0075, 15, 'Half-yearly'],
  ['Dogwood Bakery', 35_000, 0.015, 4, 'Monthly'],
] as const;

const FIRST = 5;
const LAST = FIRST + CUSTOMERS.length - 1;
const STEP = { Activity: 'Loan schedule', Table: 'Offers', KeyColumn: 'Customer', AtOnce: 2 };
const PASSED_COLUMNS = 'Amount,Interest Rate,Term in Years,Payment Frequency,First Payment';

/** A workbook that starts a run of another activity for each row of a table. */
export function loanOffers(workbook: Workbook): void {
  addInstructions(workbook, 'Loan offers', [
    'Starts a run of the activity Loan schedule for each customer of the table on the sheet Offers.',
    'Each column that is handed on has the name of an input of that activity. Customer names the rows and is no input.',
    'The runs begin when the run of this workbook has succeeded; its page lists them, and gives what they came to as one table.',
    'The step stands in the table PortalSteps of the hidden sheet Portal. Publish the sample Loan schedule before this one.',
  ]);
  const offers = addSheet(workbook, 'Offers', 'Offers', 'A loan for each customer', [24, 16, 10, 14, 14, 18, 14]);
  addTable(
    offers,
    'Offers',
    { row: FIRST - 1, col: 1 },
    [
      { name: 'Customer' },
      { name: 'Amount', format: MONEY, validation: between('decimal', 1, 1_000_000_000, 'Amount borrowed') },
      { name: 'Margin', format: PERCENT },
      { name: 'Interest Rate', format: PERCENT },
      { name: 'Term in Years', format: WHOLE, validation: between('whole', 1, 40, 'Whole years, 40 at most') },
      { name: 'Payment Frequency', validation: listOf('"Monthly,Quarterly,Half-yearly,Yearly"', 'How often') },
      { name: 'First Payment', format: DAY },
    ],
    CUSTOMERS.map(([customer, amount, margin, years, frequency], at) => [
      customer,
      amount,
      margin,
      { formula: `Terms!$B$4+C${FIRST + at}`, date1904: false },
      years,
      frequency,
      { formula: 'Terms!$B$5', date1904: false },
    ]),
  );
  addName(offers, 'out_Offers', `$A$${FIRST - 1}:$G$${LAST}`);
  const terms = addSheet(workbook, 'Terms', 'Terms', 'Fill in the yellow cells', [34, 18]);
  addField(terms, {
    row: 4,
    label: 'Rate of the bank per year',
    value: 0.0325,
    format: PERCENT,
    name: 'in_Bank_Rate',
    validation: between('decimal', 0, 1, 'Nominal rate per year, such as 3.25 %'),
  });
  addField(terms, {
    row: 5,
    label: 'First payment',
    value: day(2027, 1, 31),
    format: DAY,
    name: 'in_First_Payment',
    validation: anyDay('Day of the first payment'),
  });
  addPortal(workbook, {
    PortalSettings: [
      ['Name', 'Value'],
      ['StartDisplayName', 'Make the offers'],
      ['Group', 'Treasury'],
      ['Function', 'Loans'],
    ],
    PortalSteps: [
      ['Step', 'Action', 'Columns', ...Object.keys(STEP)],
      ['Plan each loan', 'Start', PASSED_COLUMNS, ...Object.values(STEP)],
    ],
  });
}
