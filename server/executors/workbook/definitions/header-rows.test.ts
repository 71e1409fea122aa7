import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec } from '#test/support/build-workbook.ts';
import { defined, input, portal, read, withPortal } from '#test/support/read-definitions.ts';
import { chooseHeaders, columnsDiffer } from './header-rows.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const DATE: CellSpec = { value: 46_000, style: 1 };
const cellsOf = (rows: CellSpec[][]): Record<string, CellSpec> => portal('T', rows).cells;

const shapeOf = async (rows: CellSpec[][], ref: string, more: Partial<SheetSpec> = {}) =>
  (await input(`S!${ref}`, { cells: cellsOf(rows), ...more }, { formats: ['dd/mm/yyyy'] })).Info;

describe('the first row of a block', () => {
  it.each<[string, CellSpec[][], string, Partial<SheetSpec>, string[]]>([
    [
      'over values of other kinds',
      [
        ['Task', 'Start'],
        ['Design', DATE],
      ],
      '$A$1:$B$2',
      {},
      ['Task', 'Start'],
    ],
    [
      'of which one is no text',
      [
        ['Task', 'Owner', 'Site', 'Budget', 2026],
        ['Design', 'Ann', 'Bonn', 100, 5],
        ['Build', 'Bob', null, 50, 8],
      ],
      '$A$1:$E$3',
      {},
      ['Task', 'Owner', 'Site', 'Budget', '2026'],
    ],
    [
      'of which one is blank',
      [
        ['Task', null, 'Hours'],
        ['Design', DATE, 5],
        ['Build', DATE, 8],
      ],
      '$A$1:$C$3',
      {},
      ['Task', 'B', 'Hours'],
    ],
    [
      'with a blank corner over columns of different kinds',
      [
        [null, 'Start', 'Hours'],
        ['Design', DATE, 5],
        ['Build', DATE, 8],
      ],
      '$A$1:$C$3',
      {},
      ['A', 'Start', 'Hours'],
    ],
    [
      'with a blank corner over rows without labels',
      [
        [null, 'Start', 'Hours'],
        ['Design', DATE, 5],
        [null, DATE, 3],
      ],
      '$A$1:$C$3',
      {},
      ['A', 'Start', 'Hours'],
    ],
    [
      'of which two are alike',
      [
        ['Task', 'From', 'To', 'Team', 'Note', 'To'],
        ['Design', DATE, 5, 'A', 'x', 3],
      ],
      '$A$1:$F$2',
      {},
      ['Task', 'From', 'To', 'Team', 'Note', 'To (F)'],
    ],
    [
      'over blank rows',
      [
        ['Name', 'City'],
        [null, null],
        [null, null],
      ],
      '$A$1:$B$3',
      {},
      ['Name', 'City'],
    ],
    [
      'over texts, with nothing above',
      [
        ['Name', 'City'],
        ['Ann', 'Bonn'],
        ['Bob', 'Rome'],
      ],
      '$A$1:$B$3',
      {},
      ['Name', 'City'],
    ],
  ])('is headings %s', async (_, rows, ref, more, headers) => {
    const info = await shapeOf(rows, ref, more);
    expect(info).toMatchObject({
      RangeType: 'RangeWithColumnHeaders',
      HeaderRows: 1,
      Height: rows.length - 1,
      ColumnHeaderValues: headers,
    });
  });

  it.each<[string, CellSpec[][], string, Partial<SheetSpec>, string[]]>([
    [
      'of texts below headings',
      [
        ['Name', 'City'],
        ['Ann', 'Bonn'],
        ['Bob', 'Rome'],
      ],
      '$A$2:$B$3',
      {},
      ['Name', 'City'],
    ],
    [
      'below headings of which one is blank',
      [
        ['Task', null, 'Hours'],
        ['Design', DATE, 5],
        ['Build', DATE, 8],
      ],
      '$A$2:$C$3',
      {},
      ['Task', 'B', 'Hours'],
    ],
    [
      'below headings that are merged with the row above them',
      [
        ['Task', 'Work', null],
        [null, 'Start', 'Hours'],
        ['Design', DATE, 5],
        ['Build', DATE, 8],
      ],
      '$A$3:$C$4',
      { merges: ['A1:A2', 'B1:C1'] },
      ['Task', 'Start', 'Hours'],
    ],
    [
      'mostly of texts, with a number as the rows below it have',
      [
        ['Item', 'Unit', 'Colour', 'Size', 'Price'],
        ['Bolt', 'pcs', 'n/a', 'big', 5],
        ['Nut', 'pcs', 7, 'small', 6],
      ],
      '$A$2:$E$3',
      {},
      ['Item', 'Unit', 'Colour', 'Size', 'Price'],
    ],
  ])('is data %s', async (_, rows, ref, more, headers) => {
    const info = await shapeOf(rows, ref, more);
    expect(info).toMatchObject({ RangeType: 'RangeWithColumnHeaders', HeaderRows: 1, ColumnHeaderValues: headers });
    expect(info.Height).toBe(2);
    expect(info.DefaultValue).toContain(JSON.stringify(rows.at(-2)![0]));
  });

  it.each<[string, CellSpec[][], Partial<SheetSpec>]>([
    [
      'one of its texts stands in its column again',
      [
        ['Ann', 'Bonn'],
        ['Bob', 'Bonn'],
      ],
      {},
    ],
    [
      'a data validation begins there',
      [
        ['Ann', 'Bonn'],
        ['Bob', 'Rome'],
      ],
      { validations: [{ ref: 'B3:B4', type: 'list', formula1: '"Bonn,Rome"', showError: true }] },
    ],
  ])('is data without headings where %s', async (_, rows, more) => {
    const cells = portal('T', rows, 3).cells;
    const { Info } = await input('S!$A$3:$B$4', { cells, ...more });
    expect(Info).toMatchObject({ RangeType: 'MatrixWithoutHeaders', Height: 2, Width: 2 });
  });

  it('below the rows of an Excel table takes no headings from them', async () => {
    const cells = cellsOf([
      ['Name', 'City'],
      ['Ann', 'Bonn'],
      ['Bob', 'Rome'],
      [1, 2],
    ]);
    const tables = [{ name: 'T', ref: 'A1:B3', columns: ['Name', 'City'] }];
    const { Info } = await input('S!$A$4:$B$4', { cells, tables });
    expect(Info.RangeType).toBe('SingleRowOfSimilarValues');
    const more = await input('S!$A$4:$B$5', { cells: { ...cells, A5: 3, B5: 4 }, tables });
    expect(more.Info.RangeType).toBe('MatrixWithoutHeaders');
  });

  it('is what its author says', async () => {
    const rows: CellSpec[][] = [
      ['Name', 'City'],
      ['Ann', 'Bonn'],
      ['Bob', 'Rome'],
    ];
    const said = async (Headers: string, Range: string, extra: CellSpec[][] = rows) => {
      const { inputs } = await defined(
        withPortal({ cells: cellsOf(extra) }, 'PortalInputs', [
          ['Name', 'Range', 'Headers'],
          ['X', Range, Headers],
        ]),
      );
      return inputs[0]!.Info;
    };
    expect(await said('FALSE', 'S!A1:B3')).toMatchObject({
      RangeType: 'RangeWithColumnHeaders',
      HeaderRows: 0,
      Height: 3,
      ColumnHeaderValues: ['A', 'B'],
    });
    expect(await said('no', 'S!A2:B3')).toMatchObject({
      Height: 2,
      HeaderRows: 1,
      ColumnHeaderValues: ['Name', 'City'],
    });
    expect(await said('TRUE', 'S!A2:B3')).toMatchObject({
      Height: 1,
      HeaderRows: 1,
      ColumnHeaderValues: ['Ann', 'Bonn'],
    });
    expect(await said('yes', 'S!A1:A3')).toMatchObject({ Height: 2, ColumnHeaderValues: ['Name'] });
    expect(
      await said('TRUE', 'S!A1:B2', [
        [2025, 2026],
        [1, 2],
      ]),
    ).toMatchObject({ ColumnHeaderValues: ['2025', '2026'] });
  });

  it.each<[string, CellSpec[][], RegExp]>([
    [
      'an Excel table',
      [
        ['Name', 'Range', 'Headers'],
        ['X', 'T', 'TRUE'],
      ],
      /is in an Excel table/,
    ],
    [
      'a matrix',
      [
        ['Name', 'Range', 'RangeType', 'Headers'],
        ['X', 'S!D1:E2', 'MatrixWithoutHeaders', 'TRUE'],
      ],
      /Headers cannot be set for a MatrixWithoutHeaders/,
    ],
  ])('cannot be said of %s', async (_, rows, message) => {
    const cells = {
      ...cellsOf([
        ['Name', 'City'],
        ['Ann', 'Bonn'],
      ]),
      D1: 1,
      E1: 2,
      D2: 3,
      E2: 4,
    };
    const tables = [{ name: 'T', ref: 'A1:B2', columns: ['Name', 'City'] }];
    const { problems } = await read(withPortal({ cells, tables }, 'PortalInputs', rows));
    expect(problems).toMatchObject([{ Message: expect.stringMatching(message) as string }]);
  });

  it.each<[string, string, RegExp, string]>([
    ['headings', '$A$1:$B$3', /\(S!A1:B1\) is read as headings/, 'enter FALSE as Headers in PortalInputs'],
    ['data', '$A$2:$B$3', /\(S!A2:B2\) is read as data; its columns are 'Name', 'City'/, 'enter TRUE as Headers'],
  ])('read as %s is a finding where the cells leave it open', async (_, ref, message, howToFix) => {
    const cells = cellsOf([
      ['Name', 'City'],
      ['Ann', 'Bonn'],
      ['Bob', 'Rome'],
    ]);
    const { findings } = await read({ sheets: [{ name: 'S', cells }], names: { in_X: `S!${ref}` } });
    expect(findings).toMatchObject([
      { Message: expect.stringMatching(message) as string, Remedy: expect.stringContaining(howToFix) as string },
    ]);
  });

  it('is compared with a bounded number of cells, however large the block is', () => {
    for (const [width, height] of [
      [16_384, 1_048_576],
      [2, 1_048_576],
    ] as const) {
      let cells = 0;
      const row = (y: number) => {
        cells += width;
        return Array.from({ length: width }, (_, x) => ({ value: `t${y} ${x}`, formula: null, format: 'General' }));
      };
      const reader = {
        width,
        height,
        letters: () => 'A',
        row,
        column: () => [],
        above: () => null,
        beginsValidation: () => false,
      };
      expect(chooseHeaders(reader)).toEqual({ isHeaders: true, isCertain: false });
      expect(columnsDiffer(reader)).toBe(false);
      expect(cells).toBeLessThanOrEqual(200_000);
    }
  });

  it('has the same shape whether its headings are in the block or above it', async () => {
    const random = seededRandom(5);
    const values: (() => CellSpec)[] = [
      () => random.between(1, 99),
      () => `t${random.between(1, 9999)}`,
      () => random.between(0, 1) === 1,
      () => DATE,
    ];
    for (let round = 0; round < 40; round++) {
      const columns = Array.from({ length: random.between(2, 6) }, () => random.pick(values));
      // At least one column shows that its heading is not one of its values.
      columns[0] = values[0]!;
      const height = random.between(1, 6);
      const rows = Array.from({ length: height }, () => columns.map((make) => make()));
      const headings = columns.map((_, x) => `Heading ${x}`);
      const ref = (top: number) => `$A$${top}:$${'ABCDEF'[columns.length - 1]!}$${height + 1}`;
      const inside = await shapeOf([headings, ...rows], ref(1));
      expect(inside).toMatchObject({
        RangeType: 'RangeWithColumnHeaders',
        Height: height,
        ColumnHeaderValues: headings,
      });
      if (height > 1) expect(await shapeOf([headings, ...rows], ref(2))).toEqual(inside);
    }
  });
});
