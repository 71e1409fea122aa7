/** Tests steps that run once per row of an entered table: passing on, listing and downloading their results. */
import excelJs from 'exceljs';
import { beforeEach, expect } from 'vitest';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { input, output } from '#test/support/portal.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { isFullSet, rounds } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { grant } from '#test/support/users.ts';
import type { ChecklistRow } from '#shared/contract/checklist-rows.ts';

const COMPANIES = ['b', 'a', '=c'];
const table = (ColumnHeaderValues: string[], CellUsages: ('Text' | 'Number')[]) => ({
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues,
  CellUsages,
  Specifications: ColumnHeaderValues.map(() => 'Required' as const),
  Blanks: ColumnHeaderValues.map(() => true),
  Formats: ColumnHeaderValues.map(() => ''),
  Width: ColumnHeaderValues.length,
  RowsVariable: true,
});

const ids: Record<string, number> = {};
const failing = new Set<string>();
/** Input values of the step after the rows. */
let given: Record<string, unknown> = {};

const test = base.extend('workflow', { scope: 'file', auto: true }, async ({ portal }) => {
  async function call(method: 'GET' | 'POST', url: string, payload?: object, headers = portal.owner.headers) {
    const answer = await portal.app.http.inject({ method, url: `/api/${url}`, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  }

  const result = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const { status, body } = await call(method, url, payload);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.result;
  };

  async function workflow(): Promise<number> {
    const Activities = [{ Id: ids['each'] }];
    const own = await portal.app.database
      .knex('ActivityParameters')
      .where({ ActivityId: ids['each'], Direction: 'input' })
      .select('Id', 'Name');
    const { Id } = await result('POST', 'checklists/create', {
      Id: 0,
      Name: 'Companies',
      Schema: 'Test',
      Activities,
      Inputs: own.map(({ Id: own, Name }) => ({ InputName: Name, ActivityInputs: [{ Id: own }] })),
    });
    await result('POST', 'workflows/create', { ChecklistId: Id });
    const rules = { Join: 'AllSucceeded', OnFailure: 'Continue' };
    const column = (Input: string, Name: string) => ({ Input, From: { Kind: 'Column', Name } });
    const from = (Name: string) => ({ Kind: 'Output', Step: 'each', Name });
    const each = {
      ...rules,
      Kind: 'ForEach',
      Key: 'each',
      Name: 'Each company',
      After: [],
      ActivityId: ids['each'],
      Inputs: [column('Company', 'Firm'), column('Amount', 'Amount')],
      Rows: { Kind: 'Input', Name: 'Companies' },
      KeyColumn: 'Firm',
      AtOnce: 20,
      StopAfterFailures: null,
    };
    const use = {
      ...rules,
      Kind: 'Activity',
      Key: 'use',
      Name: 'Use',
      After: [{ Step: 'each', When: 'always' }],
      ActivityId: ids['use'],
      Inputs: [
        { Input: 'Totals', From: from('Rows') },
        { Input: 'Items', From: from('Lines') },
      ],
    };
    const Graph = { Inputs: [{ Name: 'Companies' }], Steps: [each, use] };
    await result('POST', 'workflows/update', { Id, Version: 1, Graph });
    return Id;
  }

  const start = (Value: string | null) =>
    call('POST', 'checklists/start', {
      ChecklistId: WorkflowId,
      WorkflowId,
      WorkflowVersion: 2,
      Inputs: [{ ChecklistInputName: 'Companies', Value }],
    });

  const status = (runId: number) => result('GET', `checklists/status/workflow/${runId}`);

  const ended = (runId: number) =>
    // With hundreds of rows, the time depends on the machine.
    untilProgress(
      `the run ${runId} ends`,
      () => status(runId),
      ({ Checklist }) => Checklist.EndTime !== null,
    );

  async function run(names: readonly string[] = COMPANIES): Promise<number> {
    const { status: code, body } = await start(rowsOf(names));
    if (code !== 200) throw new Error(JSON.stringify(body));
    await ended(body.result.Id);
    return body.result.Id;
  }

  async function download(RunId: number, Table: string, Format: 'csv' | 'xlsx') {
    const token = await result('POST', 'checklists/downloadRows', { RunId, StepKey: 'each', Table, Format });
    return portal.app.http.inject({ url: `/api/files/download/${token}` });
  }

  await grant(portal.app, portal.owner.UserId, 'sk.EditChecklist');

  const each = {
    ...EMPTY_DEFINITION,
    inputs: [input('Company', { CellUsages: ['Text'] }), input('Amount')],
    outputs: [
      output('Total'),
      output('Lines', table(['Item', 'Value'], ['Text', 'Number'])),
      output('Status', { CellUsages: ['Text'] }),
    ],
  };

  const use = {
    ...EMPTY_DEFINITION,
    inputs: [
      input('Totals', table(['Total', 'RowKey', 'Status'], ['Number', 'Text', 'Text'])),
      input('Items', table(['RowKey', 'Value'], ['Text', 'Number'])),
    ],
  };

  ids['each'] = await portal.publish({ Name: 'Each', definition: each });
  ids['use'] = await portal.publish({ Name: 'Use', definition: use });

  portal.executor.onRun = async ({ versionKey, inputs }) => {
    const values = Object.fromEntries(inputs.map(({ Name, value }) => [Name, JSON.parse(value ?? 'null')]));
    if (versionKey.startsWith(`${ids['use']}/`)) {
      given = values;
      return SUCCESS;
    }
    const { Company, Amount } = values as { Company: string; Amount: number };
    if (failing.has(Company)) return { status: 'Failed', outputs: [], files: [] };
    const lines = JSON.stringify([
      [`${Company} 1`, Amount],
      [`${Company} 2`, Amount * 2],
    ]);
    const outputs = [
      { Name: 'Total', Value: JSON.stringify(Amount * 3), Rows: null },
      { Name: 'Lines', Value: lines, Rows: 2 },
      { Name: 'Status', Value: '"fine"', Rows: null },
    ];
    return { ...SUCCESS, outputs };
  };

  const WorkflowId = await workflow();
  return { WorkflowId, call, result, start, status, ended, run, download };
});

beforeEach(() => {
  failing.clear();
  given = {};
});

const rowsOf = (names: readonly string[]) => JSON.stringify(names.map((name, at) => [name, at + 1]));

test('a workflow asks for the table whose rows a step runs for, and keeps it', async ({
  workflow: { result, WorkflowId, run, status },
}) => {
  const { Inputs } = await result('GET', `checklists/details/${WorkflowId}`);
  expect(Inputs).toMatchObject([
    {
      InputName: 'Companies',
      ActivityInputs: [
        { HasAccess: true, Info: { ColumnHeaderValues: ['Firm', 'Amount'], CellUsages: ['Text', 'Number'] } },
      ],
    },
  ]);
  const runId = await run();
  const { Checklist } = await status(runId);
  expect(Checklist.Inputs).toMatchObject([
    { ChecklistInputName: 'Companies', ActivityParameterId: Inputs[0].InputId, Value: rowsOf(COMPANIES) },
  ]);
  const { Runs } = await result('POST', 'checklists/runhistory', { ChecklistId: WorkflowId, ApproxRows: 1 });
  expect(Runs[0].Inputs).toMatchObject([{ ChecklistInputName: 'Companies', Rows: 3 }]);
});

test.for([
  ['no table', null],
  ['a blank name', '[["",1]]'],
  ['a text where a number belongs', '[["a","x"]]'],
] as const)('%s is refused at the start, at the name of the table', async ([, value], { workflow: { start } }) => {
  const { status: code, body } = await start(value);
  expect([code, Object.keys(body.modelState ?? {})]).toEqual([400, ['Companies']]);
});

test('what rows give is handed on as one table, those that failed with their status, in the order of the table', async ({
  workflow: { run, result, ended, download },
}) => {
  failing.add('a');
  const runId = await run();
  expect(given['Totals']).toEqual([
    [3, 'b', 'Succeeded'],
    [null, 'a', 'Failed'],
    [9, '=c', 'Succeeded'],
  ]);
  expect(given['Items']).toEqual([
    ['b', 1],
    ['b', 2],
    ['=c', 3],
    ['=c', 6],
  ]);
  failing.clear();
  const { Id } = await result('POST', `checklists/resume/${runId}`);
  await ended(Id);
  const csv = await download(Id, 'Rows', 'csv');
  expect(csv.body).toBe(
    "\uFEFFRowKey,Status,Total,Status (output)\r\nb,Succeeded,3,fine\r\na,Succeeded,6,fine\r\n'=c,Succeeded,9,fine\r\n",
  );
});

test.for([
  ['resumed', {}],
  ['retried', { From: { Steps: ['each'], Following: 'Unsuccessful' } }],
] as const)('the rows of a %s step are listed, with those that it reused', async ([, body], { workflow }) => {
  failing.add('a');
  const runId = await workflow.run();
  failing.clear();
  const { Id } = await workflow.result('POST', `checklists/resume/${runId}`, body);
  await workflow.ended(Id);
  const { Rows } = await workflow.result('POST', 'checklists/rows', { RunId: Id, StepKey: 'each', After: null });
  const listed = Rows.map(({ RowKey, Status, IsKept }: ChecklistRow) => [RowKey, Status, IsKept]);
  expect(listed).toEqual([
    ['b', 'Succeeded', true],
    ['=c', 'Succeeded', true],
    ['a', 'Succeeded', false],
  ]);
});

test('what rows give can be downloaded as a workbook, and the tables of all of them too', async ({
  workflow: { run, download, call },
}) => {
  const runId = await run();
  const file = await download(runId, 'lines', 'xlsx');
  expect(file.headers['content-disposition']).toContain(`Companies ${runId} Each company Lines.xlsx`);
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(file.rawPayload as never);
  const cells = workbook.worksheets[0]!.getSheetValues().map((row) => (row as unknown[]).slice(1));
  expect(cells.slice(1, 3)).toEqual([
    ['RowKey', 'Status', 'Item', 'Value'],
    ['b', 'Succeeded', 'b 1', 1],
  ]);
  const other = await call('POST', 'checklists/downloadRows', {
    RunId: runId,
    StepKey: 'each',
    Table: 'No',
    Format: 'csv',
  });
  expect([other.status, other.body.message]).toEqual([404, 'There is no data to download']);
});

test.runIf(isFullSet)(
  'rows are listed a hundred at a time, those that failed first',
  async ({ workflow: { run, result } }) => {
    const count = rounds(105, 205);
    const names = Array.from({ length: count }, (_, at) => `n${at}`);
    failing.add(names.at(-1)!).add('n7');
    const runId = await run(names);
    const page = (After: unknown = null) => result('POST', 'checklists/rows', { RunId: runId, StepKey: 'each', After });
    const first = await page();
    expect(first.Tables).toEqual(['Rows', 'Lines']);
    expect(first.Rows.slice(0, 3)).toMatchObject([
      { RowKey: 'n7', Status: 'Failed', IsKept: false, CanView: true },
      { RowKey: names.at(-1), Status: 'Failed' },
      { RowKey: 'n0', Status: 'Succeeded', Attempt: 1 },
    ]);
    const pages = [first];
    while (pages.at(-1).Next !== null) pages.push(await page(pages.at(-1).Next));
    expect(pages.map(({ Rows }) => Rows.length)).toEqual([...Array.from({ length: (count - 5) / 100 }, () => 100), 5]);
    const all = pages.flatMap(({ Rows }) => Rows.map(({ RowKey }: { RowKey: string }) => RowKey));
    expect(new Set(all).size).toBe(count);
  },
);

test('a step that has no rows counts none', async ({ portal, workflow: { run, status } }) => {
  const runId = await run();
  const { knex } = portal.app.database;
  await knex('ActivityRuns').where({ ChecklistRunId: runId, StepKey: 'each' }).whereNot('RowKey', 'b').delete();
  const counts = async () => {
    const { ActivityRuns } = await status(runId);
    const { SuccessfulChildRuns, FailedChildRuns, RunningChildRuns } = ActivityRuns[0];
    return [SuccessfulChildRuns, FailedChildRuns, RunningChildRuns];
  };
  expect(await counts()).toEqual([1, 0, 0]);
  // An attempt that was interrupted with its server no longer counts once the row has run again.
  await knex('ActivityRuns').where({ ChecklistRunId: runId, StepKey: 'each' }).update({ Attempt: 2 });
  const {
    Id: _id,
    DurationMs: _duration,
    ...row
  } = await knex('ActivityRuns').where({ ChecklistRunId: runId, StepKey: 'each' }).first();
  await knex('ActivityRuns').insert({ ...row, Attempt: 1, Status: 'Abandoned' });
  expect(await counts()).toEqual([1, 0, 0]);
  await knex('ActivityRuns').where({ ChecklistRunId: runId, StepKey: 'each', Attempt: 1 }).delete();
  // The state before the rows are known, and if an earlier step blocked the step.
  const only = knex('ActivityRuns').where({ ChecklistRunId: runId, StepKey: 'each' });
  await only.clone().update({ RowKey: '', Status: 'QueuedInSeq', WaitsForSteps: true, EndTime: null });
  expect(await counts()).toEqual([0, 0, 0]);
  await only.clone().update({ Status: 'Cancelled', NotRunBecause: 'Blocked', EndTime: new Date() });
  expect(await counts()).toEqual([0, 0, 0]);
});

test('rows are shown to who may see the run alone, and of steps that have them', async ({
  portal,
  workflow: { run, call },
}) => {
  const runId = await run(['x']);
  const ask = (url: string, StepKey: string, headers = portal.owner.headers) =>
    call(
      'POST',
      `checklists/${url}`,
      { RunId: runId, StepKey, ...(url === 'rows' ? {} : { Table: 'Rows', Format: 'csv' }) },
      headers,
    );
  for (const url of ['rows', 'downloadRows']) {
    expect((await ask(url, 'each', portal.stranger.headers)).status).toBe(404);
    expect(await ask(url, 'use')).toMatchObject({
      status: 404,
      body: { message: 'This run has no such step, or it has no rows' },
    });
  }
});
