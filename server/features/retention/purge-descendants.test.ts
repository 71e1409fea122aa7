/** Tests that a purge leaves runs alone while anything that they started is pending, at any depth. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { purgeRuns } from './purge-runs.ts';

let app: TestApp;
let purger: Awaited<ReturnType<typeof signedInUser>>;
let ActivityId: number;

const DAY = 86_400_000;
const TIME = new Date(Date.now() - 20 * DAY);
const DAY_AFTER = new Date(Date.now() - 10 * DAY).toISOString().slice(0, 10);
const NOT_ENDED = 'Some runs that this run started have not ended yet';

beforeAll(async () => {
  app = await testApp();
  purger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.PurgeRuns']);
});
afterAll(() => app.close());
beforeEach(async () => {
  ActivityId = await insertActivity(app.database.knex, { UserId: purger.UserId });
});

const post = async (url: string, payload?: object) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/${url}`, headers: purger.headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const remaining = async (): Promise<number[]> =>
  (await app.database.knex('ActivityRuns').where({ ActivityId }).orderBy('Id').pluck('Id')) as number[];

const addRun = (more: Record<string, unknown> = {}): Promise<number> =>
  insertRun(app.database.knex, {
    ActivityId,
    UserId: purger.UserId,
    Status: 'Failed',
    QueueTime: TIME,
    EndTime: TIME,
    ...more,
  });

/** Adds an ended run that a Start step of the parent run started. */
async function addChild(ParentRunId: number, RootRunId: number): Promise<number> {
  await addStart(ParentRunId, RootRunId);
  return addRun({ ParentRunId, StepKey: '1', RowKey: 'a' });
}

/** Adds a Start step; by default one whose runs have all been created and have ended. */
async function addStart(ParentRunId: number, RootRunId: number, more: Record<string, unknown> = {}): Promise<void> {
  const step = { StepKey: '1', StepName: 'Bill all', RowCount: 1, AtOnce: 1 };
  const of = { ParentRunId, RootRunId, ActivityId, ActivityVersion: 1, UserId: purger.UserId };
  await app.database.knex('RunStarts').insert({ ...of, ...step, EndTime: TIME, ...more });
}

async function addTree(more: Record<string, unknown> = {}): Promise<{ root: number; child: number; last: number }> {
  const root = await addRun(more);
  const child = await addChild(root, root);
  return { root, child, last: await addChild(child, root) };
}

async function addWorkflowRun(): Promise<number> {
  const { knex } = app.database;
  const [checklist] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId: purger.UserId })
    .returning('Id');
  await knex('ChecklistActivities').insert({ ChecklistId: checklist.Id, Position: 0, ActivityId });
  const [plan] = await knex('ChecklistPlans')
    .insert({ Hash: `plan ${checklist.Id}`, Plan: JSON.stringify({ Graph: { Inputs: [], Steps: [] }, Versions: {} }) })
    .returning('Id');
  const [workflowRun] = await knex('ChecklistRuns')
    .insert({
      ChecklistId: checklist.Id,
      PlanId: plan.Id,
      UserId: purger.UserId,
      Status: 'Failed',
      Inputs: '[]',
      QueueTime: TIME,
      EndTime: TIME,
    })
    .returning('Id');
  return workflowRun.Id;
}

test('a run is not purged while the retry of a run two levels below is pending', async () => {
  const { root, child, last } = await addTree();
  const { body } = await post(`activities/retry/${last}`);
  const all = [root, child, last, body.result.Id];
  expect((await post(`activities/purgeRunData/${DAY_AFTER}/All`, [ActivityId])).body.result).toBe(0);
  expect(await remaining()).toEqual(all);
  const single = await post(`activities/purgeSingleRunData/${root}/All`);
  expect([single.status, single.body.message]).toEqual([409, NOT_ENDED]);
  await app.database.knex('ActivityRuns').where('Id', body.result.Id).update({ Status: 'Succeeded', EndTime: TIME });
  expect((await post(`activities/purgeSingleRunData/${root}/All`)).body.result).toBe(1);
  expect(await remaining()).toEqual([]);
});

test('a run is not purged if a retry is stored right after the purge has locked it', async () => {
  const { root, child, last } = await addTree();
  const { dialect } = app.database;
  let retryId = 0;
  const lockRows: Database['dialect']['lockRows'] = async (trx, options) => {
    const rows = await dialect.lockRows<never>(trx, options);
    if (retryId === 0) retryId = (await post(`activities/retry/${last}`)).body.result.Id;
    return rows;
  };
  const database: Database = { ...app.database, dialect: Object.create(dialect, { lockRows: { value: lockRows } }) };
  const where = (query: { where(column: string, value: number): unknown }): void => void query.where('Id', root);
  expect(await purgeRuns({ database, store: app.fileStore }, { target: 'runs', where, message: '' })).toBe(0);
  expect(await remaining()).toEqual([root, child, last, retryId]);
});

test('a checklist run stays visible while the retry of a run two levels below its step is pending', async () => {
  const workflowRun = await addWorkflowRun();
  const { last } = await addTree({ ChecklistRunId: workflowRun, StepKey: 'a' });
  await post(`activities/retry/${last}`);
  const single = await post(`checklists/purgeSingleRunData/${workflowRun}`);
  expect([single.status, single.body.message]).toEqual([409, NOT_ENDED]);
  expect(await remaining()).toHaveLength(4);
  expect(await app.database.knex('ChecklistRuns').where('Id', workflowRun).first('PurgeTime')).toEqual({
    PurgeTime: null,
  });
});

test('a checklist run is not purged while a run below its step still has runs to start', async () => {
  const workflowRun = await addWorkflowRun();
  const { root, last } = await addTree({ ChecklistRunId: workflowRun, StepKey: 'a' });
  const Rows = JSON.stringify({ Inputs: [], Rows: [['a', []]] });
  await addStart(last, root, { EndTime: null, Rows });
  const single = await post(`checklists/purgeSingleRunData/${workflowRun}`);
  expect([single.status, single.body.message]).toEqual([409, NOT_ENDED]);
  expect(await remaining()).toHaveLength(3);
});
