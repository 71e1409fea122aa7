import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec } from '#test/support/build-workbook.ts';
import { input, output, portal } from '#test/support/read-definitions.ts';

describe('the shape of the range', () => {
  const grid = (rows: CellSpec[][]): Record<string, CellSpec> => portal('T', rows).cells;

  it.each<[string, string, CellSpec[][], Record<string, unknown>]>([
    ['one cell', 'S!$A$1', [[1]], { RangeType: 'SingleCell', Height: 1, Width: 1, HeaderRows: 0 }],
    [
      'one row',
      'S!$A$1:$C$1',
      [[1, 2, 3]],
      { RangeType: 'SingleRowOfSimilarValues', Width: 3, CellUsages: ['Number'] },
    ],
    ['one column', 'S!$A$1:$A$3', [[1], [2], [3]], { RangeType: 'SingleColumnOfSimilarValues', Height: 3 }],
    [
      'one column with its title',
      'S!$A$1:$A$3',
      [['Rate'], [2], [3]],
      { RangeType: 'SingleColumnOfSimilarValues', Height: 2, HeaderRows: 1, ColumnHeaderValues: ['Rate'] },
    ],
    [
      'a block with titles in its first row',
      'S!$A$1:$B$3',
      [
        ['Name', 'Amount'],
        ['a', 1],
        ['b', 2],
      ],
      {
        RangeType: 'RangeWithColumnHeaders',
        Height: 2,
        HeaderRows: 1,
        ColumnHeaderValues: ['Name', 'Amount'],
        CellUsages: ['Text', 'Number'],
        SqlNames: ['Name', 'Amount'],
      },
    ],
    [
      'a block under a row of texts',
      'S!$A$2:$B$3',
      [
        ['Name', 'Amount'],
        ['a', 1],
        ['b', 2],
      ],
      { RangeType: 'RangeWithColumnHeaders', Height: 2, ColumnHeaderValues: ['Name', 'Amount'] },
    ],
    [
      'a block with headers on both sides',
      'S!$A$1:$C$3',
      [
        [null, 'EUR', 'USD'],
        ['EUR', 1, 2],
        ['USD', 3, 4],
      ],
      {
        RangeType: 'MatrixWithHeaders',
        Height: 2,
        Width: 2,
        ColumnHeaderValues: ['EUR', 'USD'],
        RowHeaderValues: ['EUR', 'USD'],
        CellUsages: ['Number'],
      },
    ],
    [
      'a block of numbers',
      'S!$A$1:$B$2',
      [
        [1, 2],
        [3, 4],
      ],
      { RangeType: 'MatrixWithoutHeaders', HeaderRows: 0, DefaultValue: '[[1,2],[3,4]]' },
    ],
  ])('tells %s', async (_, ref, rows, info) => {
    const found = await input(ref, { cells: grid(rows) });
    expect(found.Info).toMatchObject(info);
  });

  it('of an Excel table makes its rows variable, with the names of its columns', async () => {
    const sheet = {
      cells: grid([
        ['Inv. No', '2nd', 'inv no'],
        ['a', 1, true],
      ]),
      tables: [{ name: 'T', ref: 'A1:C2', columns: ['Inv. No', '2nd', 'inv no'] }],
    };
    for (const ref of ['T', 'T[]', 'T[#All]', 'S!$A$1:$C$2', 'S!$A$2:$C$2']) {
      const { Info, location } = await input(ref, sheet);
      expect(Info).toMatchObject({
        RangeType: 'RangeWithColumnHeaders',
        RowsVariable: true,
        ColumnHeaderValues: ['Inv. No', '2nd', 'inv no'],
        SqlNames: ['Inv_No', '_2nd', 'inv_no_2'],
        CellUsages: ['Text', 'Number', 'Boolean'],
        DefaultValue: '[["a",1,true]]',
      });
      expect(location).toEqual({ sheet: 0, block: { top: 1, left: 0, bottom: 1, right: 2 }, table: 'T' });
    }
  });

  it.each<[string, Partial<SheetSpec>, number]>([
    ['the end of the sheet', {}, 1_048_575],
    ['a blank cell that is formatted', { cells: { B6: { value: null, style: 1 } } }, 1_048_575],
    ['a cell beside its columns', { cells: { D6: 'x' } }, 1_048_575],
    ['a cell', { cells: { B6: 'x' } }, 4],
    ['a formula right below', { cells: { A3: { formula: '1+1', value: 2 } } }, 1],
    ['a cell, and merged cells above it', { cells: { B6: 'x' }, merges: ['C4:D5'] }, 2],
    ['another table', { cells: { A9: 'x', A10: 1 }, tables: [{ name: 'Other', ref: 'A9:A10', columns: ['x'] }] }, 7],
  ])('of an Excel table above %s says how many rows fit', async (_, below, maxRows) => {
    const { cells, tables = [], ...rest } = below;
    const { Info } = await input('T', {
      cells: {
        ...grid([
          ['Deal', 'Amount', 'Paid'],
          ['a', 1, true],
        ]),
        ...cells,
      },
      tables: [{ name: 'T', ref: 'A1:C2', columns: ['Deal', 'Amount', 'Paid'] }, ...tables],
      ...rest,
    });
    expect(Info.MaxRows).toBe(maxRows);
  });

  it('of merged cells is the one cell that they are', async () => {
    const found = await input('S!$A$1:$C$2', { cells: { A1: 'x' }, merges: ['A1:C2'] });
    expect(found.Info.RangeType).toBe('SingleCell');
    expect(found.location.block).toEqual({ top: 0, left: 0, bottom: 0, right: 0 });
  });

  it('of an output that a dynamic array fills is as long as the array', async () => {
    const cells: Record<string, CellSpec> = {
      A1: 'City',
      B1: 'Sum',
      A2: { formula: 'SORT(D1:E2)', value: 'a', array: 'A2:B3', dynamic: true },
      B2: 1,
      A3: 'b',
      B3: 2,
    };
    for (const ref of ['S!$A$2', '_xlfn.ANCHORARRAY(S!$A$2)']) {
      const { Info, location } = await output(ref, { cells });
      expect(Info).toMatchObject({
        RangeType: 'RangeWithColumnHeaders',
        RowsVariable: true,
        ColumnHeaderValues: ['City', 'Sum'],
      });
      expect(location.block).toEqual({ top: 1, left: 0, bottom: 2, right: 1 });
    }
  });
});
