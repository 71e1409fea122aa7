import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { DEFAULT_CHOICES, type NotificationChoices } from '#shared/contract/notification-choices.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

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

const URL = '/api/activities/notifications';

async function list(Before?: number, { headers }: Signed = person): Promise<NotificationList> {
  const answer = await app.http.inject({ url: Before ? `${URL}?Before=${Before}` : URL, headers });
  return answer.json().result;
}
const dismiss = (runId: number, entryId: number, method: 'GET' | 'POST' = 'POST', headers: object = person.headers) =>
  app.http.inject({ method, url: `${URL}/dismiss/${runId}/${entryId}`, headers: { ...headers } });

const addRun = (Status: string, more: Record<string, unknown> = {}): Promise<number> =>
  insertRun(app.database.knex, { ActivityId, UserId: person.UserId, Status, EndTime: new Date(), ...more });

async function log(ActivityRunId: number, Category: number, StatusCode: number, Message: string): Promise<number> {
  const row = { ActivityRunId, Category, StatusCode, Message };
  const [{ Id }] = await app.database.knex('RunLogEntries').insert(row).returning('Id');
  return Id;
}

test('failed runs and runs with warnings are reported by their most relevant entry', async () => {
  const failed = await addRun('Failed');
  await log(failed, 3, 10_000, 'The check did not hold');
  const cause = await log(failed, 3, 1200, 'The amounts do not add up');
  const warned = await addRun('SucceededWarn');
  await log(warned, 1, 0, 'Read 12 rows');
  const warning = await log(warned, 2, 1201, 'Two rows were left out');
  const cancelled = await addRun('Cancelled');
  await addRun('Succeeded');
  await addRun('Started', { EndTime: null });
  const { Items, HasMore, Count } = await list();
  expect({ HasMore, Count }).toEqual({ HasMore: false, Count: 3 });
  expect(Items).toMatchObject([
    { ActivityRunId: cancelled, LogEntryId: 0, ActivityName: 'Nightly', Message: 'The run was cancelled', Category: 2 },
    {
      ActivityRunId: warned,
      LogEntryId: warning,
      ActivityName: 'Nightly',
      Message: 'Two rows were left out',
      Category: 2,
    },
    {
      ActivityRunId: failed,
      LogEntryId: cause,
      ActivityName: 'Nightly',
      Message: 'The amounts do not add up',
      Category: 3,
    },
  ]);
});

const choose = (changes: Partial<NotificationChoices>) =>
  app.http.inject({
    method: 'POST',
    url: '/api/notificationSettings/choices',
    headers: person.headers,
    payload: { ...DEFAULT_CHOICES, ...changes },
  });

test('runs that succeeded are reported only to people who want this, as one line per activity', async () => {
  const other = await insertActivity(app.database.knex, { UserId: person.UserId, Name: 'Report' });
  await addRun('Succeeded');
  const middle = await addRun('Succeeded');
  const report = await addRun('Succeeded', { ActivityId: other });
  const newest = await addRun('Succeeded');
  await addRun('Succeeded', { ParentRunId: newest });
  expect(await list()).toMatchObject({ Items: [], Succeeded: [], Count: 0 });
  await choose({ RunLevel: 'All' });
  expect(await list()).toMatchObject({
    Items: [],
    Succeeded: [
      { ActivityId, Name: 'Nightly', Count: 3, ActivityRunId: newest },
      { ActivityId: other, Name: 'Report', Count: 1, ActivityRunId: report },
    ],
    Count: 2,
  });
  const remove = (UpTo: number) =>
    app.http.inject({
      method: 'POST',
      url: `${URL}/succeeded/dismiss`,
      headers: person.headers,
      payload: { ActivityId, UpTo },
    });
  await remove(middle);
  expect((await list()).Succeeded).toMatchObject([{ ActivityId, Count: 1 }, { ActivityId: other }]);
  await remove(newest);
  expect(await list()).toMatchObject({ Succeeded: [{ ActivityId: other }], Count: 1 });
});

test('a person who does not want to be notified of their runs in the portal is not', async () => {
  await addRun('Failed');
  await choose({ Runs: { Portal: false, Mail: false, Desktop: false } });
  expect(await list()).toMatchObject({ Items: [], HasMore: false, Count: 0, Unread: 0 });
});

test('they come twenty at a time', async () => {
  const ids: number[] = [];
  for (let i = 0; i < 45; i++) ids.unshift(await addRun('Failed'));
  const first = await list();
  expect([first.Items.length, first.HasMore, first.Count]).toEqual([20, true, 45]);
  const second = await list(first.Items.at(-1)!.ActivityRunId);
  const third = await list(second.Items.at(-1)!.ActivityRunId);
  expect([second.HasMore, third.HasMore, third.Items.length]).toEqual([true, false, 5]);
  const listed = [first, second, third].flatMap(({ Items }) => Items.map(({ ActivityRunId }) => ActivityRunId));
  expect(listed).toEqual(ids);
});

test('nobody is notified of the runs of others, of activities they may no longer see, or of runs a month old', async () => {
  const stranger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  const barred = await signedInUser(app);
  await addRun('Failed');
  await insertRun(app.database.knex, { ActivityId, UserId: barred.UserId, Status: 'Failed', EndTime: new Date() });
  const old = new Date(Date.now() - 31 * 86_400_000);
  await addRun('Failed', { QueueTime: old, EndTime: old });
  expect((await list()).Count).toBe(1);
  expect((await list(undefined, stranger)).Items).toEqual([]);
  expect((await list(undefined, barred)).Items).toEqual([]);
});

test.each(['GET', 'POST'] as const)('a dismissal by %s removes one, once and for all', async (method) => {
  const run = await addRun('Failed');
  await addRun('Failed');
  expect((await dismiss(run, 0, method)).statusCode).toBe(200);
  expect((await dismiss(run, 0, method)).statusCode).toBe(200);
  expect((await list()).Items.map(({ ActivityRunId }) => ActivityRunId)).not.toContain(run);
  expect((await list()).Count).toBe(1);
});

test('a dismissal counts for the person whose run it is, and only with their bearer header', async () => {
  const run = await addRun('Failed');
  const stranger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
  expect((await dismiss(run, 0, 'POST', stranger.headers)).statusCode).toBe(404);
  const token = person.headers.authorization.replace('Bearer ', '');
  for (const headers of [
    {},
    { cookie: `token=${token}; access_token=${token}`, origin: 'https://elsewhere.example' },
  ]) {
    expect((await dismiss(run, 0, 'GET', headers)).statusCode).toBe(401);
  }
  expect((await list()).Count).toBe(1);
});

test('a run of a checklist is reported once, when it has ended, by the first of its steps that went wrong', async () => {
  const { knex } = app.database;
  const made = { Name: 'Close', Schema: 'Test', UserId: person.UserId };
  const [checklist] = await knex('Checklists').insert(made).returning('Id');
  const [plan] = await knex('ChecklistPlans').insert({ Hash: 'of notifications', Plan: '{}' }).returning('Id');
  const workflowRun = {
    ChecklistId: checklist.Id,
    PlanId: plan.Id,
    UserId: person.UserId,
    Status: 'Started',
    Inputs: '[]',
  };
  const [{ Id: ChecklistRunId }] = await knex('ChecklistRuns').insert(workflowRun).returning('Id');
  const step = (StepKey: string, Status: string, more: object = {}) =>
    addRun(Status, { ChecklistRunId, StepKey, ...more });
  await step('a', 'Succeeded');
  const failed = await step('b', 'Failed');
  await log(failed, 3, 1200, 'The ledger is locked');
  await step('c', 'Failed');
  await step('d', 'Cancelled', { NotRunBecause: 'Stopped' });
  await step('e', 'Cancelled', { NotRunBecause: 'Stopped' });
  expect((await list()).Items).toEqual([]);
  await knex('ChecklistRuns').where('Id', ChecklistRunId).update({ Status: 'Failed', EndTime: new Date() });
  const { Items, Count } = await list();
  expect(Count).toBe(1);
  expect(Items).toMatchObject([
    { ActivityRunId: failed, ActivityName: 'Close: Nightly', Message: 'The ledger is locked' },
  ]);
  await dismiss(failed, 0);
  expect((await list()).Items).toEqual([]);
});
