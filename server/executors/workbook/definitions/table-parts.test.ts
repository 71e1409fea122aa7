import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec } from '#test/support/build-workbook.ts';
import { input, output, portal, read, withPortal } from '#test/support/read-definitions.ts';

const ROWS: CellSpec[][] = [
  ['Item', 'Status', 'Amount'],
  ['Rent', 'open', 800],
  ['Power', 'paid', 90],
  ['Total', null, { formula: 'SUBTOTAL(109,T[Amount])', value: 890 }],
];
const SHEET: Partial<SheetSpec> = {
  cells: portal('T', ROWS).cells,
  tables: [
    {
      name: 'T',
      ref: 'A1:C4',
      columns: ['Item', 'Status', { name: 'Amount', totalsFormula: 'SUBTOTAL(109,T[Amount])' }],
      totals: true,
    },
  ],
};

describe('a part of an Excel table', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['one cell', 'S!$C$2', { RangeType: 'SingleCell', CellUsages: ['Number'], DefaultValue: '800' }],
    [
      'a column',
      'T[Status]',
      { RangeType: 'SingleColumnOfSimilarValues', Height: 2, HeaderRows: 0, DefaultValue: '["open","paid"]' },
    ],
    ['a part of a column', 'S!$A$3:$A$3', { RangeType: 'SingleCell', CellUsages: ['Text'], DefaultValue: '"Power"' }],
    [
      'several columns',
      'T[[Status]:[Amount]]',
      {
        RangeType: 'RangeWithColumnHeaders',
        ColumnHeaderValues: ['Status', 'Amount'],
        CellUsages: ['Text', 'Number'],
        Height: 2,
        HeaderRows: 0,
        DefaultValue: '[["open",800],["paid",90]]',
      },
    ],
    [
      'a row',
      'S!$A$3:$C$3',
      {
        RangeType: 'RangeWithColumnHeaders',
        ColumnHeaderValues: ['Item', 'Status', 'Amount'],
        CellUsages: ['Text', 'Text', 'Number'],
        Height: 1,
      },
    ],
  ])('can be an input of %s, with the rows it has', async (_, ref, info) => {
    const { Info, location } = await input(ref, SHEET);
    expect(Info).toMatchObject({ ...info, RowsVariable: false });
    expect(location.table).toBeUndefined();
  });

  it('as an output has no heading in its first row', async () => {
    const cells = portal('T', [['Kind'], ['all'], [1], [2]]).cells;
    const sheet = { cells, tables: [{ name: 'T', ref: 'A1:B4', columns: ['Kind', 'Other'] }] };
    const { Info, location } = await output('T[Kind]', { ...sheet, cells: { ...cells, B1: 'Other' } });
    expect(Info).toMatchObject({ RangeType: 'SingleColumnOfSimilarValues', HeaderRows: 0, ColumnHeaderValues: [] });
    expect(location).toMatchObject({ block: { top: 1, bottom: 3 }, table: 'T' });
  });

  it.each<[string, string, RegExp]>([
    ['its headings', 'S!$A$1:$B$2', /covers headings of the Excel table T/],
    ['a heading', 'S!$B$1', /covers headings of the Excel table T/],
    ['its totals', 'S!$B$3:$B$4', /covers totals of the Excel table T/],
    ['cells beside it', 'S!$C$2:$D$2', /covers only a part of the Excel table T, and cells outside of it/],
  ])('cannot be an input with %s', async (_, ref, message) => {
    const { problems } = await read({ sheets: [{ name: 'S', ...SHEET }], names: { in_X: ref } });
    expect(problems).toMatchObject([{ Message: expect.stringMatching(message) as string }]);
  });

  it('shares no cells with the table as another input', async () => {
    const names = { in_X: 'S!$C$2', in_All: 'T' };
    const { problems } = await read({ sheets: [{ name: 'S', ...SHEET }], names });
    expect(problems).toMatchObject([{ Message: expect.stringMatching(/'All' and 'X' .* share cells/) as string }]);
  });

  it('is no input where a step fills the table', async () => {
    const steps = withPortal(
      SHEET,
      'PortalSteps',
      [
        ['Step', 'Action', 'Input', 'Table'],
        ['Load', 'Import', 'File', 'T'],
      ],
      { in_X: 'S!$C$2', in_File: 'S!$E$1' },
    );
    const { problems } = await read(steps);
    expect(problems).toMatchObject([
      { Sheet: 'S', Cell: 'C2', Message: "The input 'X' is a part of the Excel table T, which the step 'Load' fills." },
    ]);
  });
});
