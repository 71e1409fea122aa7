/** The order in which workers take runs from the fair queue, also with several servers. */
import { expect } from 'vitest';
import { startRun, type NewRun } from '#server/queue/enqueue-run.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { insertUser } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { test } from '#test/support/fixtures/worker-bench.ts';

test('runs that are calculated keep nobody waiting while they are stored, a few of them', async ({ workerBench }) => {
  const startedRuns: number[] = [];
  workerBench.executor.onRun = async () => {
    startedRuns.push(startedRuns.length);
    return { ...SUCCESS, files: [{ Name: null, FileName: 'a.xlsx', bytes: Buffer.from('calculated') }] };
  };
  const stored = Promise.withResolvers<void>();
  workerBench.work({ concurrency: 1, onStore: () => stored.promise });
  const ids = [];
  for (let count = 0; count < 20; count++) ids.push(await workerBench.run());
  workerBench.signals.queued();
  // One in the slot, and eight whose ends are being stored.
  await until('as many have begun as may', () => startedRuns.length === 9);
  const { knex } = workerBench.database;
  const ofStatus = async (Status: string): Promise<number> =>
    ((await knex('ActivityRuns').where({ Status }).pluck('Id')) as number[]).length;
  await until('those wait, and all others are in the queue', async () => (await ofStatus('Queued')) === 11);
  expect(await ofStatus('Succeeded')).toBe(0);
  stored.resolve();
  await until('all have ended', async () => (await ofStatus('Succeeded')) === ids.length);
  expect(startedRuns).toHaveLength(ids.length);
});

test.for([1, 2])(
  'thirty slow runs of one person keep the short run of another no longer than a place, on %i servers',
  async (servers, { workerBench }) => {
    const ends: (() => void)[] = [];
    workerBench.executor.onRun = async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return SUCCESS;
    };
    const others = workerBench.otherSignals();
    await others.open();
    if (servers === 2) workerBench.work({ concurrency: 2, signals: others });
    workerBench.work({ concurrency: 2 });
    const { knex } = workerBench.database;
    const { Id: ActivityId } = await knex('Activities').first('Id');
    const start = (UserId: number) => {
      const run: NewRun = {
        ActivityId,
        ActivityVersion: 1,
        UserId,
        UniqueId: null,
        RetryOf: null,
        MemoryCost: 0,
        SingleRun: false,
      };
      return startRun(workerBench.database, workerBench.signals, run, []);
    };
    const [busy, quick] = [await insertUser(knex), await insertUser(knex)];
    // Started one after the other; fair-turns.test.ts covers concurrent starts.
    for (let started = 0; started < 30; started++) await start(busy);
    const slots = servers * 2;
    await until('all places are taken', () => ends.length === slots);
    const { Id } = await start(quick);
    ends.shift()!();
    await until('the next run has begun', () => ends.length === slots);
    expect((await workerBench.stored(Id)).Status).toMatch(/PickedUp|Started/);
    for (let ended = 0; ended < 30; ended++) {
      await until('a run is at work', () => ends.length > 0);
      ends.shift()!();
    }
    await until(
      'all have ended',
      async () => (await knex('ActivityRuns').whereNot('Status', 'Succeeded').first()) === undefined,
    );
    await others.close();
  },
);
