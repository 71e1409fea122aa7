import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { InputValue, RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import { hostileFiles } from '#test/hostile/hostile-files.ts';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { createCellView } from './definitions/cell-view.ts';
import { openPackage } from './package.ts';
import type { WorkbookExecutor, WorkbookExecutorOptions } from './workbook-executor.ts';
import { createWorkbookExecutor } from './workbook-executor.ts';

const executors: WorkbookExecutor[] = [];
const executorWith = (options: WorkbookExecutorOptions): WorkbookExecutor => {
  const executor = createWorkbookExecutor(options);
  executors.push(executor);
  return executor;
};
const shared = executorWith({ threads: 2 });
afterAll(() => Promise.all(executors.map((executor) => executor.close())));

const never = new AbortController().signal;
const file = (FileName: string, content: string | Uint8Array): InputValue['files'][number] => ({
  FileName,
  read: () => Promise.resolve(Uint8Array.from(Buffer.from(content as string))),
});
const value = (Name: string, given: unknown): InputValue => ({ Name, value: JSON.stringify(given), files: [] });

interface Activity {
  run(
    inputs: InputValue[],
    more?: { timeLimit?: number; signal?: AbortSignal; onProgress?: (phase: string) => void },
  ): Promise<RunOutcome>;
  log: RunLogLine[];
  reads: number;
  bytes: Buffer;
}

let versions = 0;

async function activity(spec: WorkbookSpec | Buffer, executor = shared): Promise<Activity> {
  const bytes = Buffer.isBuffer(spec) ? spec : await buildWorkbook(spec);
  const { definition, faults } = await executor.inspect({ fileName: 'Book.xlsx', bytes, acceptUnsupported: [] }, never);
  expect(faults).toEqual([]);
  const versionKey = `version ${++versions}`;
  const made: Activity = {
    log: [],
    reads: 0,
    bytes,
    run(inputs, { timeLimit = 60_000, signal = never, onProgress = () => undefined } = {}) {
      made.log.length = 0;
      return executor.run({
        versionKey,
        definition: definition!,
        fileName: 'Book.xlsx',
        readWorkbook: () => {
          made.reads += 1;
          return Promise.resolve(Uint8Array.from(bytes));
        },
        inputs,
        timeLimit,
        signal,
        onLog: (line) => made.log.push(line),
        onProgress,
      });
    },
  };
  return made;
}

const valueOf = (outcome: RunOutcome, name: string): unknown =>
  JSON.parse(outcome.outputs.find(({ Name }) => Name === name)!.Value!);

/** Cells of the calculated workbook. */
async function cellsOf(outcome: RunOutcome, sheet: number, addresses: [number, number][]): Promise<unknown[]> {
  const model = readWorkbook(await openPackage(outcome.files[0]!.bytes));
  const view = createCellView(model);
  return addresses.map(([row, col]) => {
    const { value } = view.cell(sheet, row, col);
    return value instanceof CellError ? value.code : value;
  });
}

const DOUBLE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 21, A2: { formula: 'A1*2', value: 42 } } }],
  names: { in_X: 'S!$A$1', out_Y: 'S!$A$2' },
};

const TABLE: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Item',
        B1: 'Amount',
        C1: 'Tax',
        A2: 'a',
        B2: 100,
        C2: { formula: 'T[[#This Row],[Amount]]*0.2', value: 20 },
        A3: 'b',
        B3: 50,
        C3: { formula: 'T[[#This Row],[Amount]]*0.2', value: 10 },
        A4: 'Total',
        C4: { formula: 'SUBTOTAL(109,T[Tax])', value: 30 },
        F1: { formula: 'SUM(T[Tax])', value: 30 },
        F2: { formula: 'SUM(B2:B3)', value: 150 },
        F3: { formula: 'COUNTA(T[Item])', value: 2 },
      },
      tables: [
        {
          name: 'T',
          ref: 'A1:C4',
          columns: [
            'Item',
            'Amount',
            { name: 'Tax', formula: 'T[[#This Row],[Amount]]*0.2', totalsFormula: 'SUBTOTAL(109,T[Tax])' },
          ],
          totals: true,
        },
      ],
    },
  ],
  names: {
    in_Lines: 'T[]',
    out_Tax: 'S!$F$1',
    out_Amounts: 'S!$F$2',
    out_Count: 'S!$F$3',
    out_Total: 'S!$C$4',
    out_Lines: 'T[]',
  },
};

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

  it('tells where an error in an output arose, on another sheet too', async () => {
    const made = await activity({
      sheets: [
        { name: 'Sum', cells: { A1: 0, B1: { formula: 'Rates!A2*2', error: '#DIV/0!' } } },
        { name: 'Rates', cells: { A1: { formula: '1/Sum!A1', error: '#DIV/0!' }, A2: { formula: 'SUM(A1)' } } },
      ],
      names: { in_X: 'Sum!$A$1', out_Y: 'Sum!$B$1' },
    });
    await made.run([]);
    expect(made.log.map(({ Message }) => Message)).toEqual([
      "Output 'Y' has the error #DIV/0! in cell B1 of sheet 'Sum' (=Rates!A2*2). It arises in cell A1 of sheet 'Rates': =1/Sum!A1",
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
    ['a text for a number', 'abc', /Input 'X': 'abc' is no number/],
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

  it('ends as an error of the setup where a table cannot grow or formulas go in a circle', async () => {
    const blocked = structuredClone(TABLE);
    blocked.sheets[0]!.cells!['B6'] = 'in the way';
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
    expect(made.log[0]!.Message).toMatch(/T cannot grow/);
    const circle = { A1: { formula: 'A2+1', value: 0 }, A2: { formula: 'A1', value: 0 } };
    const circular = await activity({ sheets: [{ name: 'S', cells: circle }], names: { out_Y: 'S!$A$2' } });
    expect((await circular.run([])).status).toBe('LogicError');
    expect(circular.log[0]!.Message).toMatch(/depend on themselves/);
  });
});

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
      ["Step 'Read': 2 rows into the table Data", 1],
      ['Only 3.75', 2],
      ["Step 'Big' was skipped: S!G3 is not TRUE", 1],
      ['Sum is 3.75', 1],
    ]);
    expect(await cellsOf(outcome, 0, [[0, 0]])).toEqual(['f0.csv']);
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

  it('an import tells every bad cell with file, row and column, and fails', async () => {
    const made = await activity(steps([IMPORT]));
    const outcome = await made.run(files('Id,Amount,Day\na,1.5,2026-01-05\nb,lots,tomorrow\n'));
    expect(outcome.status).toBe('Failed');
    expect(made.log.map(({ Message }) => Message)).toEqual([
      "f0.csv: row 3, column 'Amount' (B): 'lots' is no number",
      "f0.csv: row 3, column 'Day' (C): 'tomorrow' is no date",
    ]);
    expect((await made.run(files('Id;Amount\n1;2\n'))).status).toBe('Failed');
    expect(made.log[0]).toMatchObject({
      Message: "f0.csv: the file has no column 'Day'; it has 'Id', 'Amount'",
      StatusCode: 1100,
      Category: 3,
    });
  });

  it('see what later steps change, each time anew', async () => {
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

describe('runs beside each other', () => {
  it('never see each other’s values', async () => {
    const made = await activity(TABLE);
    const row = fc.tuple(fc.string({ maxLength: 5 }), fc.integer({ min: -1000, max: 1000 }), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
        async (tables) => {
          const outcomes = await Promise.all([...tables.map((rows) => made.run([value('Lines', rows)])), made.run([])]);
          for (const [index, rows] of tables.entries()) {
            expect(valueOf(outcomes[index]!, 'Amounts')).toBe(rows.reduce((sum, [, amount]) => sum + amount, 0));
          }
          expect(valueOf(outcomes.at(-1)!, 'Amounts')).toBe(150);
          expect(valueOf(outcomes.at(-1)!, 'Lines')).toEqual([
            ['a', 100, 20],
            ['b', 50, 10],
          ]);
        },
      ),
      { numRuns: 15 },
    );
  });
});

/** Takes minutes to calculate: each of many cells looks through many others. */
function slowBook(): WorkbookSpec {
  const cells: Record<string, CellSpec> = { A1: 1 };
  for (let row = 2; row <= 6000; row++) cells[`A${row}`] = { formula: `A1+${row}`, value: null };
  for (let row = 1; row <= 6000; row++)
    cells[`B${row}`] = { formula: `SUMPRODUCT(($A$1:$A$6000>ROW())*($A$1:$A$6000<9999999))`, value: null };
  return { sheets: [{ name: 'S', cells }], names: { in_X: 'S!$A$1', out_Y: 'S!$B$6000' } };
}

describe('a thread', () => {
  it('is really ended by a cancel, and by the time limit, without harming others', { timeout: 120_000 }, async () => {
    const executor = executorWith({ threads: 2 });
    const quick = await activity(DOUBLE, executor);
    const { definition } = { definition: (await activityDefinition(DOUBLE, executor))! };
    const bytes = await buildWorkbook(slowBook());
    const slow = (
      signal: AbortSignal,
      timeLimit: number,
      log: RunLogLine[],
      onProgress: (phase: string) => void,
    ): Promise<RunOutcome> =>
      executor.run({
        versionKey: `slow ${++versions}`,
        definition: {
          ...definition,
          outputs: [
            {
              ...definition.outputs[0]!,
              location: { sheet: 0, block: { top: 5999, left: 1, bottom: 5999, right: 1 } },
            },
          ],
        },
        fileName: 'slow.xlsx',
        readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
        inputs: [value('X', 2)],
        timeLimit,
        signal,
        onLog: (line) => log.push(line),
        onProgress,
      });

    const abort = new AbortController();
    const { promise: calculating, resolve } = Promise.withResolvers<void>();
    const cancelled = slow(abort.signal, 600_000, [], (phase) => (phase === 'Calculating' ? resolve() : undefined));
    await calculating;
    const busy = executor.pool.threads().find(({ isFree }) => !isFree)!;
    const beside = quick.run([value('X', 4)]);
    abort.abort(new Error('cancelled by Jane'));
    await expect(cancelled).rejects.toThrow('cancelled by Jane');
    await busy.exited;
    expect(executor.pool.threads()).not.toContain(busy);
    expect(valueOf(await beside, 'Y')).toBe(8);

    const log: RunLogLine[] = [];
    expect(await slow(never, 1500, log, () => undefined)).toEqual({ status: 'Failed', outputs: [], files: [] });
    expect(log).toEqual([
      { Message: 'The calculation took longer than 1.5 seconds and was stopped', StatusCode: 1400, Category: 3 },
    ]);
    expect(valueOf(await quick.run([value('X', 5)]), 'Y')).toBe(10);
  });

  it('that a run fills with memory ends alone, with an error that says so', { timeout: 120_000 }, async () => {
    const executor = executorWith({ threads: 2, memoryBytes: 160 * 2 ** 20 });
    const made = await activity(TABLE, executor);
    const neighbour = await activity(DOUBLE, executor);
    const bomb = value(
      'Lines',
      Array.from({ length: 400_000 }, (_, i) => [`row ${i}`, i, null]),
    );
    const [outcome, beside] = await Promise.all([made.run([bomb]), neighbour.run([value('X', 3)])]);
    expect(outcome).toEqual({ status: 'Failed', outputs: [], files: [] });
    expect(made.log).toEqual([
      { Message: 'The workbook needs more memory than it may use', StatusCode: 1401, Category: 3 },
    ]);
    expect(valueOf(beside, 'Y')).toBe(6);
    expect(valueOf(await made.run([]), 'Tax')).toBe(30);
  });

  it('is given tasks in order, and one that is cancelled while it waits never starts', async () => {
    const executor = executorWith({ threads: 1 });
    const made = await activity(DOUBLE, executor);
    const abort = new AbortController();
    const first = made.run([value('X', 1)]);
    const cancelled = made.run([value('X', 2)], { signal: abort.signal });
    const last = made.run([value('X', 3)]);
    abort.abort(new Error('changed my mind'));
    await expect(cancelled).rejects.toThrow('changed my mind');
    expect([valueOf(await first, 'Y'), valueOf(await last, 'Y')]).toEqual([2, 6]);
    await expect(made.run([], { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });

  it('passes on why a file could not be read', async () => {
    const { definition } = { definition: (await activityDefinition(DOUBLE, shared))! };
    const failing = shared.run({
      versionKey: 'never stored',
      definition,
      fileName: 'x.xlsx',
      readWorkbook: () => Promise.reject(new Error('the store is gone')),
      inputs: [],
      timeLimit: 5000,
      signal: never,
      onLog: () => undefined,
      onProgress: () => undefined,
    });
    await expect(failing).rejects.toThrow('the store is gone');
    expect(valueOf(await (await activity(DOUBLE)).run([]), 'Y')).toBe(42);
  });

  it('closes with its executor, and what waits is told', async () => {
    const executor = createWorkbookExecutor({ threads: 1 });
    const made = await activity(DOUBLE, executor);
    const runs = [made.run([]), made.run([])];
    const told = Promise.allSettled(runs);
    await executor.close();
    expect((await told).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(executor.pool.threads()).toEqual([]);
    await expect(made.run([])).rejects.toThrow('closed');
  });
});

async function activityDefinition(
  spec: WorkbookSpec,
  executor: WorkbookExecutor,
): Promise<Awaited<ReturnType<WorkbookExecutor['inspect']>>['definition']> {
  return (
    await executor.inspect({ fileName: 'a.xlsx', bytes: await buildWorkbook(spec), acceptUnsupported: [] }, never)
  ).definition;
}

describe('an inspection', () => {
  it('reports how the recalculation agrees with the saved values, and which differences feed outputs', async () => {
    const cells = {
      A1: 1,
      A2: { formula: 'A1+1', value: 3 },
      A3: { formula: 'A1+2', value: 9 },
      A4: { formula: 'A1', value: 1 },
    };
    const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells }], names: { out_Y: 'S!$A$3' } });
    const { fidelity } = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(fidelity).toMatchObject({
      Formulas: 3,
      Equal: 1,
      Different: 2,
      DifferentFeedingOutputs: 1,
      Differences: [
        { Sheet: 'S', Cell: 'A3', Formula: 'A1+2', Saved: '9', Got: '3', FeedsOutput: true },
        { Sheet: 'S', Cell: 'A2', FeedsOutput: false },
      ],
    });
  });

  it('refuses a function the engine lacks on the way to an output, unless it is accepted by name', async () => {
    const cells = { A1: { formula: 'CUBEVALUE("a","b")', value: 1 }, A2: { formula: 'A1+1', value: 2 }, A3: 1 };
    const names = { out_Y: 'S!$A$2' };
    const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells }], names });
    const refused = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(refused.definition).toBeNull();
    expect(refused.faults).toMatchObject([
      { Sheet: 'S', Cell: 'A1', Message: expect.stringContaining('CUBEVALUE') as string },
    ]);
    expect(refused.fidelity!.Unsupported).toEqual([{ Name: 'CUBEVALUE', Sheet: 'S', Cell: 'A1', FeedsOutput: true }]);
    const accepted = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: ['cubevalue'] }, never);
    expect(accepted.faults).toEqual([]);
    const aside = await buildWorkbook({ sheets: [{ name: 'S', cells }], names: { out_Y: 'S!$A$3' } });
    expect((await shared.inspect({ fileName: 'a.xlsx', bytes: aside, acceptUnsupported: [] }, never)).faults).toEqual(
      [],
    );
  });

  it('of a hostile file ends in faults, never in an error', { timeout: 300_000 }, async () => {
    for (const { name, bytes, expectedCode } of hostileFiles()) {
      const { faults, definition } = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
      expect(definition, name).toBeNull();
      expect(faults.length, name).toBeGreaterThan(0);
      for (const { Message, Remedy } of faults)
        expect(`${Message} ${Remedy}`, name).not.toMatch(/node_modules|\n\s+at /);
      if (expectedCode) expect(faults, name).toMatchObject([{ Sheet: '', Cell: '' }]);
    }
  });

  it('is bounded in time', async () => {
    const executor = executorWith({ threads: 1, inspectTimeLimit: 1500 });
    const bytes = await buildWorkbook(slowBook());
    const { definition, faults } = await executor.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(definition).toBeNull();
    expect(faults[0]!.Message).toMatch(/took longer than 1.5 seconds/);
  });
});
