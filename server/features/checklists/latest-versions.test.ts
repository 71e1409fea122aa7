/** Tests resuming workflow runs with the newest versions of their activities. */
import { expect } from 'vitest';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { test as base } from '#test/support/fixtures/checklist-portal.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION, insertActivity, insertVersion, insertVersionFile } from '#test/support/runs.ts';

const GIVES: ActivityDefinition = { ...EMPTY_DEFINITION, outputs: [output('Total')] };
const TAKES: ActivityDefinition = { ...EMPTY_DEFINITION, inputs: [input('Sum'), input('Limit')] };

let made = 0;

const test = base
  .extend(
    'rows',
    { scope: 'file' },
    ({ portal }) =>
      (table: string, where: object) =>
        portal.app.database.knex(table).where(where),
  )
  // Creates a run that failed at its second step, which uses the output of the first.
  .extend('failed', async ({ portal, rows }) => {
    const { knex } = portal.app.database;
    const { UserId } = portal.editor;
    made += 1;
    const insert = async (Name: string, definition: ActivityDefinition) => {
      const FileId = await insertVersionFile(knex, Name);
      return insertActivity(knex, { UserId, Name, Schema: 'Finance', definition, FileId });
    };
    const gives = await insert(`Gives ${made}`, GIVES);
    const takes = await insert(`Takes ${made}`, TAKES);
    const names = await rows('ActivityParameters', { ActivityId: takes });
    const Inputs = names.map(({ Id, Name }: { Id: number; Name: string }) => ({
      InputName: Name,
      ActivityInputs: [{ Id }],
    }));
    const ChecklistId = await portal.saved({ Activities: [{ Id: gives }, { Id: takes }], Inputs });
    await portal.post('workflows/create', { ChecklistId });
    const { Graph } = (await portal.get(`workflows/details/${ChecklistId}`)).body.result;
    const [first, second] = Graph.Steps;
    const mapping = second.Inputs.find(({ Input }: { Input: string }) => Input === 'Sum');
    mapping.From = { Kind: 'Output', Step: first.Key, Name: 'Total' };
    Graph.Inputs = [{ Name: 'Limit' }];
    const saved = await portal.post('workflows/update', { Id: ChecklistId, Version: 1, Graph });
    if (saved.status !== 200) throw new Error(JSON.stringify(saved.body));
    const started = await portal.post('checklists/start', {
      ChecklistId,
      WorkflowId: ChecklistId,
      Inputs: [{ ChecklistInputName: 'Limit', Value: '5' }],
    });
    const runId: number = started.body.result.Id;
    const [one, two] = await rows('ActivityRuns', { ChecklistRunId: runId }).orderBy('Id');
    const end = { EndTime: new Date(), WaitsForSteps: false };
    await rows('ActivityRuns', { Id: one.Id }).update({ ...end, Status: 'Succeeded' });
    await rows('ActivityRuns', { Id: two.Id }).update({ ...end, Status: 'Failed' });
    await rows('ChecklistRuns', { Id: runId }).update({ Status: 'Failed', EndTime: new Date() });
    return { gives, takes, runId, ChecklistId, takesName: `Takes ${made}` };
  })
  .extend(
    'status',
    { scope: 'file' },
    ({ portal }) =>
      async (id: number) =>
        (await portal.get(`checklists/status/workflow/${id}`)).body.result.Checklist,
  )
  .extend(
    'resume',
    ({ portal, failed }) =>
      (body: object = { LatestVersions: true }) =>
        portal.post(`checklists/resume/${failed.runId}`, body),
  )
  .extend(
    'versionsOf',
    { scope: 'file' },
    ({ rows }) =>
      async (ChecklistRunId: number) =>
        rows('ActivityRuns', { ChecklistRunId }).orderBy('Id').select('ActivityId', 'ActivityVersion'),
  );

test('what runs again takes the newest version, where that is chosen, and what is kept stays as it was', async ({
  portal,
  rows,
  failed: { gives, takes, runId, takesName },
  status,
  resume,
  versionsOf,
}) => {
  expect((await status(runId)).NewerVersions).toEqual([]);
  await insertVersion(portal.app.database.knex, gives, 2, GIVES);
  await insertVersion(portal.app.database.knex, takes, 2, TAKES);
  expect(await status(runId)).toMatchObject({ CanResume: true, ResumedBy: null, NewerVersions: [takesName] });
  const { status: code, body } = await resume();
  expect([code, body.message]).toEqual([200, undefined]);
  expect(await versionsOf(body.result.Id)).toEqual([{ ActivityId: takes, ActivityVersion: 2 }]);
  const [run] = await rows('ChecklistRuns', { Id: body.result.Id });
  const [plan] = await rows('ChecklistPlans', { Id: run.PlanId });
  expect(JSON.parse(plan.Plan).Versions).toEqual({ [gives]: 1, [takes]: 2 });
  expect(await status(runId)).toMatchObject({ CanResume: false, ResumedBy: body.result.Id, NewerVersions: [] });
});

test('a version whose file was purged is refused, unless the newest is chosen', async ({
  portal,
  failed: { takes, takesName },
  resume,
}) => {
  await insertVersion(portal.app.database.knex, takes, 2, TAKES);
  expect((await portal.post(`activities/purgeversionfiles/${takes}/1`, {})).status).toBe(200);
  const refused = await resume({});
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `The file of version 1 of '${takesName}' was purged: run the steps with the latest versions`,
  ]);
  expect((await resume()).status).toBe(200);
});

test('a reused output counts as it was made, even if the newest version of its activity no longer has it', async ({
  portal,
  failed: { gives, takes, runId },
  versionsOf,
}) => {
  const { knex } = portal.app.database;
  await insertVersion(knex, gives, 2, EMPTY_DEFINITION);
  await insertVersion(knex, takes, 2, TAKES);
  const steps = (await portal.get(`checklists/status/workflow/${runId}`)).body.result.ActivityRuns;
  const from = (index: number) => ({ From: { Steps: [steps[index].StepKey], Following: 'All' }, LatestVersions: true });
  const refused = await portal.post(`checklists/resume/${runId}`, from(0));
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/Takes \d+: .*Total/)]);
  const { status, body } = await portal.post(`checklists/resume/${runId}`, from(1));
  expect([status, body.message]).toEqual([200, undefined]);
  expect(await versionsOf(body.result.Id)).toEqual([{ ActivityId: takes, ActivityVersion: 2 }]);
});

test('an activity that is both reused and run again counts as both', async ({
  portal,
  rows,
  failed: { gives, ChecklistId },
}) => {
  const { Graph, Version } = (await portal.get(`workflows/details/${ChecklistId}`)).body.result;
  const [first, second] = Graph.Steps;
  const third = { ...first, Key: 'third', Name: 'Gives again', After: [] };
  const fourth = structuredClone({ ...second, Key: 'fourth', Name: 'Takes again' });
  fourth.After = [{ Step: 'third', When: 'success' }];
  fourth.Inputs.find(({ Input }: { Input: string }) => Input === 'Sum').From.Step = 'third';
  const saved = { Id: ChecklistId, Version, Graph: { ...Graph, Steps: [first, second, third, fourth] } };
  expect((await portal.post('workflows/update', saved)).status).toBe(200);
  const Inputs = [{ ChecklistInputName: 'Limit', Value: '5' }];
  const started = await portal.post('checklists/start', { ChecklistId, WorkflowId: ChecklistId, Inputs });
  const runId: number = started.body.result.Id;
  const end = { Status: 'Succeeded', EndTime: new Date() };
  await rows('ActivityRuns', { ChecklistRunId: runId }).update({ ...end, WaitsForSteps: false });
  await rows('ChecklistRuns', { Id: runId }).update(end);
  await insertVersion(portal.app.database.knex, gives, 2, EMPTY_DEFINITION);
  const resume = (Steps: string[]) =>
    portal.post(`checklists/resume/${runId}`, { From: { Steps, Following: 'All' }, LatestVersions: true });
  // Its newest version no longer gives what the fourth step takes; the second step takes what the old one gave.
  const refused = await resume(['third']);
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/Takes again: .*Total/)]);
  expect((await resume([second.Key, 'fourth'])).status).toBe(200);
});

test('without that choice the versions stay those of the start', async ({
  portal,
  failed: { takes },
  resume,
  versionsOf,
}) => {
  await insertVersion(portal.app.database.knex, takes, 2, TAKES);
  const { body } = await resume({});
  expect(await versionsOf(body.result.Id)).toEqual([{ ActivityId: takes, ActivityVersion: 1 }]);
});

test.for<[string, ActivityDefinition, RegExp]>([
  [
    'a kept output is of another type than the input that takes it',
    { ...EMPTY_DEFINITION, inputs: [input('Sum', { CellUsages: ['Text'] }), input('Limit')] },
    /^The run cannot be resumed with the latest versions\. Takes \d+: .*Sum.*/,
  ],
  [
    'there is an input that nothing fills',
    { ...EMPTY_DEFINITION, inputs: [input('Sum'), input('Limit'), input('Rate')] },
    /^The run cannot be resumed with the latest versions\. Takes \d+: .*Rate.*/,
  ],
  [
    'what was entered is of another type',
    { ...EMPTY_DEFINITION, inputs: [input('Sum'), input('Limit', { CellUsages: ['Text'] })] },
    /^The run cannot be resumed with the latest versions\. Takes \d+: the input 'Limit' has a different type now/,
  ],
])(
  'it is refused, and nothing is started, if %s',
  async ([, definition, reason], { portal, failed: { takes, runId }, status, resume }) => {
    await insertVersion(portal.app.database.knex, takes, 2, definition);
    const refused = await resume();
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(reason)]);
    expect(await status(runId)).toMatchObject({ CanResume: true, ResumedBy: null });
  },
);
