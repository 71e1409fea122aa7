import { inRows } from '#server/db/in-rows.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newFileId } from '#server/files/stored-files.ts';
import { testApp, type TestApp } from '#test/support/app.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
import { deleteByRetention } from './retention-keeper.ts';
import { storeDelta } from '#test/support/store-delta.ts';
import { purgeRuns } from './purge-runs.ts';

type Signed = Awaited<ReturnType<typeof signedInUser>>;

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

const DAY = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);
const dayOf = (days: number): string => daysAgo(days).toISOString().slice(0, 10);

const get = async (url: string, { headers }: Signed = purger) => {
  const answer = await app.http.inject({ url: `/api/activities/${url}`, headers });
  return { status: answer.statusCode, body: answer.json() };
};
const post = async (url: string, payload?: object, { headers }: Signed = purger) => {
  const answer = await app.http.inject({ method: 'POST', url: `/api/activities/${url}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

async function addFile(content: string, Purpose: string): Promise<{ FileId: string; StoreKey: string }> {
  const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from(content));
  const FileId = newFileId();
  const row = { FileId, StoreKey: key, FileName: 'a.csv', ContentLength: contentLength, Sha256: sha256, Purpose };
  await app.database.knex('StoredFiles').insert(row);
  return { FileId, StoreKey: key };
}

/** Adds an ended run from some days ago, with an input file of 5 bytes, an output file of 6, and values of 2 and 3. */
async function addRun(days: number, more: Record<string, unknown> = {}) {
  const { knex } = app.database;
  const time = daysAgo(days);
  const run = { ActivityId, UserId: runner.UserId, Status: 'Failed', QueueTime: time, EndTime: time, ...more };
  const Id = await insertRun(knex, run);
  const input = await addFile('input', 'upload');
  const output = await addFile('output', 'output');
  const file = (of: { FileId: string }, ContentLength: number) => ({
    ActivityRunId: Id,
    ActivityParameterId: 2,
    FileId: of.FileId,
    FileName: 'a.csv',
    ContentLength,
  });
  await knex('RunInputs').insert([{ ActivityRunId: Id, ActivityParameterId: 1, Value: '12' }]);
  await knex('RunInputs').insert([file(input, 5)]);
  await knex('RunOutputs').insert([{ ActivityRunId: Id, ActivityParameterId: 3, Value: '"é"' }]);
  await knex('RunOutputs').insert([file(output, 6)]);
  return { Id, input, output };
}

const count = async (table: string, where: object): Promise<number> =>
  (await app.database.knex(table).where(where)).length;
const isStored = ({ StoreKey }: { StoreKey: string }): Promise<boolean> => app.portal.files.exists(StoreKey);
const sizes = async (days: number, user?: Signed) =>
  (await get(`rundatasize/${dayOf(days)}`, user)).body.result.filter(
    (row: { ActivityId: number }) => row.ActivityId === ActivityId,
  );

const listed = async (days: number, user?: Signed) =>
  (await get(`purgeable/${dayOf(days)}`, user)).body.result.filter(
    (row: { ActivityId: number }) => row.ActivityId === ActivityId,
  );

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

  test('counts a file that is made of another by what it takes itself', async () => {
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

  test('is told to those who may purge, of activities they may', async () => {
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
    for (const kept of [recent, pending]) {
      expect([await isStored(kept.input), await isStored(kept.output)]).toEqual([true, true]);
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

describe('retention', () => {
  const keep = (periods: object) => app.database.knex('ActivityRetentions').insert({ ActivityId, ...periods });
  const keepHouse = () =>
    deleteByRetention({ database: app.database, store: app.fileStore }, new AbortController().signal);

  test('deletes runs, outputs and inputs by their periods, and nothing that is pending', async () => {
    const [gone, old, middle, fresh] = [await addRun(40), await addRun(20), await addRun(8), await addRun(1)];
    const pending = await addRun(50, { Status: 'Queued', EndTime: null });
    await keep({ RunRetention: 30, RunDataRetention: 10, RunInputsRetention: 5 });
    expect(await keepHouse()).toBe(1 + 1 + 2);
    expect(await app.database.knex('ActivityRuns').where({ ActivityId }).orderBy('Id').pluck('Id')).toEqual([
      old.Id,
      middle.Id,
      fresh.Id,
      pending.Id,
    ]);
    const left = async ({ Id }: { Id: number }) => [
      await count('RunInputs', { ActivityRunId: Id }),
      await count('RunOutputs', { ActivityRunId: Id }),
    ];
    expect([await left(old), await left(middle), await left(fresh), await left(pending)]).toEqual([
      [0, 0],
      [0, 2],
      [2, 2],
      [2, 2],
    ]);
    expect([await isStored(gone.input), await isStored(old.output), await isStored(middle.output)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await keepHouse()).toBe(0);
    const answer = await post(`retry/${middle.Id}`);
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'The inputs of this run are no longer there, so it cannot be retried',
    ]);
  });

  test('keeps what has no period', async () => {
    await addRun(4000);
    await keep({});
    expect(await keepHouse()).toBe(0);
  });
});

describe('purging the files of versions', () => {
  async function addVersions(): Promise<{ FileId: string; StoreKey: string }[]> {
    const { knex } = app.database;
    const files = [];
    for (const Version of [1, 2, 3]) {
      const file = await addFile(`workbook ${Version}`, 'version');
      files.push(file);
      const row = { FileId: file.FileId, ContentLength: 1, UserId: runner.UserId, Definition: '{}' };
      if (Version === 1) await knex('ActivityVersions').where({ ActivityId }).update({ FileId: file.FileId });
      else await knex('ActivityVersions').insert({ ActivityId, Version, ...row });
    }
    await knex('Activities').where({ Id: ActivityId }).update({ Version: 3 });
    return files;
  }

  test('takes a version and those below, whose download then says so', async () => {
    const files = await addVersions();
    expect((await post(`purgeversionfiles/${ActivityId}/2`)).body.result).toBe(2);
    expect(await Promise.all(files.map(isStored))).toEqual([false, false, true]);
    const download = await get(`download/${ActivityId}/1`);
    expect([download.status, download.body.message]).toEqual([404, 'This activity version file does not exist']);
    expect((await post(`purgeversionfiles/${ActivityId}/2`)).body.result).toBe(0);
  });

  test('leaves in the store what results are made of, until the last of them goes', async () => {
    const [first, second] = await addVersions();
    const { Id } = await addRun(10);
    const { knex } = app.database;
    const base = { FileId: first!.FileId, bytes: Buffer.from('workbook 1') };
    const made = await storeDelta(knex, Buffer.from('workbook 1, calculated'), base);
    const row = { ActivityRunId: Id, ActivityParameterId: 2, FileName: 'b.xlsx', ContentLength: 22 };
    await knex('RunOutputs').insert({ ...row, FileId: made.FileId });
    expect((await post(`purgeversionfiles/${ActivityId}/2`)).body.result).toBe(2);
    expect((await get(`download/${ActivityId}/1`)).status).toBe(404);
    expect([await isStored(first!), await isStored(second!)]).toEqual([true, false]);
    expect((await app.fileStore.read(made.StoreKey)).toString()).toBe('workbook 1, calculated');
    expect((await post(`purgeRunData/${dayOf(7)}/OutputFiles`, [ActivityId])).body.result).toBe(2);
    expect([await isStored(first!), await isStored(made)]).toEqual([false, false]);
  });

  test('leaves the newest, and one that a pending run needs', async () => {
    const files = await addVersions();
    expect((await post(`purgeversionfiles/${ActivityId}/3`)).status).toBe(409);
    await insertRun(app.database.knex, { ActivityId, UserId: runner.UserId, ActivityVersion: 2 });
    expect((await post(`purgeversionfiles/${ActivityId}/2`)).body.result).toBe(1);
    expect(await Promise.all(files.map(isStored))).toEqual([false, true, true]);
    expect((await post(`purgeversionfiles/${ActivityId}/1`, undefined, runner)).status).toBe(403);
  });

  test('leaves one whose runs a Start step or a batch has requested but not created yet', async () => {
    const files = await addVersions();
    const { Id: ParentRunId } = await addRun(0, { ActivityVersion: 3 });
    const of = { ParentRunId, RootRunId: ParentRunId, ActivityId, UserId: runner.UserId };
    const step = { StepKey: '1', StepName: 'Bill all', ActivityVersion: 2, RowCount: 1, AtOnce: 1 };
    const Rows = JSON.stringify({ Inputs: [], Rows: [['a', []]] });
    await app.database.knex('RunStarts').insert({ ...of, ...step, Rows });
    expect((await post(`purgeversionfiles/${ActivityId}/2`)).body.result).toBe(1);
    expect(await Promise.all(files.map(isStored))).toEqual([false, true, true]);
    await app.database.knex('RunStarts').where({ ParentRunId }).update({ Rows: null });
    expect((await post(`purgeversionfiles/${ActivityId}/2`)).body.result).toBe(1);
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
    const chain = { ChecklistId: checklist.Id, PlanId: plan.Id, UserId: runner.UserId, Status, Inputs: '[]' };
    const [run] = await knex('ChecklistRuns').insert(chain).returning('Id');
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
