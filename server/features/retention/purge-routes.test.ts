/** The calls that list and purge data of runs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inRows } from '#server/db/in-rows.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createPurgeBench, dayOf, daysAgo, type Signed } from '#test/support/purge-bench.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { storeDelta } from '#test/support/store-delta.ts';
import { signedInUser } from '#test/support/users.ts';
import { purgeRuns } from './purge-runs.ts';
import { deleteByRetention } from './retention-keeper.ts';

let app: TestApp;
let purger: Signed;
let runner: Signed;
let ActivityId: number;

beforeAll(async () => {
  app = await testApp();
  purger = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns', 'sk.PurgeRuns', 'sk.EditActivity']);
  runner = await signedInUser(app, ['sk.RunActivity', 'sk.ViewRuns']);
});
afterAll(() => app.close());
beforeEach(async () => {
  ActivityId = await insertActivity(app.database.knex, { UserId: runner.UserId });
});

const { get, post, addRun, count, isStored, sizes, listed } = createPurgeBench(() => ({
  app,
  purger,
  runner,
  ActivityId,
}));

describe('the list of what may be purged', () => {
  test('names the activities that have ended runs queued before the day', async () => {
    await addRun(10);
    await addRun(1);
    expect(await listed(7)).toEqual([{ ActivityId, ActivityName: expect.any(String), SchemaName: 'Test' }]);
    expect(await listed(15)).toEqual([]);
  });

  test('has no activity of which runs are pending alone', async () => {
    await addRun(10, { Status: 'Queued', EndTime: null });
    expect(await listed(7)).toEqual([]);
  });

  test('is in the order of the sizes', async () => {
    const { UserId } = runner;
    for (const [Name, Schema] of [
      ['b', 'Zoo'],
      ['C', 'Zoo'],
      ['a', 'Zoo'],
      ['z', 'Ape'],
    ] as const)
      await addRun(10, { ActivityId: await insertActivity(app.database.knex, { UserId, Name, Schema }) });
    const names = async (url: string): Promise<string[]> =>
      (await get(`${url}/${dayOf(7)}`)).body.result.map(({ ActivityName }: { ActivityName: string }) => ActivityName);
    expect(await names('purgeable')).toEqual(await names('rundatasize'));
    expect(await names('purgeable')).toEqual(expect.arrayContaining(['z', 'a', 'b', 'C']));
  });

  test('is for those who may purge, of activities they may', async () => {
    await addRun(10);
    expect((await get(`purgeable/${dayOf(7)}`, runner)).status).toBe(403);
    const limited = await signedInUser(app, [{ right: 'sk.PurgeRuns', Id: ActivityId + 1000 }]);
    expect(await listed(7, limited)).toEqual([]);
    expect((await get('purgeable/yesterday')).status).toBe(400);
  });
});

describe('the size of run data', () => {
  test('counts the files and values of ended runs queued before the day', async () => {
    await addRun(10);
    await addRun(20);
    await addRun(1);
    await addRun(10, { Status: 'Queued', EndTime: null });
    const [row] = await sizes(7);
    // Text is counted in bytes: é has two.
    expect(row).toMatchObject({ SchemaName: 'Test', InputFile: 10, OutputFile: 12, Total: 10 + 12 + 2 * (2 + 4) });
    expect((await sizes(15))[0]).toMatchObject({ InputFile: 5 });
    expect(await sizes(30)).toEqual([]);
  });

  test('counts a delta by its own size', async () => {
    const { Id, output } = await addRun(10);
    const { knex } = app.database;
    const { FileId, Delta } = await storeDelta(knex, Buffer.alloc(5_000, 'output'), {
      FileId: output.FileId,
      bytes: Buffer.from('output'),
    });
    const row = { ActivityRunId: Id, ActivityParameterId: 2, FileId, FileName: 'b.xlsx', ContentLength: 5_000 };
    await knex('RunOutputs').insert(row);
    expect((await sizes(7))[0]).toMatchObject({ OutputFile: 6 + Delta.length });
  });

  test('is shown to those who may purge, for activities that they may purge', async () => {
    await addRun(10);
    expect((await get(`rundatasize/${dayOf(7)}`, runner)).status).toBe(403);
    const limited = await signedInUser(app, [{ right: 'sk.PurgeRuns', Id: ActivityId + 1000 }]);
    expect(await sizes(7, limited)).toEqual([]);
    expect((await get('rundatasize/yesterday')).status).toBe(400);
  });
});

describe('purging', () => {
  test('everything takes ended runs queued before the day, with all that is theirs', async () => {
    const old = await addRun(10);
    const recent = await addRun(1);
    const pending = await addRun(10, { Status: 'Started', EndTime: null });
    expect((await post(`purgeRunData/${dayOf(7)}/All`, [ActivityId])).body.result).toBe(1);
    expect(await count('ActivityRuns', { ActivityId })).toBe(2);
    expect(await count('RunInputs', { ActivityRunId: old.Id })).toBe(0);
    expect([await isStored(old.input), await isStored(old.output)]).toEqual([false, false]);
    for (const remaining of [recent, pending]) {
      expect([await isStored(remaining.input), await isStored(remaining.output)]).toEqual([true, true]);
    }
  });

  test('files of one kind leaves values, names and the other kind', async () => {
    const { Id, input, output } = await addRun(10);
    await addRun(11);
    expect((await post(`purgeRunData/${dayOf(7)}/InputFiles`, [ActivityId])).body.result).toBe(2);
    expect([await isStored(input), await isStored(output)]).toEqual([false, true]);
    expect(await count('RunInputs', { ActivityRunId: Id, FileName: 'a.csv' })).toBe(1);
    expect((await sizes(7))[0]).toMatchObject({ InputFile: 0, OutputFile: 12 });
    expect((await post(`purgeRunData/${dayOf(7)}/InputFiles`, [ActivityId])).body.result).toBe(0);
    const log = await app.database.knex('RunLogEntries').where({ ActivityRunId: Id }).pluck('Message');
    expect(log).toEqual([`The input files of this run were purged by ${purger.UserName}`]);
    expect((await post(`purgeRunData/${dayOf(7)}/OutputFiles`, [ActivityId])).body.result).toBe(2);
    expect(await isStored(output)).toBe(false);
  });

  test('leaves a file that another run still has', async () => {
    const { Id, input } = await addRun(10);
    const again = await insertRun(app.database.knex, {
      ActivityId,
      UserId: runner.UserId,
      Status: 'Queued',
      RetryOf: Id,
    });
    await app.database.knex('RunInputs').insert({
      ActivityRunId: again,
      ActivityParameterId: 2,
      FileId: input.FileId,
      FileName: 'a.csv',
    });
    await post(`purgeRunData/${dayOf(7)}/All`, [ActivityId]);
    expect(await isStored(input)).toBe(true);
  });

  test('is refused for an activity for which the right is not held', async () => {
    await addRun(10);
    const limited = await signedInUser(app, [{ right: 'sk.PurgeRuns', Id: ActivityId + 1000 }]);
    expect((await post(`purgeRunData/${dayOf(7)}/All`, [ActivityId], limited)).status).toBe(404);
    expect((await post(`purgeRunData/${dayOf(7)}/All`, [ActivityId], runner)).status).toBe(403);
    expect(await count('ActivityRuns', { ActivityId })).toBe(1);
  });

  test('one run is for those with the right, once it has ended', async () => {
    const { Id, output } = await addRun(0);
    expect((await post(`purgeSingleRunData/${Id}/All`, undefined, runner)).status).toBe(403);
    expect((await post(`purgeSingleRunData/${Id}/OutputFiles`)).body.result).toBe(1);
    expect(await isStored(output)).toBe(false);
    expect((await post(`purgeSingleRunData/${Id}/All`)).body.result).toBe(1);
    expect((await get(`status/${Id}`)).status).toBe(404);
    const pending = await addRun(0, { Status: 'Queued', EndTime: null });
    expect((await post(`purgeSingleRunData/${pending.Id}/All`)).status).toBe(409);
  });

  test('goes through many runs, a few at a time, and can be stopped', async () => {
    const { knex } = app.database;
    const run = { ActivityId, ActivityVersion: 1, UserId: runner.UserId, Status: 'Succeeded', MemoryCost: 0 };
    const runs = Array.from({ length: 450 }, () => ({ ...run, EndTime: daysAgo(1) }));
    await inRows(knex, runs, (part) => knex('ActivityRuns').insert(part));
    const stopping = new AbortController();
    const createPace = () => ({ size: () => 100, rest: () => Promise.resolve() });
    const deps = { database: app.database, store: app.fileStore, createPace };
    const where = (query: { where(column: string, value: number): unknown }): void => {
      void query.where('ActivityId', ActivityId);
      // The purge calls this once per chunk, and is aborted after the second chunk.
      if (++asked === 2) stopping.abort();
    };
    let asked = 0;
    expect(await purgeRuns(deps, { target: 'runs', where, message: '' }, stopping.signal)).toBe(200);
    expect(await purgeRuns(deps, { target: 'runs', where, message: '' })).toBe(250);
    expect(await count('ActivityRuns', { ActivityId })).toBe(0);
  });
});

describe('a retry', () => {
  test('is refused where the input files it needs were purged', async () => {
    const { Id } = await addRun(1);
    await post(`purgeSingleRunData/${Id}/InputFiles`);
    const answer = await post(`retry/${Id}`);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain('input files of this run were purged');
  });
});

describe('the run of a step of a checklist', () => {
  const addStep = async (Status: string) => {
    const { knex } = app.database;
    const [checklist] = await knex('Checklists')
      .insert({ Name: 'Close', Schema: 'Test', UserId: runner.UserId })
      .returning('Id');
    const [plan] = await knex('ChecklistPlans')
      .insert({ Hash: `plan ${Status}`, Plan: '{}' })
      .returning('Id');
    const workflowRun = { ChecklistId: checklist.Id, PlanId: plan.Id, UserId: runner.UserId, Status, Inputs: '[]' };
    const [run] = await knex('ChecklistRuns').insert(workflowRun).returning('Id');
    return addRun(20, { ChecklistRunId: run.Id, StepKey: 'a', Status: 'Succeeded' });
  };

  test('is not purged without the others', async () => {
    const { Id } = await addStep('Succeeded');
    expect((await post(`purgeRunData/${dayOf(10)}/All`, [ActivityId])).status).toBe(200);
    const alone = await post(`purgeSingleRunData/${Id}/All`);
    expect(alone.body.message).toBe('This run is a step of a checklist and cannot be purged alone');
    await app.database.knex('ActivityRetentions').insert({ ActivityId, RunRetention: 1 });
    await deleteByRetention({ database: app.database, store: app.fileStore }, new AbortController().signal);
    expect(await count('ActivityRuns', { Id })).toBe(1);
  });

  test('is neither counted nor purged with the runs of its activity', async () => {
    const { Id, output } = await addStep('SucceededWarn');
    expect(await sizes(10)).toEqual([]);
    expect(await listed(10)).toEqual([]);
    await addRun(20);
    expect(await sizes(10)).toMatchObject([{ InputFile: 5, OutputFile: 6 }]);
    expect((await post(`purgeRunData/${dayOf(10)}/OutputFiles`, [ActivityId])).body.result).toBe(1);
    expect(await count('RunOutputs', { ActivityRunId: Id, FileId: output.FileId })).toBe(1);
  });

  test('keeps its files while the checklist may be resumed, and not when it has succeeded', async () => {
    const failed = await addStep('Failed');
    await post(`purgeRunData/${dayOf(10)}/OutputFiles`, [ActivityId]);
    expect(await count('RunOutputs', { ActivityRunId: failed.Id, FileId: failed.output.FileId })).toBe(1);
    const alone = await post(`purgeSingleRunData/${failed.Id}/OutputFiles`);
    expect(alone.body.message).toContain('may be resumed');
    await app.database.knex('ChecklistRuns').update({ Status: 'Succeeded' });
    await post(`purgeSingleRunData/${failed.Id}/OutputFiles`);
    expect(await count('RunOutputs', { ActivityRunId: failed.Id, FileId: failed.output.FileId })).toBe(0);
  });
});
