import { describe, expect, test } from 'vitest';
import type { Output, OutputInfo } from '#shared/contract/parameters.ts';
import { freeSheetName, planSheets, ResultsDoNotFit } from './result-sheets.ts';

function output(Value: unknown, info: Partial<OutputInfo> = {}): Output {
  const Info: OutputInfo = {
    RangeType: 'SingleCell',
    CellUsages: ['Text'],
    CalculateImmediately: false,
    SqlNames: [],
    HeaderRows: 0,
    HeaderCols: 0,
    RowsVariable: false,
    ColumnHeaderValues: [],
    RowHeaderValues: [],
    Formats: ['General'],
    ...info,
  };
  return { Id: 1, ActivityId: 1, Name: 'Out', Description: '', Info, Value: JSON.stringify(Value) };
}

/** Returns the single cell of an output, next to its name. */
const cellOf = (value: unknown, info: Partial<OutputInfo> = {}, is1904 = false) =>
  planSheets([['x']], [output(value, info)], is1904)[0]!
    .blocks.at(-1)!
    .rowAt(0)[1]!;

describe('a cell', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', "'quoted", '007', 'TRUE', '1/2', '12 %', '#N/A', '=cmd|x!A1'])(
    'of the text %j stays that text',
    (text) => {
      expect(cellOf(text)).toEqual({ written: `'${text}`, expected: text, format: null });
    },
  );

  test('of a number stays a number, with its format, but for one that would make it a text', () => {
    const number = (format: string) => cellOf(0.125, { CellUsages: ['Number'], Formats: [format] });
    expect(number('0.0%')).toEqual({ written: 0.125, expected: 0.125, format: '0.0%' });
    for (const format of ['General', '@', '']) expect(number(format).format).toBeNull();
  });

  test('of a day is shown as one, and counted as the workbook counts', () => {
    const day = (format: string, is1904 = false) => cellOf(46_023, { CellUsages: ['Date'], Formats: [format] }, is1904);
    expect(day('yyyy-mm-dd')).toEqual({ written: 46_023, expected: 46_023, format: 'yyyy-mm-dd' });
    expect(day('General').format).toBe('dd/mm/yyyy');
    expect(day('yyyy-mm-dd', true).written).toBe(44_561);
    // A time of day is independent of the date system.
    expect(cellOf(0.5, { CellUsages: ['Date'], Formats: ['hh:mm'] }, true).written).toBe(0.5);
    expect(cellOf(100, { CellUsages: ['Date'], Formats: ['yyyy-mm-dd'] }, true)).toMatchObject({
      written: "'1900-04-09",
    });
  });

  test('of a truth value, an error or nothing is one in Excel too', () => {
    expect(cellOf(false).written).toBe(false);
    expect(cellOf({ error: '#DIV/0!' })).toMatchObject({ written: '#DIV/0!', expected: '#DIV/0!' });
    // Excel does not recognize this error when it is typed.
    expect(cellOf({ error: '#SPILL!' }).written).toBe("'#SPILL!");
    for (const blank of [null, '']) expect(cellOf(blank)).toEqual({ written: null, expected: '', format: null });
  });
});

test('a table stands below its name and headings, with its formats by column, or by row where headings stand at the left', () => {
  const [sheet] = planSheets(
    [['Prices'], ['Run 1']],
    [
      output([[1, 46_023]], {
        RangeType: 'RangeWithColumnHeaders',
        CellUsages: ['Number', 'Date'],
        Formats: ['0.00', 'yyyy'],
        ColumnHeaderValues: ['Sum', 'Year'],
      }),
      output([[1], [46_023]], {
        RangeType: 'RangeWithRowHeaders',
        CellUsages: ['Number', 'Date'],
        Formats: ['0.00', 'yyyy'],
        RowHeaderValues: ['Sum', 'Year'],
      }),
    ],
    false,
  );
  const lines = sheet!.blocks.flatMap((block) =>
    Array.from({ length: block.rows }, (_, row) => [block.top + row, ...block.rowAt(row).map((cell) => cell.expected)]),
  );
  expect(lines).toEqual([
    [0, 'Prices'],
    [1, 'Run 1'],
    [3, 'Out'],
    [4, 'Sum', 'Year'],
    [5, 1, 46_023],
    [7, 'Out'],
    [8, 'Sum', 1],
    [9, 'Year', 46_023],
  ]);
  const formats = sheet!.blocks.map((block) => block.rowAt(block.rows - 1).at(-1)!.format);
  expect(formats).toEqual([null, null, null, null, 'yyyy', null, 'yyyy']);
});

test('what one sheet cannot hold continues on the next, and what no sheet can hold is refused before anything is written', () => {
  const column = (length: number) =>
    output(
      Array.from({ length }, () => 1),
      { RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['Number'] },
    );
  const sheets = planSheets([['x']], [column(600_000), column(600_000)], false);
  expect(sheets.map(({ blocks }) => blocks.length)).toEqual([3, 2]);
  expect(() => planSheets([['x']], [column(1_048_576)], false)).toThrow(ResultsDoNotFit);
  expect(() => planSheets([['x']], [output('x'.repeat(32_768))], false)[0]!.blocks[1]!.rowAt(0)).toThrow(
    ResultsDoNotFit,
  );
});

test('the name of a sheet is one that Excel takes and that no other has', () => {
  expect(freeSheetName('Prices', ['Sheet1'])).toBe('Prices');
  expect(freeSheetName('Prices', ['PRICES', 'Prices (2)'])).toBe('Prices (3)');
  expect(freeSheetName("'A/B: [c]*?\\'", [])).toBe('A B   c');
  expect(freeSheetName('x'.repeat(40), ['x'.repeat(31)])).toBe(`${'x'.repeat(27)} (2)`);
  expect(freeSheetName('history', [])).toBe('history (2)');
  expect(freeSheetName('??', [])).toBe('Runsheet');
});
