import { describe, expect, it } from 'vitest';
import type { InputValue } from '#server/executors/executor.ts';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { cellsOf, file, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';

const { activity } = workbookExecutors();

describe('steps', () => {
  const steps = (rows: CellSpec[][]): WorkbookSpec => {
    const columns = ['Step', 'Action', 'Input', 'Table', 'When', 'Cell', 'Message', 'Severity'];
    const portal: Record<string, CellSpec> = {};
    for (const [y, row] of [columns, ...rows].entries()) {
      for (const [x, cell] of row.entries()) if (cell !== null) portal[`${'ABCDEFGH'[x]}${y + 1}`] = cell;
    }
    return {
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'file',
            C1: 'Id',
            D1: 'Amount',
            E1: 'Day',
            C2: 'x',
            D2: 1,
            E2: { value: 45000, style: 1 },
            G1: { formula: 'SUM(Data[Amount])', value: 1 },
            G2: { formula: 'G1<100', value: true },
            G3: { formula: 'G1>10', value: false },
          },
          tables: [{ name: 'Data', ref: 'C1:E2', columns: ['Id', 'Amount', 'Day'] }],
        },
        { name: 'Portal', cells: portal, tables: [{ name: 'PortalSteps', ref: `A1:H${rows.length + 1}`, columns }] },
      ],
      formats: ['yyyy-mm-dd'],
      names: { in_File: 'S!$A$1', out_Sum: 'S!$G$1', out_Data: 'Data[]' },
    };
  };
  const IMPORT: CellSpec[] = ['Read', 'Import', 'File', 'Data', null, null, null, null];
  const files = (...contents: string[]): InputValue[] => [
    { Name: 'File', value: null, files: contents.map((content, index) => file(`f${index}.csv`, content)) },
  ];

  it('import, check and log in order, calculating in between', async () => {
    const made = await activity(
      steps([
        IMPORT,
        ['Bounds', 'Check', null, null, null, 'S!G2', 'Too much', null],
        ['Size', 'Check', null, null, null, 'S!G3', { formula: '"Only "&S!G1', value: 'Only 1' }, 'Warning'],
        ['Big', 'Log', null, null, 'S!G3', null, 'Big', null],
        ['Say', 'Log', null, null, null, null, { formula: '"Sum is "&S!G1', value: '' }, null],
      ]),
    );
    const outcome = await made.run(files('Day;Amount;Id\n2026-01-05;1,5;=a\n2026-01-06;2,25;b\n'));
    expect(outcome.status).toBe('SucceededWarn');
    expect(valueOf(outcome, 'Data')).toEqual([
      ['=a', 1.5, 46027],
      ['b', 2.25, 46028],
    ]);
    expect(made.log.map(({ Message, Category }) => [Message, Category])).toEqual([
      [expect.stringMatching(/^Step 'Read': 2 rows into the table Data, content /), 1],
      ['Only 3.75', 2],
      ["Step 'Big' was skipped: S!G3 is not TRUE", 1],
      ['Sum is 3.75', 1],
    ]);
    expect(await cellsOf(outcome, 0, [[0, 0]])).toEqual(['f0.csv']);
  });

  it('an import into a blank column takes the numbers that formulas calculate with', async () => {
    const spec = steps([IMPORT]);
    const [sheet, ...others] = spec.sheets;
    const { D2: _, ...cells } = sheet!.cells!;
    const made = await activity({ ...spec, sheets: [{ ...sheet!, cells }, ...others] });
    const outcome = await made.run(files('Id,Amount,Day\n1,20,2026-01-05\n2,3,2026-01-05\n3,n/a,2026-01-05\n'));
    expect([valueOf(outcome, 'Sum'), outcome.status]).toEqual([23, 'Succeeded']);
    expect(valueOf(outcome, 'Data')).toEqual([
      ['1', 20, 46027],
      ['2', 3, 46027],
      ['3', 'n/a', 46027],
    ]);
  });

  it('a failing check ends the run, with the workbook as evidence', async () => {
    const made = await activity(
      steps([
        IMPORT,
        ['Bounds', 'Check', null, null, null, 'S!G2:G3', 'Not so', null],
        ['Never', 'Log', null, null, null, null, 'never', null],
      ]),
    );
    const outcome = await made.run(files('Id,Amount,Day\na,500,2026-01-05\n'));
    expect(outcome).toMatchObject({ status: 'Failed', outputs: [] });
    expect(made.log.slice(1)).toEqual([{ Message: 'Not so (S!G2)', StatusCode: 1200, Category: 3 }]);
    expect(
      await cellsOf(outcome, 0, [
        [0, 6],
        [1, 3],
      ]),
    ).toEqual([500, 500]);
  });

  it.each([
    [21, '1 more cell'],
    [22, '2 more cells'],
  ])('a check of %i cells names the first 20 that fail', async (count, more) => {
    const spec = steps([['Bounds', 'Check', null, null, null, `S!K1:K${count}`, 'Not so', 'Warning']]);
    const [sheet, ...others] = spec.sheets;
    const cells = { ...sheet!.cells };
    for (let row = 1; row <= count; row += 1) cells[`K${row}`] = false;
    const made = await activity({ ...spec, sheets: [{ ...sheet!, cells }, ...others] });
    await made.run(files('Id,Amount,Day\na,1,2026-01-05\n'));
    const messages = made.log.map(({ Message }) => Message);
    expect(messages).toHaveLength(21);
    expect(messages.slice(-2)).toEqual(['Not so (S!K20)', `Not so (${more})`]);
  });

  it('an import reports every invalid cell with file, row and column, and fails', async () => {
    const made = await activity(steps([IMPORT]));
    const outcome = await made.run(files('Id,Amount,Day\na,1.5,2026-01-05\nb,lots,tomorrow\n'));
    expect(outcome.status).toBe('Failed');
    expect(made.log.map(({ Message }) => Message)).toEqual([
      "f0.csv: row 3, column 'Amount' (B): 'lots' is not a number",
      "f0.csv: row 3, column 'Day' (C): 'tomorrow' is not a date",
    ]);
    expect((await made.run(files('Id;Amount\n1;2\n'))).status).toBe('Failed');
    expect(made.log[0]).toMatchObject({
      Message: "f0.csv: the file has no column 'Day'; it has 'Id', 'Amount'",
      StatusCode: 1100,
      Category: 3,
    });
  });

  it('see what later steps change, each time again', async () => {
    const say: CellSpec[] = ['Say', 'Log', null, null, null, null, { formula: '"Sum is "&S!G1', value: '' }, null];
    const made = await activity(steps([say, IMPORT, say]));
    const outcome = await made.run(files('Id,Amount,Day\na,2.5,2026-01-05\n'));
    expect(made.log.map(({ Message }) => Message).filter((message) => message.startsWith('Sum'))).toEqual([
      'Sum is 1',
      'Sum is 2.5',
    ]);
    expect(valueOf(outcome, 'Sum')).toBe(2.5);
  });

  it('an import takes the rows of several files', async () => {
    const spec = steps([IMPORT]);
    Object.assign(spec.names!, { in_File: 'S!$A$1:$A$3' });
    delete spec.sheets[0]!.cells!['A1'];
    const made = await activity(spec);
    const outcome = await made.run(files('Id,Amount,Day\na,1,2026-01-05\n', 'Day;Id;Amount\n2026-01-06;b;2\n'));
    expect(valueOf(outcome, 'Data')).toEqual([
      ['a', 1, 46027],
      ['b', 2, 46028],
    ]);
    const names = await cellsOf(outcome, 0, [
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
    expect(names).toEqual(['f0.csv', 'f1.csv', null]);
  });

  it('an import of no file leaves the table, of one without rows empties it', async () => {
    const made = await activity(steps([IMPORT]));
    expect(valueOf(await made.run([]), 'Sum')).toBe(1);
    expect(made.log[0]!.Message).toMatch(/no file was given/);
    expect(valueOf(await made.run(files('Id,Amount,Day\n')), 'Sum')).toBe(0);
  });
});
