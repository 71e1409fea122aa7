import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, type TestApp } from '#test/support/app.ts';
import { createPurgeBench, type Signed } from '#test/support/purge-bench.ts';
import { insertActivity } from '#test/support/runs.ts';
import { signedInUser } from '#test/support/users.ts';
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

const { post, addRun, count, isStored } = createPurgeBench(() => ({ app, purger, runner, ActivityId }));

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
      'The inputs of this run no longer exist, so it cannot be retried',
    ]);
  });

  test('keeps what has no period', async () => {
    await addRun(4000);
    await keep({});
    expect(await keepHouse()).toBe(0);
  });
});
