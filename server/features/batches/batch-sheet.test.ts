/** Tests the messages about sheets with cells that belong to no input. */
import { expect, test } from 'vitest';
import type { SheetRows, SheetCell } from '#server/sheets/row-inputs.ts';
import { input } from '#test/support/portal.ts';
import { readBatch } from './batch-sheet.ts';

const filled = ['Amount', 'Price'].map((Name, at) => ({
  input: {
    Id: at + 1,
    ActivityId: 1,
    Name,
    Description: '',
    HasAccess: true,
    PresetValue: null,
    PresetValueError: null,
    Info: input(Name).Info,
  },
  items: null,
}));

const sheetOf = (headers: string[], ...rows: SheetCell[][]): SheetRows => ({
  headers,
  rows: rows.map((cells, at) => ({ row: at + 2, cells })),
});
const issuesOf = (sheet: SheetRows): string[] =>
  readBatch(sheet, filled, []).issues.map(({ Cell, Message }) => `${Cell}: ${Message}`);

test('a value beyond the last column name is refused with its address, as one that a decimal comma split', () => {
  const read = readBatch(
    sheetOf(['Amount', 'Price'], ['1', '10', '5'], ['2', '20'], ['3', '30', '75', ' ']),
    filled,
    [],
  );
  expect(read.issues).toEqual([
    { Cell: 'C2', Input: '', Message: 'There is no column name above the value' },
    { Cell: 'C4', Input: '', Message: 'There is no column name above the value' },
  ]);
  expect(read.Rows.map(({ IsGood }) => IsGood)).toEqual([false, true, false]);
});

test('a value under a blank column name is refused too, also where the row has no other; blanks and named results are not', () => {
  const sheet = sheetOf(
    ['Amount', '', 'Price', 'Run status'],
    [1, null, 2, 'Failed'],
    [1, { error: '#N/A' }, 2],
    [null, 7],
    [1, '  ', 2, null, ''],
  );
  expect(issuesOf(sheet)).toEqual([
    'B3: There is no column name above the value',
    'A4: Value must be provided',
    'C4: Value must be provided',
    'B4: There is no column name above the value',
  ]);
});

test('faults of the headers are counted apart from those of the rows', () => {
  expect(readBatch(sheetOf(['Colour', 'Size'], ['red', 1]), filled, []).headerIssues).toBe(5);
  expect(readBatch(sheetOf(['Amount', 'Price'], ['many', 1]), filled, []).headerIssues).toBe(0);
  expect(readBatch(sheetOf(['Amount', 'Price']), filled, [])).toMatchObject({ headerIssues: 0, Rows: [] });
});

const german = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' } as const;
const readingsOf = (sheet: SheetRows, Region?: typeof german) => {
  const inRegion = filled.map((one) => {
    const Info = { ...one.input.Info, ...(Region ? { Region } : {}) };
    return { ...one, input: { ...one.input, Info } };
  });
  return readBatch(sheet, inRegion, []).readings;
};

test('of texts with two readings the first is shown with both, in the notation of the workbook, and how many more there are', () => {
  const sheet = sheetOf(['Amount', 'Price'], ['1', '1.234'], ['2.345', 3.456], ['1,5', '4,567']);
  const first = { Cell: 'B2', Text: '1.234' };
  expect(readingsOf(sheet, german)).toEqual({
    Region: german,
    Numbers: { ...first, Value: '1234', Other: '1,234', More: 2 },
    Dates: null,
  });
  expect(readingsOf(sheet)).toMatchObject({
    Region: null,
    Numbers: { ...first, Value: '1.234', Other: '1234', More: 2 },
  });
});

test('nothing is reported for cells with numbers, and for texts with only one reading', () => {
  expect(readingsOf(sheetOf(['Amount', 'Price'], [1.234, '1234'], ['12.5', 'many']))).toBeNull();
});
