import excelJs from 'exceljs';
import { expect, test } from 'vitest';
import { tableContent, type TableInfo } from './table-content.ts';
import { buildTableWorkbook } from './table-workbook.ts';

const info: TableInfo = {
  RangeType: 'RangeWithRowHeaders',
  CellUsages: ['Text', 'Date', 'Number', 'Date'],
  ColumnHeaderValues: [],
  RowHeaderValues: ['Name', 'Due', 'Amount', 'Paid'],
  Formats: ['General', 'General', '#,##0.00', 'yyyy-mm-dd'],
};
const value = JSON.stringify([
  ['Ada', 'Bert'],
  [45_658, 45_689],
  [1.5, 2],
  [45_660, null],
]);

async function rowsOf(rowIndices: number[] | null): Promise<unknown[][]> {
  const bytes = await buildTableWorkbook(tableContent({ name: 'Table', info, value, rowIndices }));
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes) as never);
  const found: unknown[][] = [];
  workbook.worksheets[0]!.eachRow((row) => found.push((row.values as unknown[]).slice(1)));
  return found;
}
const day = (text: string): Date => new Date(`${text}T00:00:00Z`);
const DUE = ['Due', day('2025-01-01'), day('2025-02-01')];

test('if each row has its own rules, its dates are dates and its numbers keep their format', async () => {
  const rows = await rowsOf(null);
  expect(rows.slice(-4)).toEqual([['Name', 'Ada', 'Bert'], DUE, ['Amount', 1.5, 2], ['Paid', day('2025-01-03')]]);
});

test('rows that were chosen keep their own rules', async () => {
  expect((await rowsOf([2, 1])).slice(-2)).toEqual([['Amount', 1.5, 2], DUE]);
});

test('a number of more digits than Excel keeps stands as text, and its column says that calculations leave it out', async () => {
  const amounts: TableInfo = {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Text', 'Number', 'Number'],
    ColumnHeaderValues: ['Item', 'Amount', 'Rest'],
    RowHeaderValues: [],
    Formats: ['General', 'General', 'General'],
  };
  const cells = JSON.stringify([
    ['9007199254740993', '1234567890123456789012.345', 1.5],
    ['b', 7, 2],
  ]);
  const content = tableContent({ name: 'Table', info: amounts, value: cells, rowIndices: null });
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(Buffer.from(await buildTableWorkbook(content)) as never);
  const sheet = workbook.worksheets[0]!;
  expect([sheet.getCell('B2').value, sheet.getCell('B3').value]).toEqual(['1234567890123456789012.345', 7]);
  const note = sheet.getCell('B1').note;
  const text = typeof note === 'string' ? note : (note?.texts ?? []).map((part) => part.text).join('');
  expect(text).toBe(
    '1 number of more than 15 digits stands here as text, with all digits. Excel leaves texts out of sums and other calculations.',
  );
  expect([sheet.getCell('A1').note, sheet.getCell('C1').note]).toEqual([undefined, undefined]);
});
