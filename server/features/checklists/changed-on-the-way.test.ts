/** Tests runs whose later steps can no longer be executed when they are due. */
import { beforeEach, expect } from 'vitest';
import { LINES } from '#test/support/checklist-portal.ts';
import { workflowCalls } from '#test/support/workflow-calls.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';
import { until } from '#test/support/until.ts';
import { grant } from '#test/support/users.ts';

const ids = { collect: 0, book: 0, each: 0 };
/** Activity ids in the order they ran. */
const ran: number[] = [];
/** A callback that runs during the first step, and the outputs of that step. */
let meanwhile: () => Promise<unknown>;
let lines: unknown[][] = [];

const test = base.extend('calls', { scope: 'file', auto: true }, async ({ portal }) => {
  const { result, checklistOf, start, status, ended } = workflowCalls(portal);
  const knex = () => portal.app.database.knex;
  const activity = (change: object) => knex()('Activities').where('Id', ids.book).update(change);
  const person = (change: object) => knex()('Users').where('UserId', portal.owner.UserId).update(change);
  const right = (access: 1 | -1) =>
    grant(portal.app, portal.owner.UserId, { right: 'sk.RunActivity', Id: ids.book, access });
  await grant(portal.app, portal.owner.UserId, 'sk.EditChecklist');
  ids.collect = await portal.publish({ definition: { ...EMPTY_DEFINITION, outputs: [output('Lines', LINES)] } });
  ids.book = await portal.publish({ definition: EMPTY_DEFINITION });
  const name = input('Name', { CellUsages: ['Text'] });
  ids.each = await portal.publish({ definition: { ...EMPTY_DEFINITION, inputs: [name] } });

  portal.executor.onRun = async ({ versionKey }) => {
    const id = Number(versionKey.split('/')[0]);
    ran.push(id);
    if (id !== ids.collect) return SUCCESS;
    await meanwhile();
    return { ...SUCCESS, outputs: [{ Name: 'Lines', Value: JSON.stringify(lines), Rows: lines.length }] };
  };

  return { result, checklistOf, start, status, ended, knex, activity, person, right };
});

/** Changes what a later step needs. */
type Change = (calls: {
  activity: (change: object) => PromiseLike<unknown>;
  person: (change: object) => PromiseLike<unknown>;
  right: (access: 1 | -1) => PromiseLike<unknown>;
}) => PromiseLike<unknown>;

beforeEach(() => {
  ran.length = 0;
  meanwhile = async () => undefined;
});

test.for<[string, Change, Change, string]>([
  [
    'its person may not run its activity any more',
    ({ right }) => right(-1),
    ({ right }) => right(1),
    'The user who started the run may no longer run this activity',
  ],
  [
    'its activity is not active any more',
    ({ activity }) => activity({ IsActive: false }),
    ({ activity }) => activity({ IsActive: true }),
    'The activity is no longer active and cannot be run',
  ],
  [
    'its person is not enabled any more',
    ({ person }) => person({ Enabled: false }),
    ({ person }) => person({ Enabled: true }),
    'The user who started the run has been disabled',
  ],
])('a step is not run where %s, and says so', async ([, change, undo, text], { calls }) => {
  const { checklistOf, start, knex, status } = calls;
  const Id = await checklistOf([ids.collect, ids.book]);
  meanwhile = async () => change(calls);
  const runId = await start(Id);
  // A disabled user cannot request the status.
  await until('the run ends', async () => {
    const { EndTime } = await knex()('ChecklistRuns').where('Id', runId).first('EndTime');
    return EndTime !== null;
  });
  await undo(calls);
  const found = await status(runId);
  expect(found.Checklist).toMatchObject({ Status: 'Failed', CanResume: true });
  expect(found.ActivityRuns).toMatchObject([{ Status: 'Succeeded' }, { Status: 'Failed', Message: text }]);
  expect(ran).toEqual([ids.collect]);
});

test('a step for each row takes none of 10,001 rows that another gives, and says why', async ({
  calls: { checklistOf, result, ended, start },
}) => {
  const Id = await checklistOf([ids.collect]);
  await result('POST', 'workflows/create', { ChecklistId: Id });
  const { Graph } = await result('GET', `workflows/details/${Id}`);
  const [collect] = Graph.Steps;
  const each = {
    Kind: 'ForEach',
    Key: 'each',
    Name: 'Each line',
    After: [{ Step: collect.Key, When: 'success' }],
    Join: 'AllSucceeded',
    OnFailure: 'Stop',
    ActivityId: ids.each,
    Inputs: [{ Input: 'Name', From: { Kind: 'Column', Name: 'Name' } }],
    Rows: { Kind: 'Output', Step: collect.Key, Name: 'Lines' },
    KeyColumn: 'Name',
    AtOnce: 4,
    StopAfterFailures: null,
  };
  await result('POST', 'workflows/update', { Id, Version: 1, Graph: { ...Graph, Steps: [collect, each] } });
  lines = Array.from({ length: 10_001 }, (_, row) => [`Line ${row}`, row]);
  const found = await ended(await start(Id, { WorkflowId: Id, WorkflowVersion: 2 }));
  expect(found.Checklist.Status).toBe('Failed');
  expect(found.ActivityRuns).toMatchObject([
    { Status: 'Succeeded' },
    { Status: 'Failed', Message: 'The table has 10,001 rows, but a For each allows at most 10,000' },
  ]);
  expect(ran).toEqual([ids.collect]);
});
