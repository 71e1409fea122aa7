/** Tests purging checklist runs as a whole, manually and by retention period. */
import type { Knex } from 'knex';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Dialect, LockOptions } from '#server/db/dialect/types.ts';
import { newFileId } from '#server/files/stored-files.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { purgeRuns } from './purge-runs.ts';
import { finishPurges, purgeWorkflowRuns } from './purge-workflow-runs.ts';
import { deleteByRetention } from './retention-keeper.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

let app: TestApp;
let purger: Signed;
let runner: Signed;
let ActivityId: number;
let ChecklistId: number;

beforeAll(async () => {
  app = await testApp();
  purger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.PurgeRuns', 'sk.EditChecklist']);
  runner = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
});
afterAll(() => app.close());
beforeEach(async () => {
  const { knex } = app.database;
  ActivityId = await insertActivity(knex, { UserId: runner.UserId });
  const [checklist] = await knex('Checklists')
    .insert({ Name: 'Close', Schema: 'Test', UserId: runner.UserId })
    .returning('Id');
  ChecklistId = checklist.Id;
  await knex('ChecklistActivities').insert({ ChecklistId, Position: 0, ActivityId });
});

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);
const dayOf = (days: number): string => daysAgo(days).toISOString().slice(0, 10);
const call = async (method: 'GET' | 'POST', url: string, payload?: object, { headers }: Signed = purger) => {
  const answer = await app.http.inject({ method, url: `/api/checklists/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const count = async (table: string, where: object): Promise<number> =>
  (await app.database.knex(table).where(where)).length;
const deps = () => ({ database: app.database, store: app.fileStore });
const never = new AbortController().signal;

let plans = 0;
async function addWorkflowRun(days: number, more: Record<string, unknown> = {}): Promise<number> {
  const { knex } = app.database;
  plans += 1;
  const Plan = JSON.stringify({ Graph: { Inputs: [], Steps: [] }, Versions: {} });
  const [plan] = await knex('ChecklistPlans')
    .insert({ Hash: `plan ${plans}`, Plan })
    .returning('Id');
  const time = daysAgo(days);
  const workflowRun = { ChecklistId, PlanId: plan.Id, UserId: runner.UserId, Status: 'Failed', Inputs: '[]' };
  const [row] = await knex('ChecklistRuns')
    .insert({ ...workflowRun, QueueTime: time, EndTime: time, ...more })
    .returning('Id');
  await knex('ChecklistRunSteps').insert({
    ChecklistRunId: row.Id,
    StepKey: 'd',
    Kind: 'Decision',
    Status: 'Succeeded',
  });
  await knex('ChecklistRunLogEntries').insert({ ChecklistRunId: row.Id, StatusCode: 0, Category: 1, Message: 'Begun' });
  return row.Id;
}

/** Adds an ended run of a step, with an output file of 6 bytes and a value of 2. */
async function addStep(ChecklistRunId: number, StepKey: string, more: Record<string, unknown> = {}) {
  const { knex } = app.database;
  const time = daysAgo(20);
  const run = { ActivityId, UserId: runner.UserId, Status: 'Succeeded', QueueTime: time, EndTime: time };
  const Id = await insertRun(knex, { ...run, ChecklistRunId, StepKey, ...more });
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from('output'));
  const FileId = newFileId();
  const file = { FileName: 'a.csv', ContentLength: contentLength };
  await knex('StoredFiles').insert({ ...file, FileId, StoreKey: key, Sha256: sha256, Purpose: 'output' });
  await knex('RunOutputs').insert({ ...file, ActivityRunId: Id, ActivityParameterId: 2, FileId });
  await knex('RunInputs').insert([{ ActivityRunId: Id, ActivityParameterId: 1, Value: '12' }]);
  return { Id, StoreKey: key };
}

test('a run goes with the runs of its steps, what these started, their files and all that is said of it', async () => {
  const workflowRun = await addWorkflowRun(20);
  const step = await addStep(workflowRun, 'a');
  const child = await addStep(workflowRun, 'a', {
    ChecklistRunId: null,
    StepKey: null,
    ParentRunId: step.Id,
    RowKey: '1',
  });
  const grandchild = await addStep(workflowRun, 'a', { ChecklistRunId: null, StepKey: null, ParentRunId: child.Id });
  const single = await addStep(workflowRun, 'a', { ChecklistRunId: null, StepKey: null });
  expect((await call('POST', `purgeSingleRunData/${workflowRun}`)).body).toEqual({ result: 1 });
  for (const { Id, StoreKey } of [step, child, grandchild]) {
    expect(await count('ActivityRuns', { Id })).toBe(0);
    expect(await app.files.exists(StoreKey)).toBe(false);
  }
  expect(await count('ChecklistRuns', { Id: workflowRun })).toBe(0);
  for (const table of ['ChecklistRunSteps', 'ChecklistRunLogEntries']) {
    expect(await count(table, { ChecklistRunId: workflowRun })).toBe(0);
  }
  expect(await count('ActivityRuns', { Id: single.Id })).toBe(1);
});

test('one that another resumes stays with what that reuses, and is purged after it', async () => {
  const { knex } = app.database;
  const first = await addWorkflowRun(20);
  const reused = await addStep(first, 'a');
  const second = await addWorkflowRun(18, { ResumeOf: first });
  await knex('ChecklistKeptRuns').insert({ ChecklistRunId: second, StepKey: 'a', ActivityRunId: reused.Id });
  const refused = await call('POST', `purgeSingleRunData/${first}`);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    expect.stringContaining('Another run resumes this one'),
  ]);
  await purgeWorkflowRuns(deps(), (query) => void query.where('Id', first));
  expect(await count('ActivityRuns', { Id: reused.Id })).toBe(1);
  expect((await call('POST', `purgeRunData/${dayOf(10)}`, [ChecklistId])).body).toEqual({ result: 2 });
  expect(await count('ChecklistRuns', { ChecklistId })).toBe(0);
});

test('outputs of a step stay while its workflow run is being continued, and from then on', async () => {
  const { knex, dialect } = app.database;
  const workflowRun = await addWorkflowRun(20, { Status: 'Succeeded' });
  const { Id } = await addStep(workflowRun, 'a');
  const where = (query: Knex.QueryBuilder) => void query.where('Id', Id);
  const purge = (database = app.database) =>
    purgeRuns({ ...deps(), database }, { target: 'outputs', message: 'Purged', where });
  // Continuing a run locks its row.
  await knex.transaction(async (trx) => {
    await trx('ChecklistRuns').where('Id', workflowRun).forUpdate().first('Id');
    expect(await purge()).toBe(0);
  });
  // The run is continued after the query of the purge has begun, and before that locks the step.
  let later: number | undefined;
  const lockRows: Dialect['lockRows'] = async <T>(trx: Knex.Transaction, options: LockOptions): Promise<T[]> => {
    if (later !== undefined || options.table !== 'ActivityRuns') return dialect.lockRows<T>(trx, options);
    const found = await knex.transaction((other) => dialect.lockRows<T>(other, options));
    later = await addWorkflowRun(1, { ResumeOf: workflowRun });
    await knex('ChecklistKeptRuns').insert({ ChecklistRunId: later, StepKey: 'a', ActivityRunId: Id });
    return found;
  };
  const database = { ...app.database, dialect: Object.create(dialect, { lockRows: { value: lockRows } }) as Dialect };
  expect([await purge(database), later]).toEqual([0, expect.any(Number)]);
  expect(await count('RunOutputs', { ActivityRunId: Id })).toBe(1);
  await knex('ChecklistKeptRuns').where({ ActivityRunId: Id }).delete();
  expect(await purge()).toBe(1);
});

test('older runs are purged even if all newer ones are resumed just before the purge locks them', async () => {
  const { dialect } = app.database;
  const all: number[] = [];
  for (let days = 50; days > 25; days -= 1) all.push(await addWorkflowRun(days));
  let resumed: number[] | undefined;
  const lockRows: Dialect['lockRows'] = async <T>(trx: Knex.Transaction, options: LockOptions): Promise<T[]> => {
    const rows = await dialect.lockRows<T & { Id: number }>(trx, options);
    if (resumed === undefined) {
      resumed = rows.map(({ Id }) => Id);
      const { PlanId } = (await trx('ChecklistRuns').where('Id', all[0]).first('PlanId')) as { PlanId: number };
      const run = { ChecklistId, PlanId, UserId: runner.UserId, Status: 'Started', Inputs: '[]' };
      await trx('ChecklistRuns').insert(resumed.map((ResumeOf) => ({ ...run, ResumeOf })));
    }
    return rows;
  };
  const database = { ...app.database, dialect: Object.create(dialect, { lockRows: { value: lockRows } }) as Dialect };
  const purged = await purgeWorkflowRuns({ ...deps(), database }, (query) => void query.where({ ChecklistId }));
  expect(resumed!.length).toBeLessThan(all.length);
  expect(purged).toBe(all.length - resumed!.length);
  const left = (await app.database.knex('ChecklistRuns').whereIn('Id', all).pluck('Id')) as number[];
  expect(left.toSorted((a, b) => b - a)).toEqual(resumed);
});

test('what has not ended is not touched, nor is what its steps have started', async () => {
  const going = await addWorkflowRun(20, { Status: 'Started', EndTime: null });
  const ended = await addWorkflowRun(20);
  const { Id } = await addStep(ended, 'a');
  await addStep(ended, 'a', { ChecklistRunId: null, StepKey: null, ParentRunId: Id, EndTime: null, Status: 'Started' });
  expect((await call('POST', `purgeRunData/${dayOf(10)}`, [ChecklistId])).body).toEqual({ result: 0 });
  const refused = await call('POST', `purgeSingleRunData/${going}`);
  expect([refused.status, refused.body.message]).toEqual([409, 'The run has not ended yet']);
});

test('a large one is purged in parts, is hidden from the first on, and is finished by any server that finds it', async () => {
  const { knex } = app.database;
  const workflowRun = await addWorkflowRun(20);
  for (let row = 0; row < 250; row += 1) {
    await insertRun(knex, {
      ActivityId,
      UserId: runner.UserId,
      Status: 'Succeeded',
      EndTime: daysAgo(20),
      ChecklistRunId: workflowRun,
      StepKey: 'r',
      RowKey: String(row),
    });
  }
  const { StoreKey } = await addStep(workflowRun, 'a');
  const stop = new AbortController();
  // Aborts after the first part has been deleted, as if the server stopped.
  const store = Object.create(app.fileStore, { delete: { value: () => Promise.resolve() } });
  const query = knex.client as { on: (event: string, listener: (data: { sql: string }) => void) => void };
  query.on('query', ({ sql }) => {
    if (/^delete from .?ActivityRuns/i.test(sql)) stop.abort();
  });
  const createPace = () => ({ size: () => 100, rest: () => Promise.resolve() });
  const partly = { database: app.database, store, createPace };
  expect(await purgeWorkflowRuns(partly, (of) => void of.where('Id', workflowRun), stop.signal)).toBe(0);
  expect(await count('ActivityRuns', { ChecklistRunId: workflowRun })).toBe(151);
  expect((await call('GET', `status/checklist/${workflowRun}`)).status).toBe(404);
  expect((await call('POST', 'runhistory', { ChecklistId, ApproxRows: 20 })).body.result.Runs).toEqual([]);
  expect((await call('GET', `details/${ChecklistId}`)).body.result.LastRunId).toBeNull();
  expect((await call('POST', `resume/${workflowRun}`)).status).toBe(404);
  await finishPurges(deps());
  expect(await count('ChecklistRuns', { Id: workflowRun })).toBe(0);
  expect(await app.files.exists(StoreKey)).toBe(false);
});

test('retention deletes whole runs when their days are over, those of a family newest first', async () => {
  const { knex } = app.database;
  const young = await addWorkflowRun(2);
  const old = await addWorkflowRun(40);
  const reused = await addStep(old, 'a');
  const later = await addWorkflowRun(39, { ResumeOf: old });
  await knex('ChecklistKeptRuns').insert({ ChecklistRunId: later, StepKey: 'a', ActivityRunId: reused.Id });
  const set = await call('POST', 'runRetention', { ChecklistId, RunRetention: '30' });
  expect(set.body.result).toEqual({
    ChecklistId,
    ChecklistName: 'Close',
    IsWorkflow: false,
    RunRetention: 30,
    Revision: 1,
  });
  await deleteByRetention(deps(), never);
  expect(await knex('ChecklistRuns').where({ ChecklistId }).pluck('Id')).toEqual([young]);
  expect((await call('POST', `runRetention/delete/${ChecklistId}`)).status).toBe(200);
  expect((await call('GET', `runRetention/${ChecklistId}`)).body.result.RunRetention).toBeNull();
  const wrong = await call('POST', 'runRetention', { ChecklistId, RunRetention: 'long' });
  expect([wrong.status, wrong.body.message]).toEqual([400, 'Run Retention Period must be a number']);
});

test('sizes count the data of all steps, and are shown only for schemas whose runs the person may purge', async () => {
  const workflowRun = await addWorkflowRun(20);
  await addStep(workflowRun, 'a');
  await addStep(workflowRun, 'b');
  const own = async (user: Signed) =>
    (await call('GET', `rundatasize/${dayOf(10)}`, undefined, user)).body.result.filter(
      (row: { ChecklistId: number }) => row.ChecklistId === ChecklistId,
    );
  const row = { ChecklistId, ChecklistName: 'Close', SchemaName: 'Test', Runs: 1, InputFile: 0 };
  expect(await own(purger)).toEqual([{ ...row, OutputFile: 12, Total: 16 }]);
  const elsewhere = await signedInUser(app, [
    { right: 'sk.PurgeRuns', Schema: 'Other' },
    'sk.RunActivity',
    'sk.ViewRuns',
  ]);
  expect(await own(elsewhere)).toEqual([]);
  expect((await call('POST', `purgeRunData/${dayOf(10)}`, [ChecklistId], elsewhere)).status).toBe(404);
  expect((await call('POST', `purgeSingleRunData/${workflowRun}`, undefined, elsewhere)).status).toBe(403);
  expect((await call('POST', `purgeSingleRunData/${workflowRun}`, undefined, runner)).status).toBe(403);
  expect(await count('ActivityRuns', { ChecklistRunId: workflowRun })).toBe(2);
});

test('what runs were started with goes with the last of them', async () => {
  const { knex } = app.database;
  const first = await addWorkflowRun(20);
  const { PlanId } = (await knex('ChecklistRuns').where({ Id: first }).first('PlanId')) as { PlanId: number };
  const second = await addWorkflowRun(20, { PlanId });
  expect((await call('POST', `purgeSingleRunData/${first}`)).body).toEqual({ result: 1 });
  expect(await count('ChecklistPlans', { Id: PlanId })).toBe(1);
  expect((await call('POST', `purgeSingleRunData/${second}`)).body).toEqual({ result: 1 });
  expect(await count('ChecklistPlans', { Id: PlanId })).toBe(0);
});
