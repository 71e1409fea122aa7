import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec } from '#test/support/build-workbook.ts';
import { portal, read, withPortal } from '#test/support/read-definitions.ts';

const DATE: CellSpec = { value: 46_000, style: 1 };
const ROWS: CellSpec[][] = [
  ['Design', DATE, 5],
  ['Design', DATE, 8],
];

/** Fills rows from A1 on; the input is the block `ref`. */
async function readPlan(rows: CellSpec[][], ref: string, more: Partial<SheetSpec> = {}) {
  const cells = { ...portal('T', rows).cells, H1: { formula: 'SUM(C1:C9)', value: 13 } };
  const { definition, problems, findings } = await read({
    sheets: [{ name: 'S', cells, ...more }],
    names: { in_Plan: `S!${ref}`, out_Sum: 'S!$H$1' },
    formats: ['dd/mm/yyyy'],
  });
  return { definition, faults: problems, findings };
}

const KINDS =
  "The columns of the input 'Plan' hold different kinds of values (Text, Date, Number), but it is treated as a matrix whose cells are all of the kind Text.";
const AS_MATRIX = 'If it really is a single matrix, enter MatrixWithoutHeaders as its RangeType in PortalInputs.';

describe('a block whose row of headings cannot be used', () => {
  it.each<[string, CellSpec[][], string, Partial<SheetSpec>, string, string]>([
    [
      'a blank row between',
      [['Task', 'Start', 'Hours'], [null, null, null], ...ROWS],
      '$A$3:$C$4',
      {},
      "S!A1:C1 could be the headings ('Task', 'Start', 'Hours'), but row 2 between them and the values is empty.",
      'Delete the empty row.',
    ],
    [
      'a heading that stands twice',
      [['Task', 'Task', 'Hours'], ...ROWS],
      '$A$2:$C$3',
      {},
      "S!A1:C1 could be the headings ('Task', 'Task', 'Hours'), but 'Task' appears there twice.",
      'Give each column its own heading.',
    ],
    [
      'merged headings',
      [['Task', 'Work', null], ...ROWS],
      '$A$2:$C$3',
      { merges: ['B1:C1'] },
      "S!A1:C1 could be the headings ('Task', 'Work', 'Work'), but the cells S!B1:C1 are merged.",
      'Unmerge them. Give each column its own heading, directly above the values.',
    ],
  ])('because of %s is a problem', async (_, rows, ref, sheet, why, howToFix) => {
    const { definition, faults } = await readPlan(rows, ref, sheet);
    expect(definition).toBeNull();
    expect(faults).toMatchObject([{ Sheet: 'S', Message: `${KINDS} ${why}`, Remedy: `${howToFix} ${AS_MATRIX}` }]);
  });

  it('names the row over merged cells by the columns they make', async () => {
    const rows: CellSpec[][] = [
      ['Task', null, 'Start', 'Hours'],
      [null, null, null, null],
      ['Design', null, DATE, 5],
      ['Design', null, DATE, 8],
    ];
    const { faults } = await readPlan(rows, '$A$3:$D$4', { merges: ['A1:B1', 'A3:B3', 'A4:B4'] });
    expect(faults).toMatchObject([
      {
        Message: `${KINDS} S!A1:D1 could be the headings ('Task', 'Start', 'Hours'), but row 2 between them and the values is empty.`,
      },
    ]);
  });

  it('is no matrix where no row could be the headings: its columns are called by their letters', async () => {
    const { definition, faults, findings } = await readPlan(ROWS, '$A$1:$C$2');
    expect(faults).toEqual([]);
    expect(definition!.inputs[0]!.Info).toMatchObject({
      RangeType: 'RangeWithColumnHeaders',
      HeaderRows: 0,
      Height: 2,
      ColumnHeaderValues: ['A', 'B', 'C'],
      CellUsages: ['Text', 'Date', 'Number'],
    });
    expect(findings).toMatchObject([
      {
        Message:
          "The columns of the input 'Plan' hold different kinds of values (Text, Date, Number) and have no headings: they are named by their column letters.",
        Remedy: expect.stringContaining('Put a row of unique headings') as string,
      },
    ]);
  });

  it.each<[string, CellSpec[][], string]>([
    [
      'numbers under a title',
      [
        ['Rates', null],
        [null, null],
        [1, 2],
        [3, 4],
      ],
      '$A$3:$B$4',
    ],
    [
      'numbers under years',
      [
        [2024, 2025],
        [1, 2],
        [3, 4],
      ],
      '$A$2:$B$3',
    ],
    [
      'numbers under headings that stand twice',
      [
        ['Rate', 'Rate', 'Tax'],
        [1, 2, 3],
        [3, 4, 5],
      ],
      '$A$2:$C$3',
    ],
    [
      'texts',
      [
        ['a', 'a'],
        ['b', 'c'],
      ],
      '$A$1:$B$2',
    ],
    [
      'a matrix of numbers',
      [
        [null, 'EUR', 'USD'],
        ['EUR', 1, 2],
        ['USD', 3, 4],
      ],
      '$A$1:$C$3',
    ],
  ])('is nothing to speak of where the block holds %s', async (_, rows, ref) => {
    const { faults, findings } = await readPlan(rows, ref);
    expect([faults, findings.filter(({ Message }) => Message.includes('kinds'))]).toEqual([[], []]);
  });

  it('is taken as its author says', async () => {
    const cells = portal('T', [['Task', null, 'Hours'], ...ROWS]).cells;
    const spec = withPortal({ cells }, 'PortalInputs', [
      ['Name', 'Range', 'RangeType'],
      ['Plan', 'S!A2:C3', 'MatrixWithoutHeaders'],
    ]);
    expect((await read({ ...spec, formats: ['dd/mm/yyyy'] })).problems).toEqual([]);
  });
});
