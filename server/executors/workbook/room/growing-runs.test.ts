/** Runs of workbooks whose tables grow: steps, masked answers, forms, arrays, charts. */
import { describe, expect, it } from 'vitest';
import { NO_CAPABILITIES, NO_SERVICES } from '#server/executors/step-services.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import { chartPath, chartXml, numbersXml, seriesXml, textsXml, withParts } from '#test/support/add-parts.ts';
import type { CellSpec, SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { contentAt, growingBook, savedAt } from '#test/support/growing-table.ts';
import type { GrowingBook } from '#test/support/growing-table.ts';

/** A table with one row, and the content below it. */
function book(
  below: Record<string, CellSpec>,
  more: Partial<SheetSpec> = {},
  rest: Partial<WorkbookSpec> = {},
): WorkbookSpec {
  return {
    sheets: [
      {
        name: 'S',
        cells: { A1: 'Name', B1: 'Value', A2: 'a', B2: 1, ...below },
        tables: [{ name: 'T', ref: 'A1:B2', columns: ['Name', 'Value'] }],
        ...more,
      },
    ],
    names: { in_T: 'T', out_Sum: 'S!$B$3' },
    ...rest,
  };
}

const SUM: Record<string, CellSpec> = { A3: 'Sum', B3: { formula: 'SUM(B2:B2)', value: 1 } };
const rows = (count: number): [string, number][] => Array.from({ length: count }, (_, at) => [`n${at}`, at + 1]);

describe('below a table that grows', () => {
  it('an input that is no table keeps its size, and is written where it has moved', async () => {
    const below = {
      ...SUM,
      A5: 'Rate',
      B5: 2,
      A6: 'x',
      A7: 'y',
      B6: 3,
      B7: 4,
      B8: { formula: 'B3*B5+SUM(B6:B7)', value: 9 },
    };
    const names = { in_T: 'T', in_Rate: 'S!$B$5', in_More: 'S!$B$6:$B$7', out_All: 'S!$B$8' };
    const { outputs, model } = await (
      await growingBook(book(below, {}, { names }))
    ).run({ More: [10, 20], Rate: 100, T: rows(3) });
    expect(outputs['All']).toBe(630);
    expect(['B7', 'B8', 'B9', 'B10'].map((address) => contentAt(model, address))).toEqual([
      100,
      10,
      20,
      '=B5*B7+SUM(B8:B9)',
    ]);
  });

  it('array formulas and dynamic arrays move and fill what they fill then', async () => {
    const below = {
      ...SUM,
      A5: { formula: 'T[Value]*2', value: 2, array: 'A5' },
      A8: { formula: '_xlfn._xlws.SORT(T[Value],1,-1)', value: 1, array: 'A8', dynamic: true },
    };
    const names = { in_T: 'T', out_Sorted: '_xlfn.ANCHORARRAY(S!$A$8)', out_Twice: 'S!$A$5' };
    const { outputs, model } = await (await growingBook(book(below, {}, { names }))).run({ T: rows(4) });
    expect(outputs).toMatchObject({ Sorted: [4, 3, 2, 1], Twice: 2 });
    expect([11, 12, 13, 14].map((row) => savedAt(model, `A${row}`))).toEqual([4, 3, 2, 1]);
  });

  it('a what-if table tries its values with the moved cells', async () => {
    const below: Record<string, CellSpec> = {
      ...SUM,
      A5: 'Factor',
      B5: 2,
      B7: { formula: 'B3*B5', value: 2 },
      A8: 10,
      A9: 20,
      B8: { value: 10, dataTable: 'ref="B8:B9" dt2D="0" dtr="0" r1="B5"' },
      B9: 20,
    };
    const names = { in_T: 'T', out_Tried: 'S!$B$8:$B$9' };
    const { outputs } = await (await growingBook(book(below, {}, { names }))).run({ T: rows(3) });
    expect(outputs['Tried']).toEqual([60, 120]);
  });

  it('a chart shows the moved cells, and one of the table all its rows', async () => {
    const spec = book({ ...SUM, A4: 'Twice', B4: { formula: 'B3*2', value: 2 } });
    const chart = chartXml([
      seriesXml(0, textsXml('cat', 'S!$A$2:$A$2', ['a']), numbersXml('val', 'S!$B$2:$B$2', [1])),
      seriesXml(1, textsXml('cat', 'S!$A$3:$A$4', ['Sum', 'Twice']), numbersXml('val', 'S!$B$3:$B$4', [1, 2])),
    ]);
    const parts = withParts(spec, { sheets: { 0: { charts: [chart] } } });
    const grown = await (await growingBook({ ...spec, parts })).run({ T: rows(3) });
    const xml = grown.text(chartPath(0));
    expect(xml).toContain('<c:f>S!$B$2:$B$4</c:f>');
    expect(xml).toContain('<c:f>S!$B$5:$B$6</c:f>');
    expect(xml).toMatch(/S!\$B\$5:\$B\$6<\/c:f>.*?<c:v>6<\/c:v>.*?<c:v>12<\/c:v>/s);
  });

  it('whole columns and names of whole columns read all rows', async () => {
    const spec = book(
      SUM,
      {},
      {
        names: { in_T: 'T', out_Sum: 'S!$B$3', out_Column: 'Other!$A$1', Values: 'S!$B:$B' },
      },
    );
    spec.sheets.push({ name: 'Other', cells: { A1: { formula: 'SUM(Values)/2', value: 1 } } });
    expect((await (await growingBook(spec)).run({ T: rows(9) })).outputs).toEqual({ Column: 45, Sum: 45 });
  });

  it('fewer rows than the file has move nothing', async () => {
    const spec = book(
      { A3: 'b', B3: 2, A4: 'Sum', B4: { formula: 'SUM(B2:B3)', value: 3 } },
      {
        tables: [{ name: 'T', ref: 'A1:B3', columns: ['Name', 'Value'] }],
      },
      { names: { in_T: 'T', out_Sum: 'S!$B$4' } },
    );
    const { outputs, model } = await (await growingBook(spec)).run({ T: rows(1) });
    expect(outputs['Sum']).toBe(1);
    expect([contentAt(model, 'B3'), contentAt(model, 'B4')]).toEqual([null, '=SUM(B2:B2)']);
  });

  it('columns with a formula that nobody has declared are filled down', async () => {
    const spec = book(
      { C1: 'Twice', C2: { formula: 'B2*2', value: 2 }, C3: { formula: 'SUM(C2:C2)', value: 2 } },
      {
        tables: [{ name: 'T', ref: 'A1:C2', columns: ['Name', 'Value', 'Twice'] }],
      },
      { names: { in_T: 'T', out_Sum: 'S!$C$3' } },
    );
    const lines = rows(3).map((row) => [...row, null]);
    const { outputs, model } = await (await growingBook(spec)).run({ T: lines });
    expect(outputs['Sum']).toBe(12);
    expect([contentAt(model, 'C4'), contentAt(model, 'C5')]).toEqual(['=B4*2', '=SUM(C2:C4)']);
  });

  it('columns whose formulas fix the rows of the table follow it in all rows, in the file as in the results', async () => {
    const spec = book(
      { C1: 'Share', C2: { formula: 'B2/SUM(B$2:B$2)', value: 1 }, C3: { formula: 'SUM(C2:C2)', value: 1 } },
      {
        tables: [
          { name: 'T', ref: 'A1:C2', columns: ['Name', 'Value', { name: 'Share', formula: 'B2/SUM(B$2:B$2)' }] },
        ],
      },
      { names: { in_T: 'T', out_Sum: 'S!$C$3' } },
    );
    const lines = rows(4).map((row) => [...row, null]);
    const { outputs, model } = await (await growingBook(spec)).run({ T: lines });
    expect(outputs['Sum']).toBeCloseTo(1);
    expect([contentAt(model, 'C2'), contentAt(model, 'C5')]).toEqual(['=B2/SUM(B$2:B$5)', '=B5/SUM(B$2:B$5)']);
    expect(savedAt(model, 'C5')).toBeCloseTo(0.4);
  });

  it.each([1, 2, 3, 17, 400])('the results are those of the formulas in the file: %i rows', async (count) => {
    const { model, outputs } = await (await growingBook(book(SUM))).run({ T: rows(count) });
    expect(savedAt(model, `B${2 + count}`)).toBe(outputs['Sum']);
    expect(outputs['Sum']).toBe((count * (count + 1)) / 2);
  });
});

/** Prompts for a secret stored below the table, and fills the table twice. */
const STEPS: SheetSpec = {
  name: 'Portal',
  cells: {
    A1: 'Step',
    B1: 'Action',
    C1: 'Cell',
    D1: 'Message',
    E1: 'Type',
    F1: 'Connection',
    G1: 'Query',
    H1: 'Table',
    A2: 'Ask',
    B2: 'Prompt',
    C2: 'S!$B$5',
    D2: 'Secret?',
    E2: 'Masked',
    A3: 'Load',
    B3: 'Query',
    F3: 'Sales',
    G3: 'select 1',
    H3: 'T',
    A4: 'Again',
    B4: 'Query',
    F4: 'Sales',
    G4: 'select 2',
    H4: 'T',
  },
  tables: [
    {
      name: 'PortalSteps',
      ref: 'A1:H4',
      columns: ['Step', 'Action', 'Cell', 'Message', 'Type', 'Connection', 'Query', 'Table'],
    },
  ],
};

describe('steps', () => {
  const loaded = (): Promise<GrowingBook> => {
    const below: Record<string, CellSpec> = { ...SUM, A5: 'Secret', B6: { formula: 'B3+LEN(B5)+E1', value: 1 }, E1: 0 };
    const made = book(below, {}, { names: { in_Plus: 'S!$E$1', out_Sum: 'S!$B$3', out_All: 'S!$B$6' } });
    made.sheets.push(STEPS);
    return growingBook(made, { ...NO_CAPABILITIES, connections: [{ name: 'Sales', kind: 'pg', allowWrites: false }] });
  };
  const services = (first: number, second: number): StepServices => ({
    ...NO_SERVICES,
    prompt: () => Promise.resolve({ value: 'hush' }),
    async *query({ sql }) {
      await Promise.resolve();
      yield {
        columns: [
          { name: 'Name', kind: 'Text' },
          { name: 'Value', kind: 'Number' },
        ],
        rows: rows(sql === 'select 1' ? first : second),
      };
    },
  });

  it('that fill a table move what was written before, and hide a masked answer where it has moved', async () => {
    const { outcome, outputs, model, bytes } = await (await loaded()).run({ Plus: 100 }, services(2, 5));
    expect(outcome.status).toBe('Succeeded');
    expect(outputs).toEqual({ Sum: 15, All: 119 });
    expect(['A9', 'B9', 'B10', 'E1'].map((address) => contentAt(model, address))).toEqual([
      'Secret',
      null,
      '=B7+LEN(B9)+E1',
      100,
    ]);
    expect(Buffer.from(bytes).includes('hush')).toBe(false);
  });

  it('that fill a table that has room with fewer rows than before leave nothing behind either', async () => {
    const made = book({}, {}, { names: { out_Sum: 'S!$E$1' } });
    Object.assign(made.sheets[0]!.cells!, { E1: { formula: 'SUM(T[Value])', value: 1 } });
    const queries = Object.entries(STEPS.cells!).filter(([address]) => !address.endsWith('2'));
    const moved = queries.map(([address, cell]) => [address.replace(/[34]$/, (row) => String(Number(row) - 1)), cell]);
    const [table] = STEPS.tables!;
    made.sheets.push({ ...STEPS, cells: Object.fromEntries(moved), tables: [{ ...table!, ref: 'A1:H3' }] });
    const loading = growingBook(made, {
      ...NO_CAPABILITIES,
      connections: [{ name: 'Sales', kind: 'pg', allowWrites: false }],
    });
    const { outputs, model } = await (await loading).run({}, services(6, 2));
    expect(outputs).toEqual({ Sum: 3 });
    expect(['A3', 'A4', 'A7'].map((address) => contentAt(model, address))).toEqual(['n1', null, null]);
  });

  it('that fill a table with fewer rows than before leave nothing behind', async () => {
    const { outputs, model } = await (await loaded()).run({ Plus: 0 }, services(6, 2));
    expect(outputs).toEqual({ Sum: 3, All: 7 });
    expect(['A4', 'B4', 'A5', 'A6', 'A7'].map((address) => contentAt(model, address))).toEqual([
      'Sum',
      '=SUM(B2:B3)',
      null,
      'Secret',
      null,
    ]);
  });
});

describe('a form', () => {
  it('shows the results of its rows as they come and go', async () => {
    const spec = book({ ...SUM, B4: { formula: 'B3*2', value: 2 } }, {}, { names: { in_T: 'T', out_Twice: 'S!$B$4' } });
    spec.sheets.push({
      name: 'Portal',
      cells: { A1: 'Name', B1: 'CalculateImmediately', A2: 'Twice', B2: true },
      tables: [{ name: 'PortalOutputs', ref: 'A1:B2', columns: ['Name', 'CalculateImmediately'] }],
    });
    const form = await growingBook(spec);
    for (const count of [1, 2, 3, 2, 1, 8, 8])
      expect(await form.update({ T: rows(count) })).toEqual({ Twice: count * (count + 1) });
  });
});
