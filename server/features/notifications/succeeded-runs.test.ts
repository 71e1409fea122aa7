/** Tests what client programs report about successful runs, which the bell does not show. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { SucceededRuns } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

const MINUTE = 60_000;

let app: TestApp;
let person: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp();
  const author = await signedInUser(app);
  ActivityId = await insertActivity(app.database.knex, { UserId: author.UserId, Name: 'Nightly' });
});
afterAll(() => app.close());
beforeEach(async () => {
  person = await signedInUser(app, ['sk.RunActivity']);
});

const ago = (milliseconds: number): Date => new Date(Date.now() - milliseconds);

async function list(Since?: string, { headers }: Signed = person): Promise<SucceededRuns> {
  const query = Since === undefined ? '' : `?Since=${encodeURIComponent(Since)}`;
  return (await app.http.inject({ url: `/api/activities/notifications/succeeded${query}`, headers })).json().result;
}

const addRun = (Status: string, more: Record<string, unknown> = {}): Promise<number> =>
  insertRun(app.database.knex, { ActivityId, UserId: person.UserId, Status, EndTime: ago(0), ...more });

async function addWorkflowRun(Status: string, more: Record<string, unknown> = {}): Promise<number> {
  const { knex } = app.database;
  const [{ Id: ChecklistId }] = await knex('Checklists')
    .insert({ Name: `Close ${Math.random()}`, Schema: 'Test', UserId: person.UserId })
    .returning('Id');
  await knex('ChecklistActivities').insert({ ChecklistId, ActivityId, Position: 0 });
  const [{ Id: PlanId }] = await knex('ChecklistPlans')
    .insert({ Hash: `succeeded ${ChecklistId}`, Plan: '{}' })
    .returning('Id');
  const row = { ChecklistId, PlanId, UserId: person.UserId, Status, Inputs: '[]', EndTime: ago(0) };
  const [{ Id }] = await knex('ChecklistRuns')
    .insert({ ...row, ...more })
    .returning('Id');
  return Id;
}

test('without a time only the time for the next request is returned', async () => {
  await addRun('Succeeded');
  const { Items, Until } = await list();
  expect(Items).toEqual([]);
  expect(Math.abs(Date.parse(Until) - Date.now())).toBeLessThan(MINUTE);
});

test('runs and workflows that succeeded since are reported as a whole, the newest end first', async () => {
  const early = await addRun('Succeeded', { EndTime: ago(2 * MINUTE), QueueTime: ago(5 * MINUTE) });
  const late = await addRun('Succeeded', { EndTime: ago(MINUTE) });
  const workflowRun = await addWorkflowRun('Succeeded');
  await addRun('Succeeded', { ChecklistRunId: workflowRun, StepKey: 'a' });
  await addRun('Succeeded', { ParentRunId: late });
  for (const Status of ['SucceededWarn', 'Failed', 'Cancelled']) await addRun(Status);
  await addWorkflowRun('Failed');
  await addRun('Started', { EndTime: null });
  await addRun('Succeeded', { EndTime: ago(10 * MINUTE) });
  const { Items } = await list(ago(3 * MINUTE).toISOString());
  expect(Items.map(({ Kind, RunId }) => [Kind, RunId])).toEqual([
    ['Checklist', workflowRun],
    ['Activity', late],
    ['Activity', early],
  ]);
  expect(Items[2]).toMatchObject({ Name: 'Nightly' });
  expect(Date.parse(Items[2]!.EndTime) - Date.parse(Items[2]!.QueueTime)).toBe(3 * MINUTE);
});

test('nobody is notified of runs of others, of those they may no longer see, or of those older than a day', async () => {
  await addRun('Succeeded');
  await addWorkflowRun('Succeeded');
  const stranger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  const since = ago(2 * 86_400_000).toISOString();
  expect((await list(since, stranger)).Items).toEqual([]);
  expect((await list(since)).Items).toHaveLength(2);
  await app.database
    .knex('Grants')
    .where({ Grantee: String(person.UserId) })
    .delete();
  expect((await list(since)).Items).toEqual([]);
  const other = await signedInUser(app, ['sk.RunActivity']);
  await addRun('Succeeded', { UserId: other.UserId, EndTime: ago(86_400_000 + MINUTE) });
  expect((await list(since, other)).Items).toEqual([]);
});

test('at most twenty are reported, and an invalid time is refused', async () => {
  for (let at = 0; at < 21; at += 1) await addRun('Succeeded');
  expect((await list(ago(MINUTE).toISOString())).Items).toHaveLength(20);
  const url = '/api/activities/notifications/succeeded?Since=yesterday';
  expect((await app.http.inject({ url, headers: person.headers })).statusCode).toBe(400);
});
