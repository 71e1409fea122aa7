/** Workbooks of the activities in the large seed: thirty subjects in ten places, of four kinds. */
import type { WorkbookSpec } from '#test/support/build-workbook.ts';

export const PLACES = [
  'Berlin',
  'Zürich',
  'London',
  'Paris',
  'Madrid',
  'Milano',
  'Warszawa',
  'New York',
  'Singapore',
  'Tokyo',
];

/** Schemas: the name and the display name. */
export const AREAS: [string, string][] = [
  ['Finance', 'Finance'],
  ['Risk', 'Risk management'],
  ['Sales', 'Sales'],
  ['Ops', 'Operations'],
  ['People', 'People and pay'],
];

export interface Thing {
  name: string;
  area: number;
  group: string;
  description: string;
}

const THING_ROWS: [number, string, string, string][] = [
  [0, 'Closing', 'Trial balance', 'Balances of all accounts at a day, with what does not add up'],
  [0, 'Closing', 'Accruals', 'What belongs to the month and was not invoiced yet'],
  [0, 'Closing', 'Depreciation', 'Straight-line and declining, by asset'],
  [0, 'Treasury', 'Cash forecast', 'Thirteen weeks, from open items, payroll and loans, in the currency of the house'],
  [0, 'Treasury', 'Bond valuation', 'Clean and dirty price, duration and convexity'],
  [0, 'Treasury', 'Loan covenant', ''],
  [1, 'Market', 'Value at risk', 'Historical simulation over 250 days, at 95 and 99 per cent'],
  [1, 'Market', 'Stress test', 'Shifts of the curve, and what the book loses by them'],
  [1, 'Market', 'FX hedge', 'How much of an exposure to hedge, and what it costs'],
  [1, 'Credit', 'Rating', 'Score of a counterparty from its last two balance sheets'],
  [1, 'Credit', 'Expected loss', 'PD × LGD × EAD for every position of a portfolio'],
  [1, 'Credit', 'Limit check', ''],
  [2, 'Quotes', 'Quote', 'Price of an offer, with discounts by volume and the margin that is left'],
  [2, 'Quotes', 'Freight', 'By weight, zone and carrier'],
  [2, 'Quotes', 'Discount approval', 'Whether a discount may be given, and by whom'],
  [2, 'Figures', 'Pipeline', 'Open deals weighted by their chance, by month'],
  [2, 'Figures', 'Commission', 'Bonus of every person from their deals of the quarter'],
  [2, 'Figures', 'Churn', 'Customers who left, by the month in which they came'],
  [3, 'Stock', 'Reorder', 'What to order today so that nothing runs out'],
  [3, 'Stock', 'Stock ageing', 'Value of what lies longer than 90, 180 and 360 days'],
  [3, 'Stock', 'Cycle count', 'Differences of a count, and their value'],
  [3, 'Plant', 'Shift plan', 'Hours by person and shift, with rests that the law asks for'],
  [3, 'Plant', 'Machine hours', 'Load of each machine and where it is above its limit'],
  [3, 'Plant', 'Energy', 'Use by meter, against last year and the weather'],
  [4, 'Pay', 'Payroll check', 'Gross to net of a sample, against what was paid'],
  [4, 'Pay', 'Travel costs', 'Allowances by country and day'],
  [4, 'Pay', 'Overtime', ''],
  [4, 'Plan', 'Headcount', 'People by team at the end of each month'],
  [4, 'Plan', 'Pension', 'Present value of what was promised'],
  [4, 'Plan', 'Budget of a team', 'Pay, travel and training of a year'],
];

export const THINGS: Thing[] = THING_ROWS.map(([area, group, name, description]) => ({
  area,
  group,
  name,
  description,
}));

const MAKES = [amountAtRate, tableOfLines, choiceOfCase, manyFields];

export function workbookOf(thing: Thing, index: number): WorkbookSpec {
  return MAKES[THINGS.indexOf(thing) % MAKES.length]!(index);
}

/** Numbers as inputs, numbers as outputs. */
function amountAtRate(index: number): WorkbookSpec {
  const [amount, rate] = [1000 * (index + 5), 0.02 + (index % 7) / 100];
  return {
    formats: ['#,##0.00', '0.00%'],
    sheets: [
      {
        name: 'Model',
        cells: {
          A1: 'Amount',
          B1: { value: amount, style: 1 },
          A2: 'Rate',
          B2: { value: rate, style: 2 },
          B3: { formula: 'B1*B2', value: amount * rate, style: 1 },
          B4: { formula: 'B1+B3', value: amount + amount * rate, style: 1 },
        },
      },
    ],
    names: { in_Amount: 'Model!$B$1', in_Rate: 'Model!$B$2', out_Interest: 'Model!$B$3', out_Total: 'Model!$B$4' },
  };
}

/** A table of lines as input, a table and a sum as outputs. */
function tableOfLines(index: number): WorkbookSpec {
  const lines = Array.from({ length: 8 }, (_, line) => ({
    quantity: 1 + ((index + line) % 9),
    price: 2.5 * (line + 1),
  }));
  const cells: NonNullable<WorkbookSpec['sheets'][number]['cells']> = {
    A1: 'Position',
    B1: 'Quantity',
    C1: 'Price',
    E1: 'Item',
    F1: 'Value',
    H1: {
      formula: 'SUM(F2:F9)',
      value: lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0),
      style: 1,
    },
  };
  for (const [line, { quantity, price }] of lines.entries()) {
    const row = line + 2;
    cells[`A${row}`] = `Position ${line + 1}`;
    cells[`B${row}`] = quantity;
    cells[`C${row}`] = { value: price, style: 1 };
    cells[`E${row}`] = { formula: `A${row}`, value: `Position ${line + 1}` };
    cells[`F${row}`] = { formula: `B${row}*C${row}`, value: quantity * price, style: 1 };
  }
  return {
    formats: ['#,##0.00'],
    sheets: [
      {
        name: 'Sheet1',
        cells,
        tables: [
          { name: 'Lines', ref: 'A1:C9', columns: ['Position', 'Quantity', 'Price'] },
          { name: 'Values', ref: 'E1:F9', columns: ['Item', 'Value'] },
        ],
      },
    ],
    names: { in_Lines: 'Lines', out_Values: 'Values', out_Sum: 'Sheet1!$H$1' },
  };
}

/** A list of choices, a date and a switch. */
function choiceOfCase(index: number): WorkbookSpec {
  const day = 46_000 + (index % 300);
  return {
    formats: ['dd/mm/yyyy', '#,##0.00'],
    sheets: [
      {
        name: 'Case',
        cells: {
          A1: 'Base',
          A2: { value: day, style: 1 },
          A3: true,
          A4: { value: 250, style: 2 },
          B1: { formula: 'IF(A1="Severe",3,IF(A1="Adverse",2,1))', value: 1 },
          B2: { formula: 'A4*B1*IF(A3,1.1,1)', value: 275, style: 2 },
          B3: { formula: 'EDATE(A2,3)', value: day + 91, style: 1 },
        },
        validations: [{ ref: 'A1', type: 'list', formula1: '"Base,Adverse,Severe"' }],
      },
    ],
    names: {
      in_Scenario: 'Case!$A$1',
      in_As_of: 'Case!$A$2',
      in_With_Reserve: 'Case!$A$3',
      in_Exposure: 'Case!$A$4',
      out_Factor: 'Case!$B$1',
      out_Loss: 'Case!$B$2',
      out_Next_Review: 'Case!$B$3',
    },
  };
}

/** Two dozen fields, like a form that grew over the years. */
function manyFields(index: number): WorkbookSpec {
  const cells: NonNullable<WorkbookSpec['sheets'][number]['cells']> = {};
  const names: Record<string, string> = { out_Points: 'Sheet1!$C$1', out_Share: 'Sheet1!$C$2' };
  for (let line = 1; line <= 24; line += 1) {
    cells[`A${line}`] = { value: ((index + line) % 12) * 10, style: 1 };
    names[`in_Criterion_${String(line).padStart(2, '0')}`] = `Sheet1!$A$${line}`;
  }
  const sum = Array.from({ length: 24 }, (_, line) => ((index + line + 1) % 12) * 10).reduce(
    (all, one) => all + one,
    0,
  );
  cells['C1'] = { formula: 'SUM(A1:A24)', value: sum, style: 1 };
  cells['C2'] = { formula: 'C1/2640', value: sum / 2640, style: 2 };
  return { formats: ['#,##0', '0.0%'], sheets: [{ name: 'Sheet1', cells }], names };
}
