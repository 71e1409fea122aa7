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
} from './layout.ts';

const formula = (text: string): Cell['value'] => ({ formula: text, date1904: false });

export const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY'];
/** Upper limits of the matrix columns, in days from the report date. */
export const BUCKETS = [30, 90, 180, 365];

/** Value of one EUR in each currency from that date on. */
export const RATES: [Date, number, number, number, number, number][] = [
  [day(2026, 6, 1), 1, 1.142, 0.8461, 0.9355, 164.2],
  [day(2026, 7, 1), 1, 1.1583, 0.8512, 0.9318, 166.75],
  [day(2026, 8, 1), 1, 1.1499, 0.8575, 0.9342, 168.1],
  [day(2026, 9, 1), 1, 1.1624, 0.8633, 0.9401, 170.45],
  [day(2026, 10, 1), 1, 1.1702, 0.8697, 0.9366, 172.9],
  [day(2026, 11, 1), 1, 1.1655, 0.8724, 0.9289, 171.35],
];

export const POSITIONS: [string, string, string, Date, number][] = [
  ['Berlin', 'Receivable', 'USD', day(2026, 11, 20), 450_000],
  ['Berlin', 'Payable', 'GBP', day(2026, 12, 15), 120_000],
  ['Berlin', 'Hedge', 'USD', day(2026, 11, 28), -300_000],
  ['Zürich', 'Receivable', 'CHF', day(2027, 1, 31), 275_500.5],
  ['Zürich', 'Payable', 'USD', day(2027, 3, 1), 80_000],
  ['Leeds', 'Receivable', 'JPY', day(2027, 4, 15), 42_000_000],
  ['Leeds', 'Payable', 'EUR', day(2026, 11, 30), 65_000],
  ['Leeds', 'Receivable', 'GBP', day(2027, 9, 30), 510_000],
  ['Berlin', 'Receivable', 'CHF', day(2026, 10, 2), 15_000],
];

export function fxExposure(workbook: Workbook): void {
  addInstructions(workbook, 'FX exposure report', [
    'Shows what is receivable and payable in each currency, by how soon it falls due, in the reporting currency.',
    'Positions are an input table; those due before the report date or after a year are left out.',
    'Rates are those of the newest row of the table Rates that is not after the report date.',
    'Payables count negative. Hedges are entered with their own sign.',
  ]);
  addReport(workbook);
  addPositions(workbook);
  addRates(workbook);
  addLists(workbook);
  addPortal(workbook, {
    PortalSettings: [
      ['Name', 'Value'],
      ['RunActivityTitle', '{0}'],
      ['StartDisplayName', 'Report'],
      ['Group', 'Treasury'],
      ['Function', 'Report'],
      ['Classifications', 'Internal'],
    ],
    PortalOutputs: [
      ['Name', 'Description'],
      ['Exposure', 'In the reporting currency, by days until due'],
      ['Loss at Shock', 'If the reporting currency gains by the shock against all others'],
    ],
  });
}

function addReport(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Report', 'FX exposure', 'By currency and days until due', [30, 18, 18, 18, 18, 18]);
  addField(sheet, {
    row: 4,
    label: 'Report date',
    value: day(2026, 11, 15),
    format: DAY,
    name: 'in_Report_Date',
    validation: anyDay('Positions due from this day on count'),
  });
  addField(sheet, {
    row: 5,
    label: 'Reporting currency',
    value: 'EUR',
    name: 'in_Reporting_Currency',
    validation: listOf('Lists!$A$5:$A$9', 'Currency of the report'),
  });
  addField(sheet, {
    row: 6,
    label: 'Shock',
    value: 0.1,
    format: PERCENT,
    name: 'in_Shock',
    validation: between('decimal', 0, 0.9, 'Such as 10 %'),
  });
  addHeading(sheet, 'A8', 'Exposure');
  addHeaders(sheet, 9, 1, [
    null,
    ...BUCKETS.map((end, index) => `${index === 0 ? 0 : BUCKETS[index - 1]! + 1} to ${end} days`),
  ]);
  for (const [index, currency] of CURRENCIES.entries()) {
    const row = 10 + index;
    sheet.getCell(row, 1).value = currency;
    sheet.getCell(row, 1).font = { bold: true };
    for (const [col, end] of BUCKETS.entries()) {
      const from = col === 0 ? 0 : BUCKETS[col - 1]! + 1;
      const cell = sheet.getCell(row, 2 + col);
      cell.value = formula(
        `SUMIFS(Positions[Value],Positions[Currency],$A${row},Positions[Due],">="&$B$4+${from},Positions[Due],"<="&$B$4+${end})`,
      );
      cell.numFmt = MONEY;
    }
  }
  const last = 9 + CURRENCIES.length;
  addName(sheet, 'out_Exposure', `$A$9:$E$${last}`);
  const row = last + 2;
  addField(sheet, {
    row,
    label: 'Net exposure',
    value: formula(`SUM(B10:E${last})`),
    format: MONEY,
    name: 'out_Net_Exposure',
  });
  addField(sheet, {
    row: row + 1,
    label: 'In other currencies',
    value: formula(
      `B${row}-SUMIFS(Positions[Value],Positions[Currency],B5,Positions[Due],">="&B4,Positions[Due],"<="&B4+365)`,
    ),
    format: MONEY,
    name: 'out_Foreign_Exposure',
  });
  addField(sheet, {
    row: row + 2,
    label: 'Loss at shock',
    value: formula(`ROUND(B${row + 1}*in_Shock/(1+in_Shock),2)`),
    format: MONEY,
    name: 'out_Loss_at_Shock',
  });
  addField(sheet, {
    row: row + 3,
    label: 'Rates of',
    value: formula('INDEX(Rates[Date],MATCH(B4,Rates[Date],1))'),
    format: DAY,
    name: 'out_Rates_of',
  });
}

function addPositions(workbook: Workbook): void {
  const sheet = addSheet(
    workbook,
    'Positions',
    'Positions',
    'Receivables, payables and hedges',
    [16, 14, 12, 14, 18, 14, 18],
  );
  const row = (text: string): string => `Positions[[#This Row],[${text}]]`;
  const rate = (currency: string): string =>
    `INDEX(Rates[],MATCH(in_Report_Date,Rates[Date],1),MATCH(${currency},Rates[#Headers],0))`;
  const calculated = [
    `${rate('in_Reporting_Currency')}/${rate(row('Currency'))}`,
    `ROUND(IF(${row('Type')}="Payable",-1,1)*${row('Amount')}*${row('Rate')},2)`,
  ];
  addTable(
    sheet,
    'Positions',
    { row: 4, col: 1 },
    [
      { name: 'Entity' },
      { name: 'Type', validation: listOf('"Receivable,Payable,Hedge"', 'Kind of position') },
      { name: 'Currency', validation: listOf('Lists!$A$5:$A$9', 'Currency of the amount') },
      { name: 'Due', format: DAY, validation: anyDay('Day of payment') },
      { name: 'Amount', format: MONEY },
      { name: 'Rate', format: '0.000000' },
      { name: 'Value', format: MONEY },
    ],
    POSITIONS.map((cells) => [...cells, ...calculated.map(formula)]),
  );
  addName(sheet, 'in_Positions', `$A$4:$G$${4 + POSITIONS.length}`);
}

function addRates(workbook: Workbook): void {
  const sheet = addSheet(
    workbook,
    'Rates',
    'Rates',
    'Units for one EUR, valid from the date on',
    [14, 12, 12, 12, 12, 12],
  );
  const columns = CURRENCIES.map((name) => ({ name, format: '0.0000' }));
  addTable(sheet, 'Rates', { row: 4, col: 1 }, [{ name: 'Date', format: DAY }, ...columns], RATES);
}

function addLists(workbook: Workbook): void {
  const sheet = addSheet(workbook, 'Lists', 'Lists', 'What the inputs offer', [16]);
  addTable(
    sheet,
    'Currencies',
    { row: 4, col: 1 },
    [{ name: 'Currency' }],
    CURRENCIES.map((currency) => [currency]),
  );
}
