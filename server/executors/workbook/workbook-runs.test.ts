import { describe, expect, it } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { cellsOf, DOUBLE, never, TABLE, value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';
import { createCellView } from './definitions/cell-view.ts';
import { openPackage } from './package.ts';

const { activity, executorWith, shared } = workbookExecutors();

describe('a run', () => {
  it('writes the input, recalculates, and hands back value and workbook', async () => {
    const outcome = await (await activity(DOUBLE)).run([value('X', 0.1)]);
    expect(outcome).toMatchObject({ status: 'Succeeded', outputs: [{ Name: 'Y', Value: '0.2', Rows: null }] });
    expect(outcome.files.map(({ Name, FileName }) => [Name, FileName])).toEqual([[null, 'Book calculated.xlsx']]);
    expect(
      await cellsOf(outcome, 0, [
        [0, 0],
        [1, 0],
      ]),
    ).toEqual([0.1, 0.2]);
  });

  it('without values gives what Excel saved', async () => {
    for (const spec of [DOUBLE, TABLE]) {
      const made = await activity(spec);
      const outcome = await made.run([]);
      const model = readWorkbook(await openPackage(made.bytes));
      expect(outcome.status).toBe('Succeeded');
      for (const { Name, Value } of outcome.outputs) {
        if (Name === 'Lines') continue;
        const [row, col] = { Y: [1, 0], Tax: [0, 5], Amounts: [1, 5], Count: [2, 5], Total: [3, 2] }[Name]!;
        expect(JSON.parse(Value!)).toBe(createCellView(model).cell(0, row!, col!).value);
      }
    }
  });

  it('calculates with the regional settings of the upload, which formulas of the file imply', async () => {
    const cells = {
      A1: 1.5,
      A2: { formula: 'A1&" kg"', value: '1,5 kg' },
      A3: { formula: 'DATEVALUE("4.3.2015")', value: 42_067 },
      A4: { formula: 'TEXT(A1*1000,"#.##0,00")', value: '1.500,00' },
    };
    const names = { in_X: 'S!$A$1', out_Weight: 'S!$A$2', out_Day: 'S!$A$3', out_Text: 'S!$A$4' };
    const made = await activity({ sheets: [{ name: 'S', cells }], names });
    const inspected = await shared.inspect({ fileName: 'a.xlsx', bytes: made.bytes, acceptUnsupported: [] }, never);
    const { fidelity, definition } = inspected;
    const Region = { Id: 'de-DE', Decimal: ',', Group: '.', DayOrder: 'dmy' };
    expect(definition?.inputs[0]?.Info.Region).toEqual(Region);
    expect(fidelity).toMatchObject({ Engine: 'Runsheet', Region: 'de-DE', Formulas: 3, Equal: 3 });
    const outcome = await made.run([value('X', 2.25)]);
    const outputs = ['Weight', 'Day', 'Text'].map((name) => valueOf(outcome, name));
    expect(outputs).toEqual(['2,25 kg', 42_067, '2.250,00']);
    // The typed value is written as a number in every region.
    expect(await cellsOf(outcome, 0, [[0, 0]])).toEqual([2.25]);
  });

  it('takes times and durations alike in both date systems, and days by the one of the workbook', async () => {
    const formats = ['h:mm', '[h]:mm', 'yyyy-mm-dd hh:mm'];
    const cells = {
      A1: { value: 0.25, style: 1 },
      A2: { value: 1.5, style: 2 },
      A3: { value: 40_000.5, style: 3 },
      B1: { formula: 'A1*24', value: 6 },
      B2: { formula: 'A2*24', value: 36 },
      B3: { formula: 'YEAR(A3)', value: 2009 },
      C1: { formula: 'A1', value: 0.25, style: 1 },
      C2: { formula: 'A2', value: 1.5, style: 2 },
      C3: { formula: 'A3', value: 40_000.5, style: 3 },
    };
    const names = {
      in_Time: 'S!$A$1',
      in_Length: 'S!$A$2',
      in_Moment: 'S!$A$3',
      out_Hours: 'S!$B$1',
      out_LengthHours: 'S!$B$2',
      out_Year: 'S!$B$3',
      out_Time: 'S!$C$1',
      out_Length: 'S!$C$2',
      out_Moment: 'S!$C$3',
    };
    for (const date1904 of [false, true]) {
      const made = await activity({ sheets: [{ name: 'S', cells }], names, formats, date1904 });
      const { definition } = await shared.inspect(
        { fileName: 'a.xlsx', bytes: made.bytes, acceptUnsupported: [] },
        never,
      );
      expect(definition?.inputs.map(({ Info }) => Info.CellUsages[0])).toEqual(['Date', 'Date', 'Date']);
      const defaults = definition?.inputs.map(({ Info }) => JSON.parse(Info.DefaultValue!) as number);
      expect(defaults).toEqual([0.25, 1.5, date1904 ? 41_462.5 : 40_000.5]);
      const outcome = await made.run([value('Time', 0.875), value('Length', 1.5625), value('Moment', 46_053.875)]);
      const all = ['Hours', 'LengthHours', 'Year', 'Time', 'Length', 'Moment'].map((name) => valueOf(outcome, name));
      expect(all).toEqual([21, 37.5, 2026, 0.875, 1.5625, 46_053.875]);
    }
  });

  it('reads the file of a version once for a thread, and keeps the uploader’s bytes', async () => {
    const made = await activity(DOUBLE, executorWith({ threads: 1 }));
    for (const x of [1, 2, 3]) expect(valueOf(await made.run([value('X', x)]), 'Y')).toBe(x * 2);
    expect(made.reads).toBe(1);
    expect(made.bytes.length).toBeGreaterThan(0);
  });

  it('forgets the version that was not used for longest', async () => {
    const executor = executorWith({ threads: 1, warmCount: 2 });
    const [a, b, c] = [
      await activity(DOUBLE, executor),
      await activity(TABLE, executor),
      await activity(DOUBLE, executor),
    ];
    for (const made of [a, b, a, c, a, b]) expect((await made.run([])).status).toBe('Succeeded');
    expect([a.reads, b.reads, c.reads]).toEqual([1, 2, 1]);
  });

  it.each<[string, unknown[][], Record<string, unknown>]>([
    [
      'grows',
      [
        ['p', 1],
        ['q', 2],
        ['r', 3],
        ['s', 4],
      ],
      { Tax: 2, Amounts: 10, Count: 4, Total: 2 },
    ],
    ['shrinks', [['p', 7]], { Tax: 1.4000000000000001, Amounts: 7, Count: 1, Total: 1.4000000000000001 }],
    ['is emptied', [], { Tax: 0, Amounts: 0, Count: 0, Total: 0 }],
  ])('with a table that %s', async (_, given, expected) => {
    const outcome = await (
      await activity(TABLE)
    ).run([
      value(
        'Lines',
        given.map((row) => [...row, null]),
      ),
    ]);
    expect(outcome.status).toBe('Succeeded');
    for (const [name, wanted] of Object.entries(expected)) expect(valueOf(outcome, name), name).toBe(wanted);
    expect(valueOf(outcome, 'Lines')).toEqual(
      given.length === 0 ? [[null, null, 0]] : given.map(([a, b]) => [a, b, (b as number) * 0.2]),
    );
    const model = readWorkbook(await openPackage(outcome.files[0]!.bytes));
    expect(model.tables[0]!.block.bottom).toBe(Math.max(1, given.length) + 1);
    expect(await cellsOf(outcome, 0, [[Math.max(1, given.length) + 1, 2]])).toEqual([expected['Total']]);
  });

  it('overwrites a suggestion only where a value is given', async () => {
    const outcome = await (
      await activity(TABLE)
    ).run([
      value('Lines', [
        ['p', 10, 99],
        ['q', 10, null],
      ]),
    ]);
    expect(valueOf(outcome, 'Tax')).toBe(101);
    const spec = { ...DOUBLE, names: { in_X: 'S!$A$2', out_Y: 'S!$A$2' } };
    expect(valueOf(await (await activity(spec)).run([{ Name: 'X', value: null, files: [] }]), 'Y')).toBe(42);
    expect(valueOf(await (await activity(spec)).run([value('X', 5)]), 'Y')).toBe(5);
  });

  it('writes text that looks like a formula, number or date as text', async () => {
    const cells = { A1: 'x', B1: { formula: 'ISTEXT(A1)', value: true }, C1: { formula: 'A1&""', value: 'x' } };
    const made = await activity({
      sheets: [{ name: 'S', cells }],
      names: { in_X: 'S!$A$1', out_IsText: 'S!$B$1', out_Same: 'S!$C$1' },
    });
    for (const text of ['=1+1', '+1', '-1', '@SUM(1)', '007', '1/2', 'TRUE', "'quoted", '\t=1', '#N/A', ' a ', 'ü😀']) {
      const outcome = await made.run([value('X', text)]);
      expect([valueOf(outcome, 'IsText'), valueOf(outcome, 'Same')]).toEqual([true, text]);
      expect(await cellsOf(outcome, 0, [[0, 0]])).toEqual([text]);
    }
  });

  it('keeps every number exactly', async () => {
    const made = await activity({
      sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1', value: 1 } } }],
      names: { in_X: 'S!$A$1', out_Y: 'S!$B$1' },
    });
    for (const x of [0.1, 1 / 3, -1e-300, 1.7976931348623157e308, 123456789012345680, 2 ** 53, 5e-324, -0.5]) {
      expect(valueOf(await made.run([value('X', x)]), 'Y')).toBe(x);
    }
  });

  it('speaks of dates in the 1900 system, whatever the workbook counts in', async () => {
    const cells: Record<string, CellSpec> = {
      A1: { value: 0, style: 1 },
      B1: { formula: 'A1+1', value: 1, style: 1 },
    };
    const names = { in_Day: 'S!$A$1', out_Next: 'S!$B$1' };
    const outcome = await (
      await activity({ sheets: [{ name: 'S', cells }], names, formats: ['yyyy-mm-dd'], date1904: true })
    ).run([value('Day', 46027)]);
    expect(valueOf(outcome, 'Next')).toBe(46028);
    expect(await cellsOf(outcome, 0, [[0, 0]])).toEqual([46027 - 1462]);
  });

  it('warns of Excel errors in outputs, naming sheet and cell', async () => {
    const cells = { A1: 0, A2: { formula: '1/A1', error: '#DIV/0!' }, A3: { formula: 'A2', error: '#DIV/0!' } };
    const made = await activity({
      sheets: [{ name: 'My sheet', cells }],
      names: { in_X: "'My sheet'!$A$1", out_Y: "'My sheet'!$A$2:$A$3" },
    });
    const outcome = await made.run([]);
    expect(outcome.status).toBe('SucceededWarn');
    expect(valueOf(outcome, 'Y')).toEqual([{ error: '#DIV/0!' }, { error: '#DIV/0!' }]);
    expect(made.log).toEqual([
      {
        Message: "Output 'Y' has the error #DIV/0! in cell A2 of sheet 'My sheet' (=1/A1) and in 1 more cell",
        StatusCode: 1300,
        Category: 2,
      },
    ]);
    expect((await made.run([value('X', 4)])).status).toBe('Succeeded');
  });

  it('says where an error in an output originated, also on another sheet', async () => {
    const made = await activity({
      sheets: [
        { name: 'Sum', cells: { A1: 0, B1: { formula: 'Rates!A2*2', error: '#DIV/0!' } } },
        { name: 'Rates', cells: { A1: { formula: '1/Sum!A1', error: '#DIV/0!' }, A2: { formula: 'SUM(A1)' } } },
      ],
      names: { in_X: 'Sum!$A$1', out_Y: 'Sum!$B$1' },
    });
    await made.run([]);
    expect(made.log.map(({ Message }) => Message)).toEqual([
      "Output 'Y' has the error #DIV/0! in cell B1 of sheet 'Sum' (=Rates!A2*2). It originates in cell A1 of sheet 'Rates': =1/Sum!A1",
    ]);
  });

  it('leaves out the blank rows at the end of tables and lists, and no others', async () => {
    const cells: Record<string, CellSpec> = { A1: 'k', B1: 'v', F1: 2 };
    for (let row = 2; row <= 6; row++) {
      cells[`A${row}`] = { formula: `IF(ROW()-1<=$F$1,"r"&ROW(),"")`, value: '' };
      cells[`B${row}`] = { formula: `IF(AND(ROW()-1<=$F$1,ROW()<>2),ROW(),"")`, value: '' };
    }
    const names = { in_N: 'S!$F$1', out_T: 'S!$A$1:$B$6', out_L: 'S!$A$2:$A$6' };
    const outcome = await (await activity({ sheets: [{ name: 'S', cells }], names })).run([value('N', 3)]);
    expect(outcome.outputs).toEqual([
      { Name: 'T', Value: '[["r2",""],["r3",3],["r4",4]]', Rows: 3 },
      { Name: 'L', Value: '["r2","r3","r4"]', Rows: 3 },
    ]);
  });

  it('reads what a dynamic array fills now', async () => {
    const cells: Record<string, CellSpec> = {
      A1: 2,
      C1: { formula: '_xlfn.SEQUENCE(A1)', value: 1, array: 'C1:C2', dynamic: true },
      C2: 2,
    };
    const made = await activity({ sheets: [{ name: 'S', cells }], names: { in_N: 'S!$A$1', out_List: 'S!$C$1' } });
    for (const [n, list] of [
      [4, [1, 2, 3, 4]],
      [1, [1]],
      [2, [1, 2]],
    ] as const) {
      const outcome = await made.run([value('N', n)]);
      expect(valueOf(outcome, 'List')).toEqual(list);
      expect(
        await cellsOf(outcome, 0, [
          [0, 2],
          [1, 2],
          [3, 2],
        ]),
      ).toEqual([1, list[1] ?? null, list[3] ?? null]);
    }
  });

  it.each<[string, unknown, RegExp]>([
    ['a text for a number', 'abc', /Input 'X': 'abc' is not a number/],
    ['a list for a cell', [1], /Input 'X': A cell must be/],
  ])('with %s fails and says so', async (_, given, message) => {
    const made = await activity(DOUBLE);
    expect(await made.run([value('X', given)])).toMatchObject({ status: 'Failed', outputs: [] });
    expect(made.log[0]).toMatchObject({
      Message: expect.stringMatching(message) as string,
      StatusCode: 1000,
      Category: 3,
    });
  });

  it('ends as an error of the setup where a table cannot grow or formulas refer to themselves', async () => {
    const blocked = structuredClone(TABLE);
    // Growing would have to move whole rows, through another table.
    Object.assign(blocked.sheets[0]!.cells!, { C6: 'in the way', H3: 'Other', H4: 1, H5: 2 });
    blocked.sheets[0]!.tables!.push({ name: 'Other', ref: 'H3:H5', columns: ['Other'] });
    blocked.sheets[0]!.merges = ['C6:D6'];
    const made = await activity(blocked);
    expect(
      (
        await made.run([
          value('Lines', [
            ['a', 1, null],
            ['b', 1, null],
            ['c', 1, null],
            ['d', 1, null],
          ]),
        ])
      ).status,
    ).toBe('LogicError');
    expect(made.log[0]!.Message).toMatch(
      /Table 'T' has no room to grow: .* because table 'Other' is next to its last row/,
    );
    const circle = {
      A1: { formula: 'IF(B1>0,A2,1)+1', value: 2 },
      A2: { formula: 'A1', value: 2 },
      B1: 0,
    };
    const circular = await activity({
      sheets: [{ name: 'S', cells: circle }],
      names: { in_X: 'S!$B$1', out_Y: 'S!$A$2' },
    });
    expect(valueOf(await circular.run([]), 'Y')).toBe(2);
    expect((await circular.run([value('X', 1)])).status).toBe('LogicError');
    expect(circular.log[0]!.Message).toMatch(/depend on themselves/);
  });

  it('continues if nothing that it reads depends on circular references, and warns', async () => {
    const cells = {
      A1: 1,
      A2: { formula: 'A1*2', value: 2 },
      B1: { formula: 'B2+1', value: 7 },
      B2: { formula: 'B1+A1', value: 5 },
      B3: { formula: 'B2*2', value: 10 },
      C1: { formula: 'SUM(A2,B3)', value: 12 },
    };
    const names = { in_X: 'S!$A$1', out_Y: 'S!$A$2' };
    const made = await activity({ sheets: [{ name: 'S', cells }], names });
    const outcome = await made.run([value('X', 5)]);
    expect([outcome.status, valueOf(outcome, 'Y')]).toEqual(['SucceededWarn', 10]);
    expect(made.log).toEqual([
      {
        Message: expect.stringMatching(
          /^Formulas depend on themselves: .*S!B1.* Nothing this run has read depends on that$/,
        ),
        StatusCode: 1500,
        Category: 2,
      },
    ]);
    const positions: [number, number][] = [
      [1, 0],
      [0, 1],
      [1, 1],
      [2, 1],
      [0, 2],
    ];
    expect(await cellsOf(outcome, 0, positions)).toEqual([10, 7, 5, 10, 12]);
  });

  it('fails where values make something it reads depend on itself', async () => {
    for (const formula of ['SUM(A1,B3)', 'SUM(OFFSET(A1,2,1))', 'INDIRECT("B"&3)']) {
      const cells = {
        A1: 0,
        B1: { formula: 'IF(A1>0,B2,1)', value: 1 },
        B2: { formula: 'B1', value: 1 },
        B3: { formula: 'B2*2', value: 2 },
        C1: { formula, value: 2 },
        C2: { formula: 'OFFSET(A1,0,0)', value: 0 },
      };
      const names = { in_X: 'S!$A$1', out_Y: 'S!$C$1', out_Z: 'S!$C$2' };
      const made = await activity({ sheets: [{ name: 'S', cells }], names });
      expect(valueOf(await made.run([value('X', 0)]), 'Y')).toBe(2);
      expect((await made.run([value('X', 1)])).status, formula).toBe('LogicError');
      const beside = await activity({ sheets: [{ name: 'S', cells }], names: { in_X: 'S!$A$1', out_Z: 'S!$C$2' } });
      expect(valueOf(await beside.run([value('X', 1)]), 'Z')).toBe(1);
    }
  });
});
