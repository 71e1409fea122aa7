/** Tests the notification about a run of a checklist or workflow that no step can report. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let person: Signed;
let ActivityId: number;
let foreign: number;
let checklist: { ChecklistId: number; PlanId: number };

beforeAll(async () => {
  app = await testApp();
  const { knex } = app.database;
  const { UserId } = await signedInUser(app);
  ActivityId = await insertActivity(knex, { UserId, Name: 'Nightly' });
  foreign = await insertActivity(knex, { UserId, Name: 'Payroll', Schema: 'Other' });
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId })
    .returning('Id');
  await knex('ChecklistActivities').insert({ ChecklistId, ActivityId, Position: 0 });
  const [{ Id: PlanId }] = await knex('ChecklistPlans').insert({ Hash: 'of notices', Plan: '{}' }).returning('Id');
  checklist = { ChecklistId, PlanId };
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signedInUser(app, [{ right: 'sk.RunActivity', Schema: 'Test' }]);
});

async function listNotifications({ headers }: Signed = person): Promise<NotificationList> {
  return (await app.http.inject({ url: '/api/activities/notifications', headers })).json().result;
}

async function addWorkflowRun(Status: string, more: Record<string, unknown> = {}): Promise<number> {
  const row = { ...checklist, UserId: person.UserId, Status, Inputs: '[]', EndTime: new Date() };
  const [{ Id }] = await app.database
    .knex('ChecklistRuns')
    .insert({ ...row, ...more })
    .returning('Id');
  return Id;
}

async function addStep(ChecklistRunId: number, Kind: string, StepKey: string, Message?: string): Promise<void> {
  const { knex } = app.database;
  const now = new Date();
  await knex('ChecklistRunSteps').insert({
    ChecklistRunId,
    StepKey,
    Kind,
    Status: 'Failed',
    StartTime: now,
    EndTime: now,
  });
  if (Message === undefined) return;
  const line = { ChecklistRunId, StepKey, StatusCode: 1701, Category: 3, Message };
  await knex('ChecklistRunLogEntries').insert(line);
}

async function addApproval(ChecklistRunId: number, StepKey: string, Status: string): Promise<void> {
  await addStep(ChecklistRunId, 'Approval', StepKey);
  const of = { ChecklistRunId, StepKey, StarterId: person.UserId, Name: 'Agreed?', Text: '', Needed: 1, Status };
  const rules = { OnExpiry: 'Fail', StarterMayApprove: false, EndTime: new Date() };
  await app.database.knex('Approvals').insert({ ...of, ...rules });
}

const addRun = (ChecklistRunId: number, StepKey: string, Status: string, more: Record<string, unknown> = {}) => {
  const of = { ActivityId, UserId: person.UserId, ChecklistRunId, StepKey };
  return insertRun(app.database.knex, { ...of, Status, EndTime: new Date(), ...more });
};

test.each([
  ['Failed', 'Decision', 3],
  ['Failed', 'ForEach', 3],
  ['Failed', 'Approval', 3],
  ['SucceededWarn', 'Decision', 2],
])(
  'a run that ended as %s by its step of kind %s is reported once, by the error in its log',
  async (Status, Kind, Category) => {
    const run = await addWorkflowRun(Status);
    await addRun(run, 'a', 'Succeeded');
    await addStep(run, Kind, 'b', 'The condition cannot be decided');
    await addRun(run, 'c', 'Cancelled', { NotRunBecause: 'Stopped' });
    const notice = {
      ChecklistRunId: run,
      Name: 'Close',
      IsWorkflow: false,
      Message: 'The condition cannot be decided',
    };
    expect(await listNotifications()).toMatchObject({ Items: [], Checklists: [{ ...notice, Category }], Count: 1 });
    const url = `/api/checklists/dismiss/${run}`;
    expect((await app.http.inject({ method: 'POST', url, headers: { ...person.headers } })).statusCode).toBe(200);
    expect((await listNotifications()).Checklists).toEqual([]);
  },
);

test('one that was cancelled before anything started is reported by its outcome', async () => {
  const run = await addWorkflowRun('Cancelled');
  await addRun(run, 'a', 'Cancelled', { NotRunBecause: 'Cancelled' });
  expect((await listNotifications()).Checklists).toMatchObject([
    { ChecklistRunId: run, Message: 'The run was cancelled', Category: 2 },
  ]);
});

test('one whose failed activity the person may no longer see is reported only by its outcome', async () => {
  const run = await addWorkflowRun('Failed');
  await addRun(run, 'a', 'Failed', { ActivityId: foreign });
  await addRun(run, 'b', 'Failed');
  const { Items, Checklists } = await listNotifications();
  expect(Items).toEqual([]);
  expect(Checklists).toMatchObject([{ ChecklistRunId: run, Message: 'The run failed', Category: 3 }]);
});

test('if a step or an ended approval notifies, nothing else does', async () => {
  const byStep = await addWorkflowRun('Failed');
  const failed = await addRun(byStep, 'a', 'Failed');
  await addStep(byStep, 'Decision', 'b', 'The condition cannot be decided');
  const byApproval = await addWorkflowRun('Failed');
  await addApproval(byApproval, 'b', 'Rejected');
  const { Items, Checklists } = await listNotifications();
  expect(Items.map(({ ActivityRunId }) => ActivityRunId)).toEqual([failed]);
  expect(Checklists).toEqual([]);
});

test('a step that was interrupted and repeated automatically is reported only if it failed in the end', async () => {
  const attempt = (Attempt: number) => ({ Attempt });
  const succeeded = await addWorkflowRun('Succeeded');
  await addRun(succeeded, 'a', 'Abandoned', attempt(1));
  await addRun(succeeded, 'a', 'Succeeded', attempt(2));
  const failed = await addWorkflowRun('Failed');
  await addRun(failed, 'a', 'Abandoned', attempt(1));
  const last = await addRun(failed, 'a', 'Abandoned', attempt(2));
  const { Items, Checklists } = await listNotifications();
  expect(Items.map(({ ActivityRunId }) => ActivityRunId)).toEqual([last]);
  expect(Checklists).toEqual([]);
});

test('a decision that fails after a handled approval is reported', async () => {
  const run = await addWorkflowRun('Failed');
  await addApproval(run, 'b', 'Expired');
  await addStep(run, 'Decision', 'c', 'There is no longer a value for "Total"');
  expect((await listNotifications()).Checklists).toMatchObject([{ Message: 'There is no longer a value for "Total"' }]);
});

test('nobody is notified of those of others, of those in progress, or of those a month old', async () => {
  const stranger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.EditChecklist']);
  const old = new Date(Date.now() - 31 * 86_400_000);
  await addStep(await addWorkflowRun('Failed'), 'Decision', 'a');
  await addStep(await addWorkflowRun('Failed', { QueueTime: old, EndTime: old }), 'Decision', 'a');
  await addStep(await addWorkflowRun('Started', { EndTime: null }), 'Decision', 'a');
  expect((await listNotifications()).Checklists).toHaveLength(1);
  expect((await listNotifications(stranger)).Checklists).toEqual([]);
});
