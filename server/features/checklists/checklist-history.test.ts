/** Tests the history of a checklist: the outputs of its steps, the search, and the export as a workbook. */
import excelJs from 'exceljs';
import { expect } from 'vitest';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import type { User } from '#test/support/checklist-portal.ts';
import { signedInUser } from '#test/support/users.ts';

const entered = [
  { ChecklistInputName: 'Month', Value: '"June"' },
  { ChecklistInputName: 'Limit', Value: '100' },
  { ChecklistInputName: 'Rate', Value: '0.5' },
  { ChecklistInputName: 'Papers', Value: '[]' },
];

const idsOf = ({ Runs }: { Runs: { Id: number }[] }) => Runs.map(({ Id }) => Id);

const test = base.extend('histories', { scope: 'file', auto: true }, async ({ portal }) => {
  const rows = (table: string, where: object) => portal.app.database.knex(table).where(where);
  async function started(user: User): Promise<number> {
    return (await portal.post('checklists/start', { ChecklistId, Inputs: entered }, user)).body.result.Id;
  }
  const history = async (more: object = {}, user: User = portal.runner) =>
    (await portal.post('checklists/runhistory', { ChecklistId, ApproxRows: 20, ...more }, user)).body.result;
  const { knex } = portal.app.database;
  const ChecklistId = await portal.saved();
  const outputs = await rows('ActivityParameters', { ActivityId: portal.activities.collect, Direction: 'output' });
  const total = outputs.find(({ Name }: { Name: string }) => Name === 'Total').Id;
  const lines = outputs.find(({ Name }: { Name: string }) => Name === 'Lines').Id;
  const first = await started(portal.runner);
  const [collect] = await rows('ActivityRuns', { ChecklistRunId: first }).orderBy('Id');

  await knex('RunOutputs').insert([
    { ActivityRunId: collect.Id, ActivityParameterId: total, Value: '1234.5' },
    { ActivityRunId: collect.Id, ActivityParameterId: lines, Value: '[["a",1]]', Rows: 1 },
  ]);

  await rows('ActivityRuns', { Id: collect.Id }).update({
    Status: 'Succeeded',
    EndTime: new Date(),
    WaitsForSteps: false,
  });

  await rows('ActivityRuns', { ChecklistRunId: first, WaitsForSteps: true }).update({
    Status: 'Cancelled',
    EndTime: new Date(),
  });

  await rows('ChecklistRuns', { Id: first }).update({
    Status: 'Failed',
    EndTime: new Date(),
    QueueTime: new Date('2026-01-15T12:00:00Z'),
  });

  const resumed = (await portal.post(`checklists/resume/${first}`, {}, portal.runner)).body.result.Id;
  const ofEditor = await started(portal.editor);
  return { ChecklistId, first, resumed, ofEditor, total, lines, history };
});

test('it has a column for each output of its steps, with what each run gave or kept from an earlier one', async ({
  portal,
  histories: { history, total, lines, resumed, first },
}) => {
  const { Checklist, Runs } = await history();
  const StepKey = String(portal.activities.collect);
  expect(Checklist.Outputs).toMatchObject([
    { StepKey, StepName: 'Collect', OutputId: total, OutputName: 'Total', Info: { RangeType: 'SingleCell' } },
    { StepKey, StepName: 'Collect', OutputId: lines, OutputName: 'Lines' },
  ]);
  const value = { StepKey, FileName: null };
  const outputs = [
    { ...value, ActivityParameterId: total, Value: '1234.5', Rows: null },
    { ...value, ActivityParameterId: lines, Value: null, Rows: 1 },
  ];
  expect(Runs.map(({ Id, Outputs }: { Id: number; Outputs: object[] }) => [Id, Outputs])).toEqual([
    [resumed, outputs],
    [first, outputs],
  ]);
});

test('outputs of activities that a person may not run are hidden, and so is that they exist', async ({
  portal,
  histories: { history },
}) => {
  const other = await signedInUser(portal.app, [
    { right: 'sk.RunActivity', Id: portal.activities.report },
    { right: 'sk.ViewRuns', Schema: 'Finance' },
  ]);
  const { Checklist, Runs } = await history({}, other);
  expect(Checklist.Outputs).toEqual([]);
  expect(Runs.map(({ Outputs }: { Outputs: object[] }) => Outputs)).toEqual([[], [], []]);
});

test('it is searched by who ran it and when', async ({ portal, histories: { history, ofEditor, first, resumed } }) => {
  const of = async (more: object) => idsOf(await history(more, portal.editor));
  const { FirstName, LastName } = await portal.app.database
    .knex('Users')
    .where({ UserId: portal.editor.UserId })
    .first();
  expect(await of({ RunBy: `${FirstName} ${LastName}`, UserIds: [portal.editor.UserId] })).toEqual([ofEditor]);
  expect(await of({ RunBy: 'nobody of this name' })).toEqual([]);
  expect(await of({ QueuedBefore: '2026-02-01T00:00:00Z' })).toEqual([first]);
  expect(await of({ QueuedFrom: '2026-01-15T12:00:00Z', QueuedBefore: '2026-01-15T12:00:01Z' })).toEqual([first]);
  expect(await of({ QueuedFrom: '2026-02-01T00:00:00Z' })).toEqual([ofEditor, resumed]);
});

test('it is exported as a workbook, with the same columns', async ({ portal, histories: { ChecklistId } }) => {
  const answer = await portal.post('checklists/runhistory/export', { ChecklistId }, portal.runner);
  expect(answer.body.result).toMatchObject({ Rows: 2, HasMore: false });
  const file = await portal.app.http.inject({ url: `/api/files/download/${answer.body.result.Token}` });
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(file.rawPayload as unknown as ArrayBuffer);
  const sheet = workbook.getWorksheet('Runs')!;
  const titles = (sheet.getRow(2).values as string[]).filter(Boolean);
  expect(titles).toEqual(expect.arrayContaining(['Month', 'Rate', 'Collect: Total', 'Collect: Lines']));
  const column = (sheet.getRow(2).values as string[]).indexOf('Collect: Total');
  expect([3, 4].map((row) => sheet.getRow(row).getCell(column).value)).toEqual([1234.5, 1234.5]);
  expect((await portal.post('checklists/runhistory/export', { ChecklistId }, portal.stranger)).status).toBe(404);
});
