/** List validations whose formula selects the items for each row of a table. */
import { afterAll, describe, expect, it } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { FormUpdate } from '#server/executors/executor.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { createWorkbookExecutor } from './workbook-executor.ts';

const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
afterAll(() => executor.close());

/** Cities by region, in a table or in plain rows. The list of column B depends on column A. */
function cities(formula1: string, isTable: boolean, rows = 2): WorkbookSpec {
  const examples = [
    ['North', 'Oslo'],
    ['South', 'Rome'],
  ];
  const cells: Record<string, string> = { A1: 'Region', B1: 'City', D1: 'Oslo', D2: 'Bergen', E1: 'Rome', E2: 'Bari' };
  for (const [index, [region, city]] of examples.slice(0, rows).entries()) {
    cells[`A${index + 2}`] = region!;
    cells[`B${index + 2}`] = city!;
  }
  const ref = `A1:B${rows + 1}`;
  return {
    sheets: [
      {
        name: 'S',
        cells,
        ...(isTable ? { tables: [{ name: 'T', ref, columns: ['Region', 'City'] }] } : {}),
        validations: [{ ref: `B2:B${rows + 1}`, type: 'list', formula1, showError: true }],
      },
    ],
    names: { in_T: `S!$A$1:$B$${rows + 1}`, out_X: 'S!$D$1', North: 'S!$D$1:$D$2', South: 'S!$E$1:$E$2' },
  };
}

interface Form {
  definition: ActivityDefinition;
  update(rows: unknown[][]): Promise<FormUpdate>;
}

let versions = 0;

async function open(spec: WorkbookSpec): Promise<Form> {
  const bytes = await buildWorkbook(spec);
  const file = { fileName: 'Book.xlsx', bytes, acceptUnsupported: [] };
  const { definition, problems } = await executor.inspect(file, new AbortController().signal);
  expect(problems).toEqual([]);
  const versionKey = `version ${++versions}`;
  return {
    definition: definition!,
    async update(rows) {
      const answer = await executor.updateForm({
        versionKey,
        formKey: versionKey,
        definition: definition!,
        readWorkbook: async () => Uint8Array.from(bytes),
        inputs: [{ Name: 'T', value: JSON.stringify(rows), fileNames: [] }],
        timeLimit: 20_000,
      });
      if ('refusal' in answer) throw new Error(answer.refusal);
      return answer;
    },
  };
}

const NORTH = ['Oslo', 'Bergen'];
const SOUTH = ['Rome', 'Bari'];

describe('a list of each row', () => {
  it.each<[string, WorkbookSpec]>([
    ['of a table', cities('INDIRECT($A2)', true)],
    ['of a table that has one row in the file', cities('INDIRECT($A2)', true, 1)],
    ['of a block', cities('INDIRECT($A2)', false)],
    ['that an IF chooses', cities('IF($A2="North",$D$1:$D$2,$E$1:$E$2)', true)],
  ])('is offered in the rows %s, which share those that are alike', async (_, spec) => {
    const form = await open(spec);
    expect(form.definition.inputs[0]!.Info.Pickers[1]).toEqual({
      Type: 'List',
      PreventOtherValues: false,
      PerRow: true,
      Calculated: true,
    });
    const { lists } = await form.update([
      ['North', 'Oslo'],
      ['South', ''],
    ]);
    expect(lists).toEqual([
      { Name: 'T', column: 1, items: NORTH, rows: [0] },
      { Name: 'T', column: 1, items: SOUTH, rows: [1] },
    ]);
  });

  it('follows what is filled in, into rows that the table gains', async () => {
    const form = await open(cities('INDIRECT($A2)', true));
    const { lists, rules } = await form.update([
      ['South', 'Rome'],
      ['', ''],
      ['South', 'Oslo'],
      ['North', 'Oslo'],
    ]);
    expect(lists).toEqual([
      { Name: 'T', column: 1, items: SOUTH, rows: [0, 2] },
      { Name: 'T', column: 1, items: NORTH, rows: [3] },
    ]);
    // A value that the row's own list does not contain is refused.
    expect(rules[0]!.issues.map(({ row, col, Alert }) => [row, col, Alert])).toEqual([[2, 1, 'Stop']]);
  });

  it('is that of cells whose address moves along with the row', async () => {
    const spec = cities('$D2:$E2', true);
    const form = await open({ ...spec, names: { in_T: 'T', out_X: 'S!$D$1' } });
    const { lists } = await form.update([
      ['North', 'x'],
      ['South', 'y'],
    ]);
    // In row 3, the list has no items.
    expect(lists).toEqual([{ Name: 'T', column: 1, items: ['Bergen', 'Bari'], rows: [0] }]);
  });

  it('is calculated for the first thousand rows', async () => {
    const form = await open(cities('INDIRECT($A2)', true));
    const { lists } = await form.update(Array.from({ length: 1200 }, () => ['North', 'Oslo']));
    expect(lists.map(({ rows }) => rows!.length)).toEqual([1000]);
  });
});

describe('one list', () => {
  it('remains one where its cells are the same in every row', async () => {
    const { definition } = await open(cities('$D$1:$D$2', true));
    expect(definition.inputs[0]!.Info.Pickers[1]).toEqual({ Type: 'List', PreventOtherValues: true });
    expect(definition.inputs[0]!.pickerItems[1]).toEqual(NORTH);
  });
});
