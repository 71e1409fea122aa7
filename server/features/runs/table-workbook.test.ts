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

test('where each row has rules of its own, its dates are dates and its numbers keep their format', async () => {
  const rows = await rowsOf(null);
  expect(rows.slice(-4)).toEqual([['Name', 'Ada', 'Bert'], DUE, ['Amount', 1.5, 2], ['Paid', day('2025-01-03')]]);
});

test('rows that were chosen keep their own rules', async () => {
  expect((await rowsOf([2, 1])).slice(-2)).toEqual([['Amount', 1.5, 2], DUE]);
});
