import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createPurgeBench, dayOf, type Signed } from '#test/support/purge-bench.ts';
import { insertActivity, insertRun } from '#test/support/runs.ts';
import { storeDelta } from '#test/support/store-delta.ts';
import { signedInUser } from '#test/support/users.ts';

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

const { get, post, addFile, addRun, isStored } = createPurgeBench(() => ({ app, purger, runner, ActivityId }));

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

  test('keeps in the store what results are built from, until the last of them is deleted', async () => {
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
