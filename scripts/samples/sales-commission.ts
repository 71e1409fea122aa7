import type { Cell, Workbook } from 'exceljs';
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

const formula = (text: string): Cell['value'] => ({ formula: text, date1904: false });

export const PEOPLE: [string, string, number][] = [
  ['Anna Keller', 'North', 250_000],
  ['Ben Osei', 'North', 200_000],
  ['Chiara Rossi', 'South', 220_000],
  ['Dmitri Volkov', 'East', 180_000],
  ['Elif Demir', 'South', 240_000],
];

/** Commission rates, each from a minimum revenue of a deal. */
export const TIERS: [number, number][] = [
  [0, 0.02],
  [10_000, 0.03],
  [50_000, 0.045],
  [100_000, 0.06],
];

/** Products, and the share of the rate that they earn. */
export const PRODUCTS: [string, number][] = [
  ['Hardware', 0.8],
  ['Software', 1.2],
  ['Services', 1],
];

export const DEALS: [string, string, Date, number, number][] = [
  ['Anna Keller', 'Software', day(2026, 7, 6), 120_000, 0.05],
  ['Anna Keller', 'Services', day(2026, 8, 14), 48_500, 0],
  ['Ben Osei', 'Hardware', day(2026, 7, 22), 9_800, 0.1],
  ['Ben Osei', 'Software', day(2026, 9, 1), 64_000, 0],
  ['Chiara Rossi', 'Services', day(2026, 9, 17), 230_000, 0.02],
  ['Dmitri Volkov', 'Hardware', day(2026, 6, 30), 75_000, 0],
  ['Elif Demir', 'Software', day(2026, 8, 3), 99_999.99, 0],
];

export function salesCommission(workbook: Workbook): void {
  addInstructions(workbook, 'Sales commission', [
    'Works out the commission of each salesperson for a quarter from the deals closed.',
    'The table Deals is an input: the run page shows it as a grid with as many rows as there are deals. Person and Product are chosen from the lists on the sheet Terms.',
    'Net, Rate and Commission are formulas; Excel and the portal fill them for new rows. A rate typed into the grid overrides the formula.',
    'The rate depends on the net revenue of the deal (table Tiers) and on the product (table Products).',
  ]);
  addTerms(workbook);
  addDeals(workbook);
  addSummary(workbook);
  addPortal(workbook, {
    PortalSettings: [
      ['Name', 'Value'],
      ['StartDisplayName', 'Work out'],
      ['Group', 'Sales'],
      ['Function', 'Compensation'],
    ],
    PortalInputs: [
      ['Name', 'Description', 'Order'],
      ['Quarter Start', 'First day of the quarter', 1],
      ['Quarter End', 'Last day of the quarter', 2],
      ['Bonus Rate', 'Extra commission on revenue above the quota', 3],
      ['Deals', 'Deals closed; those outside of the quarter do not count', 4],
    ],
  });
}

function addTerms(workbook: Workbook): void {
  const sheet = addSheet(
    workbook,
    'Terms',
    'Terms',
    'Quarter, tiers, products and quotas',
    [26, 16, 4, 16, 12, 4, 14, 10, 4, 20, 12, 14],
  );
  addField(sheet, {
    row: 4,
    label: 'Quarter start',
    value: day(2026, 7, 1),
    format: DAY,
    name: 'in_Quarter_Start',
    validation: anyDay('First day of the quarter'),
  });
  addField(sheet, {
    row: 5,
    label: 'Quarter end',
    value: day(2026, 9, 30),
    format: DAY,
    name: 'in_Quarter_End',
    validation: anyDay('Last day of the quarter'),
  });
  addField(sheet, {
    row: 6,
    label: 'Bonus rate above quota',
    value: 0.01,
    format: PERCENT,
    name: 'in_Bonus_Rate',
    validation: between('decimal', 0, 0.5, 'Such as 1 %'),
  });
  addTable(
    sheet,
    'Tiers',
    { row: 4, col: 4 },
    [
      { name: 'From', format: WHOLE },
      { name: 'Rate', format: PERCENT },
    ],
    TIERS,
  );
  addTable(sheet, 'Products', { row: 4, col: 7 }, [{ name: 'Product' }, { name: 'Factor', format: '0.0' }], PRODUCTS);
  addTable(
    sheet,
    'People',
    { row: 4, col: 10 },
    [{ name: 'Person' }, { name: 'Region' }, { name: 'Quota', format: WHOLE }],
    PEOPLE,
  );
}

function addDeals(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Deals', 'Deals', 'One row a deal', [22, 14, 14, 16, 12, 16, 12, 16]);
  const row = (text: string): string => `Deals[[#This Row],[${text}]]`;
  const calculated = [
    `ROUND(${row('Revenue')}*(1-${row('Discount')}),2)`,
    `LOOKUP(${row('Net')},Tiers[From],Tiers[Rate])*_xlfn.XLOOKUP(${row('Product')},Products[Product],Products[Factor],0)`,
    `IF(AND(${row('Closed')}>=in_Quarter_Start,${row('Closed')}<=in_Quarter_End),ROUND(${row('Net')}*${row('Rate')},2),0)`,
  ];
  addTable(
    sheet,
    'Deals',
    { row: 4, col: 1 },
    [
      { name: 'Person', validation: listOf('Terms!$J$5:$J$9', 'Who closed the deal') },
      { name: 'Product', validation: listOf('Terms!$G$5:$G$7', 'What was sold') },
      { name: 'Closed', format: DAY, validation: anyDay('Day of the signature') },
      { name: 'Revenue', format: MONEY, validation: between('decimal', 0, 1_000_000_000, 'Before discount') },
      { name: 'Discount', format: PERCENT, validation: between('decimal', 0, 1, 'Such as 5 %') },
      { name: 'Net', format: MONEY },
      { name: 'Rate', format: PERCENT },
      { name: 'Commission', format: MONEY },
    ],
    DEALS.map((cells) => [...cells, ...calculated.map(formula)]),
  );
  addName(sheet, 'in_Deals', `$A$4:$H$${4 + DEALS.length}`);
}

function addSummary(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Summary', 'Commission', 'By person', [22, 12, 10, 16, 16, 12, 16, 14, 16]);
  addHeaders(sheet, 4, 1, [
    'Person',
    'Region',
    'Deals',
    'Net Revenue',
    'Quota',
    'Attainment',
    'Commission',
    'Bonus',
    'To Pay',
  ]);
  const period = 'Deals[Closed],">="&in_Quarter_Start,Deals[Closed],"<="&in_Quarter_End';
  for (let index = 0; index < PEOPLE.length; index++) {
    const row = 5 + index;
    const formulas = [
      `INDEX(People[Person],${index + 1})`,
      `INDEX(People[Region],MATCH(A${row},People[Person],0))`,
      `COUNTIFS(Deals[Person],A${row},${period})`,
      `SUMIFS(Deals[Net],Deals[Person],A${row},${period})`,
      `INDEX(People[Quota],MATCH(A${row},People[Person],0))`,
      `D${row}/E${row}`,
      `SUMIFS(Deals[Commission],Deals[Person],A${row})`,
      `ROUND(MAX(0,D${row}-E${row})*in_Bonus_Rate,2)`,
      `G${row}+H${row}`,
    ];
    const formats = ['General', 'General', WHOLE, MONEY, WHOLE, '0.0%', MONEY, MONEY, MONEY];
    for (const [col, text] of formulas.entries()) {
      sheet.getCell(row, col + 1).value = formula(text);
      sheet.getCell(row, col + 1).numFmt = formats[col]!;
    }
  }
  const last = 4 + PEOPLE.length;
  addName(sheet, 'out_Commission', `$A$4:$I$${last}`);
  addHeading(sheet, `A${last + 2}`, 'Totals');
  addField(sheet, {
    row: last + 3,
    label: 'Net revenue',
    value: formula(`SUM(D5:D${last})`),
    format: MONEY,
    name: 'out_Net_Revenue',
  });
  addField(sheet, {
    row: last + 4,
    label: 'To pay',
    value: formula(`SUM(I5:I${last})`),
    format: MONEY,
    name: 'out_To_Pay',
  });
}
