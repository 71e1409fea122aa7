/** Tests complete runs of checklists and workflows with workers. */
import { describe, expect } from 'vitest';
import { workflowCalls } from '#test/support/workflow-calls.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { LINES } from '#test/support/checklist-portal.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { grant } from '#test/support/users.ts';

const activities: Record<string, number> = {};
/** Names of the activities whose runs fail, and the activities that ran, in order. */
const failing = new Set<string>();
const ran: string[] = [];

const statuses = ({ ActivityRuns }: { ActivityRuns: { Name: string; Status: string }[] }) =>
  ActivityRuns.map(({ Name, Status }) => [Name, Status]);

const test = base.extend('calls', { scope: 'file', auto: true }, async ({ portal }) => {
  const { call, result, checklistOf, start, status, ended } = workflowCalls(portal);
  const checklist = () => checklistOf(Object.values(activities));
  await grant(portal.app, portal.owner.UserId, 'sk.EditChecklist');
  for (const Name of ['Collect', 'Check', 'Report']) {
    activities[Name] = await portal.publish({ Name, definition: EMPTY_DEFINITION });
  }

  portal.executor.onRun = async ({ versionKey }) => {
    const [id] = versionKey.split('/');
    const name = Object.keys(activities).find((one) => activities[one] === Number(id))!;
    ran.push(name);
    return failing.has(name) ? { status: 'Failed', outputs: [], files: [] } : SUCCESS;
  };

  return { call, result, start, status, ended, checklist };
});

describe('a run of a checklist', () => {
  test('runs its activities one after another', async ({ calls: { ended, start, checklist } }) => {
    ran.length = 0;
    const found = await ended(await start(await checklist()));
    expect(found.Checklist).toMatchObject({ Status: 'Succeeded', CanCancel: false, CanResume: false });
    expect(ran).toEqual(['Collect', 'Check', 'Report']);
    expect(found.ActivityRuns).toMatchObject([{ StartTime: expect.any(String), EndTime: expect.any(String) }, {}, {}]);
  });

  test('that failed resumes at the failed step once it is fixed, and reuses what had succeeded', async ({
    calls: { start, checklist, ended, result, call },
  }) => {
    ran.length = 0;
    failing.add('Check');
    const runId = await start(await checklist());
    const broken = await ended(runId);
    expect(statuses(broken)).toEqual([
      ['Collect', 'Succeeded'],
      ['Check', 'Failed'],
      ['Report', 'Cancelled'],
    ]);
    expect(broken.ActivityRuns[2].Message).toContain('Check');
    expect(broken.Checklist).toMatchObject({ Status: 'Failed', CanResume: true });
    failing.clear();
    // Sending the request twice resumes the run only once.
    const resume = () => result('POST', `checklists/resume/${runId}`, { UniqueId: 'go on' });
    const [{ Id }, twice] = await Promise.all([resume(), resume()]);
    expect([twice.Id, (await resume()).Id]).toEqual([Id, Id]);
    const other = await call('POST', `checklists/resume/${Id}`, { UniqueId: 'go on' });
    expect(other.status).toBe(409);
    const found = await ended(Id);
    expect(found.Checklist).toMatchObject({ Status: 'Succeeded', ResumeOf: runId });
    expect(ran).toEqual(['Collect', 'Check', 'Check', 'Report']);
    expect(found.ActivityRuns[0]).toMatchObject({
      Id: null,
      Status: 'Succeeded',
      KeptRunId: broken.ActivityRuns[0].Id,
      CanView: true,
    });
    const again = await call('POST', `checklists/resume/${Id}`);
    expect([again.status, again.body.message]).toEqual([409, 'The run succeeded, so it cannot be resumed']);
  });

  test('is cancelled as a whole, by who may', async ({
    portal,
    calls: { start, checklist, status, call, result, ended },
  }) => {
    const earlier = portal.executor.onRun;
    const release = portal.holdRuns();
    const runId = await start(await checklist());
    await until(
      'the first step runs',
      async () => (await status(runId)).ActivityRuns[0].Status === 'Started' || undefined,
    );
    const early = await call('POST', `checklists/resume/${runId}`);
    expect([early.status, early.body.message]).toEqual([409, 'The run has not ended yet']);
    expect((await call('POST', `checklists/cancel/${runId}`, undefined, portal.stranger.headers)).status).toBe(404);
    expect(await result('POST', `checklists/cancel/${runId}`)).toEqual({ Message: 'The run was cancelled' });
    const found = await ended(runId);
    release();
    portal.executor.onRun = earlier;
    expect(found.Checklist.Status).toBe('Cancelled');
    expect(statuses(found).map(([, one]) => one)).toEqual(['Cancelled', 'Cancelled', 'Cancelled']);
    await portal.app.database.knex('ChecklistRuns').where('Id', runId).update({ Status: 'Failed' });
    const late = await call('POST', `checklists/cancel/${runId}`);
    expect([late.status, late.body.message]).toEqual([409, 'The run has already ended']);
  });
});

test('a run of a checklist is one among all that are cancelled', async ({
  portal,
  calls: { start, checklist, status, result, ended },
}) => {
  const earlier = portal.executor.onRun;
  const release = portal.holdRuns();
  const runId = await start(await checklist());
  await until(
    'the first step runs',
    async () => (await status(runId)).ActivityRuns[0].Status === 'Started' || undefined,
  );
  expect(await result('POST', 'activities/cancel/all')).toEqual({ Message: 'The run was cancelled' });
  expect((await ended(runId)).Checklist.Status).toBe('Cancelled');
  release();
  portal.executor.onRun = earlier;
});

test('a workflow handles a failure by the step that comes after it', async ({
  calls: { checklist, result, start, ended, call },
}) => {
  ran.length = 0;
  const Id = await checklist();
  const { Version } = await result('POST', 'workflows/create', { ChecklistId: Id });
  const { Graph } = await result('GET', `workflows/details/${Id}`);
  const [collect, check, report] = Graph.Steps;
  check.OnFailure = 'Handled';
  report.After = [{ Step: check.Key, When: 'failure' }];
  await result('POST', 'workflows/update', { Id, Version, Graph: { ...Graph, Steps: [collect, check, report] } });
  failing.add('Check');
  const runId = await start(Id, { WorkflowId: Id, WorkflowVersion: 2 });
  const found = await ended(runId);
  failing.clear();
  // A failure that a step handled must not appear as a plain success.
  expect(found.Checklist).toMatchObject({
    Status: 'SucceededWarn',
    IsWorkflow: true,
    WorkflowId: Id,
    WorkflowVersion: 2,
  });
  expect(ran).toEqual(['Collect', 'Check', 'Report']);
  const asChecklist = await call('POST', 'checklists/start', { ChecklistId: Id, Inputs: [] });
  expect(asChecklist.body.message).toBe('The checklist cannot be run because it has been edited as a workflow');
  const old = await call('POST', 'checklists/start', {
    ChecklistId: Id,
    WorkflowId: Id,
    WorkflowVersion: 1,
    Inputs: [],
  });
  expect([old.status, old.body.message]).toEqual([409, expect.stringContaining('has been changed since')]);
});

test('a workflow decides by an output, and runs a step once for each row of a table', async ({
  portal,
  calls: { result, start, ended },
}) => {
  const source = { ...EMPTY_DEFINITION, outputs: [output('Total'), output('Lines', LINES)] };
  const each = { ...EMPTY_DEFINITION, inputs: [input('Name', { CellUsages: ['Text'] })] };
  const ids = [
    await portal.publish({ Name: 'Source', definition: source }),
    await portal.publish({ Name: 'Each', definition: each }),
  ];
  const earlier = portal.executor.onRun;
  const names: unknown[] = [];
  portal.executor.onRun = async ({ inputs, versionKey }) => {
    if (versionKey.startsWith(`${ids[1]}/`)) {
      names.push(inputs[0]!.value);
      return inputs[0]!.value === '"b"' ? { status: 'Failed', outputs: [], files: [] } : SUCCESS;
    }
    const outputs = [
      { Name: 'Total', Value: '12', Rows: null },
      { Name: 'Lines', Value: '[["a",1],["b",2],["c",3]]', Rows: 3 },
    ];
    return { ...SUCCESS, outputs };
  };
  const Activities = [{ Id: ids[0] }];
  const { Id } = await result('POST', 'checklists/create', { Id: 0, Name: 'Rows', Schema: 'Test', Activities });
  await result('POST', 'workflows/create', { ChecklistId: Id });
  const { Graph } = await result('GET', `workflows/details/${Id}`);
  const [first] = Graph.Steps;
  const rules = { Join: 'AllSucceeded', OnFailure: 'Stop' };
  const from = (Name: string) => ({ Kind: 'Output', Step: first.Key, Name });
  const decision = {
    ...rules,
    Kind: 'Decision',
    Key: 'enough',
    Name: 'Enough?',
    After: [{ Step: first.Key, When: 'success' }],
    Condition: 'Total > 10',
    Values: [{ Name: 'Total', From: from('Total') }],
  };
  const rows = {
    ...rules,
    Kind: 'ForEach',
    Key: 'each',
    Name: 'Each line',
    After: [{ Step: 'enough', When: 'yes' }],
    ActivityId: ids[1],
    Inputs: [{ Input: 'Name', From: { Kind: 'Column', Name: 'Name' } }],
    Rows: from('Lines'),
    KeyColumn: 'Name',
    AtOnce: 2,
    StopAfterFailures: null,
  };
  await result('POST', 'workflows/update', { Id, Version: 1, Graph: { ...Graph, Steps: [first, decision, rows] } });
  const runId = await start(Id, { WorkflowId: Id, WorkflowVersion: 2 });
  const found = await ended(runId);
  portal.executor.onRun = earlier;
  expect(new Set(names)).toEqual(new Set(['"a"', '"b"', '"c"']));
  expect(found.Checklist.Status).toBe('Failed');
  expect(found.ActivityRuns).toMatchObject([
    { Kind: 'Activity', Status: 'Succeeded' },
    { Kind: 'Decision', Status: 'Succeeded', Id: null },
    { Kind: 'ForEach', Status: 'Failed', SuccessfulChildRuns: 2, FailedChildRuns: 1, RunningChildRuns: 0 },
  ]);
});
