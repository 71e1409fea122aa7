/** Forms that recalculate while the user types. */
import { afterAll, describe, expect, it } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { FormUpdate } from '#server/executors/executor.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { WorkbookExecutor, WorkbookExecutorOptions } from './workbook-executor.ts';
import { createWorkbookExecutor } from './workbook-executor.ts';

const executors: WorkbookExecutor[] = [];
const executorWith = (options: WorkbookExecutorOptions): WorkbookExecutor => {
  const executor = createWorkbookExecutor({ threads: 1, formThreads: 1, ...options });
  executors.push(executor);
  return executor;
};
const shared = executorWith({});
afterAll(() => Promise.all(executors.map((executor) => executor.close())));

type Given = Record<string, unknown>;

interface Form {
  definition: ActivityDefinition;
  reads: number;
  refused(values: Given): Promise<string>;
  /** A null value leaves the workbook's own value. */
  update(values: Given, formKey?: string): Promise<FormUpdate>;
}

let versions = 0;

async function openForm(spec: WorkbookSpec, executor = shared): Promise<Form> {
  const bytes = await buildWorkbook(spec);
  const file = { fileName: 'Book.xlsx', bytes, acceptUnsupported: [] };
  const { definition, problems } = await executor.inspect(file, new AbortController().signal);
  expect(problems).toEqual([]);
  const versionKey = `version ${++versions}`;
  const ask = (values: Given, formKey: string): ReturnType<WorkbookExecutor['updateForm']> =>
    executor.updateForm({
      versionKey,
      formKey: `${versionKey} ${formKey}`,
      definition: definition!,
      readWorkbook: async () => {
        form.reads += 1;
        return Uint8Array.from(bytes);
      },
      inputs: definition!.inputs.map(({ Name }) => {
        const given = values[Name] ?? null;
        return { Name, value: given === null ? null : JSON.stringify(given), fileNames: [] };
      }),
      timeLimit: 20_000,
    });
  const form: Form = {
    definition: definition!,
    reads: 0,
    async refused(values) {
      const answer = await ask(values, 'one');
      return 'refusal' in answer ? answer.refusal : '';
    },
    async update(values, formKey = 'one') {
      const answer = await ask(values, formKey);
      if ('refusal' in answer) throw new Error(answer.refusal);
      return answer;
    },
  };
  return form;
}

const valueOf = ({ values }: FormUpdate, name: string): unknown => {
  const found = values.find(({ Name }) => Name === name);
  return found ? JSON.parse(found.value) : undefined;
};

/** C suggests 2*A, D suggests C+1, and the output is the sum of all. */
const CHAIN: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 10,
        A2: { formula: 'A1*2', value: 20 },
        A3: { formula: 'A2+1', value: 21 },
        A4: { formula: 'A1+A2+A3', value: 51 },
      },
    },
  ],
  names: { in_A: 'S!$A$1', in_C: 'S!$A$2', in_D: 'S!$A$3' },
};

const LIVE: WorkbookSpec = {
  sheets: [
    { ...CHAIN.sheets[0]! },
    {
      name: 'Portal',
      cells: { A1: 'Name', B1: 'Range', C1: 'CalculateImmediately', A2: 'Sum', B2: 'S!A4', C2: true },
      tables: [{ name: 'PortalOutputs', ref: 'A1:C2', columns: ['Name', 'Range', 'CalculateImmediately'] }],
    },
  ],
  names: CHAIN.names!,
};

describe('a form', () => {
  it('receives suggestions and immediate outputs that follow what is typed', async () => {
    const form = await openForm(LIVE);
    const first = await form.update({});
    expect([valueOf(first, 'C'), valueOf(first, 'D')]).toEqual([20, 21]);
    expect(first.outputs).toEqual([{ Name: 'Sum', Value: '51' }]);
    const second = await form.update({ A: 5 });
    expect([valueOf(second, 'C'), valueOf(second, 'D')]).toEqual([10, 11]);
    expect(second.outputs[0]!.Value).toBe('26');
    expect(form.reads).toBe(1);
  });

  it('receives what an overridden suggestion would be, and what follows from the value in its place', async () => {
    const form = await openForm(LIVE);
    const update = await form.update({ A: 5, C: 100 });
    expect([valueOf(update, 'C'), valueOf(update, 'D')]).toEqual([10, 101]);
    expect(update.outputs[0]!.Value).toBe('206');
    const both = await form.update({ A: 6, C: 100, D: 7 });
    expect([valueOf(both, 'C'), valueOf(both, 'D')]).toEqual([12, 101]);
    const back = await form.update({ A: 6, D: 7 });
    expect([valueOf(back, 'C'), valueOf(back, 'D')]).toEqual([12, 13]);
    expect(back.outputs[0]!.Value).toBe('25');
    expect((await form.update({})).outputs[0]!.Value).toBe('51');
  });

  it('knows nothing of what is typed into another one', async () => {
    const form = await openForm(LIVE);
    await form.update({ A: 1 }, 'one');
    expect((await form.update({}, 'two')).outputs[0]!.Value).toBe('51');
    expect((await form.update({ A: 1 }, 'one')).outputs[0]!.Value).toBe('6');
  });

  it('continues as if nothing had happened when its model is gone', async () => {
    const executor = executorWith({ formCount: 1 });
    const form = await openForm(LIVE, executor);
    await form.update({ A: 1, C: 3 }, 'one');
    await form.update({ A: 2 }, 'two');
    expect((await form.update({ A: 1, C: 3 }, 'one')).outputs[0]!.Value).toBe('8');
  });

  it('is refused with a text for the person where a value cannot be written', async () => {
    const form = await openForm(LIVE);
    expect(await form.refused({ A: [1, 2] })).toMatch(/Input 'A'/);
    expect((await form.update({ A: 1 })).outputs[0]!.Value).toBe('6');
  });
});

const COLUMNS: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Item',
        B1: 'Amount',
        C1: 'Tax',
        A2: 'a',
        B2: 100,
        C2: { formula: 'B2*0.2', value: 20 },
        A3: 'b',
        B3: 50,
        C3: { formula: 'B3*0.2', value: 10 },
      },
    },
  ],
  names: { in_Deals: 'S!$A$1:$C$3' },
};

describe('a grid', () => {
  it('receives the values of its calculated columns, also after one was overridden and emptied again', async () => {
    const form = await openForm(COLUMNS);
    const column = async (rows: unknown[][]): Promise<unknown> => {
      const { values } = await form.update({ Deals: rows });
      expect(values).toMatchObject([{ Name: 'Deals', column: 2 }]);
      return JSON.parse(values[0]!.value);
    };
    expect(
      await column([
        ['a', 10, null],
        ['b', 20, null],
      ]),
    ).toEqual([2, 4]);
    expect(
      await column([
        ['a', 10, 7],
        ['b', 30, null],
      ]),
    ).toEqual([7, 6]);
    expect(
      await column([
        ['a', 10, null],
        ['b', 30, null],
      ]),
    ).toEqual([2, 6]);
  });
});

describe('a list of formulas', () => {
  it('is reported again', async () => {
    const form = await openForm({
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'North',
            A2: 'North 1',
            B1: { formula: 'A1&" 1"', value: 'North 1' },
            B2: { formula: 'A1&" 2"', value: 'North 2' },
          },
          validations: [{ ref: 'A2', type: 'list', formula1: '$B$1:$B$2' }],
        },
      ],
      names: { in_Region: 'S!$A$1', in_Branch: 'S!$A$2' },
    });
    expect(form.definition.inputs[1]!.Info.Pickers).toEqual([
      { Type: 'List', PreventOtherValues: true, Calculated: true },
    ]);
    const { lists } = await form.update({ Region: 'South' });
    expect(lists).toEqual([{ Name: 'Branch', column: 0, items: ['South 1', 'South 2'] }]);
  });
});

describe('columns that are only shown', () => {
  it('keep what the workbook has, and the table its rows', async () => {
    const form = await openForm({
      sheets: [
        {
          name: 'S',
          cells: {
            A1: 'Region',
            B1: 'Amount',
            A2: 'North',
            B2: 1,
            A3: 'South',
            B3: 2,
            D1: { formula: 'A2&A3&SUM(B2:B3)' },
          },
          tables: [{ name: 'T', ref: 'A1:B3', columns: ['Region', 'Amount'] }],
        },
        {
          name: 'Portal',
          cells: {
            A1: 'Name',
            B1: 'Specification',
            A2: 'Rows',
            B2: 'Display,Required',
            A5: 'Name',
            B5: 'CalculateImmediately',
            A6: 'Text',
            B6: true,
          },
          tables: [
            { name: 'PortalInputs', ref: 'A1:B2', columns: ['Name', 'Specification'] },
            { name: 'PortalOutputs', ref: 'A5:B6', columns: ['Name', 'CalculateImmediately'] },
          ],
        },
      ],
      names: { in_Rows: 'T', out_Text: 'S!$D$1' },
    });
    const { Info } = form.definition.inputs[0]!;
    expect(Info).toMatchObject({ RowsVariable: false, Specifications: ['Display', 'Required'] });
    expect(JSON.parse(Info.DefaultValue!)).toEqual([
      ['North', 1],
      ['South', 2],
    ]);
    const { outputs } = await form.update({
      Rows: [
        [null, 5],
        [null, 6],
      ],
    });
    expect(outputs[0]!.Value).toBe('"NorthSouth11"');
  });
});
