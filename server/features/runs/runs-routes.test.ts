import { insertUser } from '#test/support/runs.ts';
import { pino } from 'pino';
import { describe, expect } from 'vitest';
import { createReaper } from '#server/queue/worker/reaper.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { queriesOf } from '#test/support/queries.ts';
import { test } from '#test/support/fixtures/run-portal.ts';
import { insertRun } from '#test/support/runs.ts';

describe('a run', () => {
  test('is visible to its starter and to people who may see others’ runs, and to nobody else', async ({ portal }) => {
    const Id = await portal.started();
    await portal.ended(Id);
    for (const path of [`status/${Id}`, `downloadFiles/${Id}`, `download/errorreport/${Id}`]) {
      expect((await portal.get(path, portal.stranger.headers)).body).toEqual({ message: 'There is no such run' });
    }
    for (const path of [`cancel/${Id}`, `retry/${Id}`]) {
      expect((await portal.post(path, null, portal.stranger.headers)).status).toBe(404);
    }
    expect((await portal.post(`status/${Id}`, [], portal.stranger.headers)).status).toBe(404);
    expect((await portal.get(`status/${Id}`, portal.watcher.headers)).status).toBe(200);
    const history = await portal.post(
      'runhistory',
      { ActivityId: portal.ActivityId, ApproxRows: 20, PrevRunId: null },
      portal.stranger.headers,
    );
    expect(history.body.result.Runs.map((run: { Id: number }) => run.Id)).not.toContain(Id);
  });

  test('returns its state while it runs', async ({ portal }) => {
    const release = portal.holdRuns();
    const Id = await portal.started();
    await portal.status(Id, 'Started');
    const state = (await portal.post(`status/${Id}`, [])).body.result;
    expect(state).toMatchObject({ Status: 'Started', EndTime: null, Outputs: [], ChildStatuses: {} });
    const pending = (await portal.get('pendingruns')).body.result.Items;
    expect(pending).toMatchObject([{ Id, Status: 'Started', CanCancel: true, ChecklistName: null }]);
    expect((await portal.get('pendingruns', portal.stranger.headers)).body.result.Items).toEqual([]);
    release();
    await portal.ended(Id);
    expect((await portal.post(`status/${Id}`, [])).body.result.Outputs).toHaveLength(3);
  });
});

describe('pending runs', () => {
  test('are answered up to a bound, those at work among them, and the rest as a number', async ({ portal }) => {
    const { knex } = portal.app.database;
    const release = portal.holdRuns();
    const Id = await portal.started();
    await portal.status(Id, 'Started');
    const run = await knex('ActivityRuns').where({ Id }).first('ActivityId', 'ActivityVersion', 'UserId', 'MemoryCost');
    const waiting = Array.from({ length: 700 }, () => ({ ...run, Status: 'QueuedInSeq' }));
    await knex.batchInsert('ActivityRuns', waiting, 100);
    const { Items, MoreCount } = (await portal.get('pendingruns')).body.result;
    expect([Items.length, MoreCount]).toEqual([500, 201]);
    expect(Items.at(-1)).toMatchObject({ Id, Status: 'Started' });
    expect((await portal.get('pendingruns', portal.stranger.headers)).body.result).toEqual({
      Items: [],
      Approvals: [],
      Retries: [],
      MoreCount: 0,
    });
    await knex('ActivityRuns').where('Status', 'QueuedInSeq').delete();
    release();
    await portal.ended(Id);
  });
});

test('details say that an activity is being run to those who may not see that run', async ({ portal }) => {
  const { knex } = portal.app.database;
  const Id = await portal.started();
  await portal.ended(Id);
  const { ActivityId } = await knex('ActivityRuns').where({ Id }).first('ActivityId');
  const running = async () => (await portal.get(`details/${ActivityId}`)).body.result.IsRunning;
  await knex('Activities').where({ Id: ActivityId }).update({ SingleRun: true });
  expect(await running()).toBe(false);
  await knex('ActivityRuns')
    .where({ Id })
    .update({ Status: 'QueuedInSeq', UserId: await insertUser(knex, { UserName: 'Somebody running' }) });
  expect(await running()).toBe(true);
  await knex('Activities').where({ Id: ActivityId }).update({ SingleRun: false });
  await knex('ActivityRuns').where({ Id }).update({ Status: 'Succeeded' });
});

describe('cancelling', () => {
  test('stops a running run', async ({ portal }) => {
    const release = portal.holdRuns();
    const Id = await portal.started();
    await portal.status(Id, 'Started');
    expect((await portal.post(`cancel/${Id}`)).body.result).toEqual({ Message: 'The run was cancelled' });
    expect(await portal.ended(Id)).toMatchObject({ Status: 'Cancelled' });
    release();
  });

  test('ends a waiting run at once, and what is ended stays as it is', async ({ portal }) => {
    const { knex } = portal.app.database;
    // Inserted first: without a run before it, the waiting one would be started.
    const first = await insertRun(knex, {
      ActivityId: portal.ActivityId,
      UserId: portal.owner.UserId,
      Status: 'Started',
      LeaseUntil: new Date(Date.now() + 1e6),
    });
    const Id = await insertRun(knex, {
      ActivityId: portal.ActivityId,
      UserId: portal.owner.UserId,
      Status: 'QueuedInSeq',
    });
    expect((await portal.post(`cancel/${Id}`)).status).toBe(200);
    expect((await portal.get(`status/${Id}`)).body.result).toMatchObject({
      Status: 'Cancelled',
      LogEntries: [{ Message: 'The run was cancelled' }],
    });
    await knex('ActivityRuns').where({ Id: first }).update({ Status: 'Succeeded', EndTime: new Date() });
    expect(await portal.post(`cancel/${first}`)).toEqual({
      status: 409,
      body: { message: 'The run has already ended' },
    });
  });

  test('all ends those the person may cancel', async ({ portal }) => {
    const release = portal.holdRuns();
    const mine = [await portal.started(), await portal.started()];
    const theirs = await portal.started({}, portal.stranger.headers);
    expect((await portal.post('cancel/all')).body.result.Message).toBe('2 runs were cancelled');
    for (const Id of mine) expect(await portal.ended(Id)).toMatchObject({ Status: 'Cancelled' });
    await portal.status(theirs, 'Started');
    await portal.post('cancel/all', null, portal.watcher.headers);
    expect(await portal.ended(theirs)).toMatchObject({ Status: 'Cancelled' });
    release();
  });
});

describe('a retry', () => {
  test('is a new run with the same version and inputs, one at a time', async ({ portal }) => {
    portal.executor.onRun = async () => ({ ...SUCCESS, status: 'Failed' });
    const Id = await portal.started({ Inputs: [portal.amount(77)] });
    await portal.ended(Id);
    const release = portal.holdRuns();
    const answer = await portal.post(`retry/${Id}`);
    const again = answer.body.result.Id;
    await portal.status(again, 'Started');
    expect(await portal.post(`retry/${Id}`)).toEqual({
      status: 409,
      body: { message: 'The run is already being retried' },
    });
    expect((await portal.post(`retry/${again}`)).status).toBe(409);
    release();
    const run = await portal.ended(again);
    expect(run).toMatchObject({ Status: 'Succeeded', RetryOf: Id });
    expect(run.Inputs[0]).toMatchObject({ Name: 'Amount', Value: '77' });
    expect((await portal.post(`retry/${again}`)).status).toBe(409);
  });
});

test('a retry with the same key is made once, also after it has ended and at the same time', async ({ portal }) => {
  portal.executor.onRun = async () => ({ ...SUCCESS, status: 'Failed' });
  const [Id, other] = [await portal.started(), await portal.started({ UniqueId: 'other' })];
  for (const run of [Id, other]) await portal.ended(run);
  const retry = (run: number, key: string) => {
    const headers: Record<string, string> = { ...portal.owner.headers, 'idempotency-key': key };
    return portal.post(`retry/${run}`, null, headers as typeof portal.owner.headers);
  };
  const answers = await Promise.all([retry(Id, 'once'), retry(Id, 'once'), retry(Id, 'once')]);
  const [again] = answers.map(({ body }) => body.result?.Id as number);
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ result: { Id: again } })));
  await portal.ended(again!);
  expect((await retry(Id, 'once')).body.result).toEqual({ Id: again });
  expect(await retry(other, 'once')).toMatchObject({
    status: 409,
    body: { message: 'The UniqueId belongs to another start' },
  });
  expect((await retry(Id, 'twice')).body.result.Id).not.toBe(again);
  const retries = await portal.app.database.knex('ActivityRuns').where('RetryOf', Id).pluck('UniqueId');
  expect(new Set(retries)).toEqual(new Set(['once', 'twice']));
});

describe('the history', () => {
  test('comes newest first in pages, filtered, with at most three queries for a page', async ({ portal }) => {
    const { knex } = portal.app.database;
    const Id = await portal.publish();
    const user = { ActivityId: Id, UserId: portal.owner.UserId };
    const [total] = await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Total' }).pluck('Id');
    const [table] = await knex('ActivityParameters').where({ ActivityId: Id, Name: 'Table' }).pluck('Id');
    const runs: number[] = [];
    for (let i = 0; i < 7; i++) {
      const run = await insertRun(knex, { ...user, Status: i % 2 ? 'Failed' : 'Succeeded', EndTime: new Date() });
      await knex('RunOutputs').insert([
        { ActivityRunId: run, ActivityParameterId: total, Value: String(i) },
        { ActivityRunId: run, ActivityParameterId: table, Value: '[[1]]', Rows: 1 },
      ]);
      runs.push(run);
    }
    const page = async (query: object) =>
      (await portal.post('runhistory', { ActivityId: Id, ApproxRows: 3, PrevRunId: null, ...query })).body.result;
    await page({});
    const { answer: first, queries } = await queriesOf(knex, () => page({}));
    const data = queries.filter((sql) => /ActivityRuns|Activities|RunOutputs/.test(sql));
    expect(data.length).toBeGreaterThan(0);
    expect(data.length).toBeLessThanOrEqual(3);
    const idsOf = (result: { Runs: { Id: number }[] }) => result.Runs.map((run) => run.Id);
    expect(idsOf(first)).toEqual(runs.slice(4).reverse());
    expect(first).toMatchObject({ HasMore: true, Activity: { Id, LastRunId: runs[6] } });
    expect(first.Runs[0].Outputs).toEqual([
      { ActivityParameterId: total, Value: '6', Rows: null, FileName: null },
      { ActivityParameterId: table, Value: null, Rows: 1, FileName: null },
    ]);
    expect(idsOf(await page({ PrevRunId: runs[4] }))).toEqual(runs.slice(1, 4).reverse());
    expect(await page({ PrevRunId: runs[1] })).toMatchObject({ HasMore: false, Runs: [{ Id: runs[0] }] });
    expect(idsOf(await page({ Statuses: ['Failed'] }))).toEqual([runs[5], runs[3], runs[1]]);
    expect(await page({ UserIds: [portal.stranger.UserId] })).toMatchObject({
      Runs: [],
      Activity: { LastRunId: runs[6] },
    });
    const all = (await portal.post('runhistory', { ActivityId: null, ApproxRows: 2, PrevRunId: null })).body.result;
    expect(all).toMatchObject({ Activity: null, HasMore: true, Runs: [{ Id: runs[6] }, { Id: runs[5] }] });
  });
});

test('wakeup lets the workers look', async ({ portal }) => {
  expect(await portal.post('wakeup')).toEqual({ status: 200, body: { result: null } });
  const reaper = createReaper(portal.app.database, portal.app.signals, {
    intervalMs: 1000,
    log: pino({ level: 'silent' }),
  });
  expect(await reaper.reap()).toEqual([]);
});
