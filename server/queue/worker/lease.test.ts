/** Leases of runs, and what happens to runs whose worker has died. */
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished } from 'vitest';
import { nameWorker } from '#server/queue/worker/worker-name.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { onItsDatabase, until } from '#test/support/until.ts';
import { test } from '#test/support/fixtures/worker-bench.ts';

describe('a lease', () => {
  test('that is lost stops the work, and its files are taken back', async ({ workerBench }) => {
    const before = await workerBench.storeSize();
    let reached: (() => void) | undefined;
    const reading = new Promise<void>((resolve) => (reached = resolve));
    let release: (() => void) | undefined;
    workerBench.executor.onRun = async () => {
      reached!();
      await new Promise<void>((resolve) => (release = resolve));
      return { ...SUCCESS, files: [{ Name: null, FileName: 'x', bytes: Buffer.from('x') }] };
    };
    const Id = await workerBench.run();
    const worker = workerBench.work();
    await reading;
    await workerBench.status(Id, 'Started');
    await workerBench.database
      .knex('ActivityRuns')
      .where({ Id })
      .update({ LeaseUntil: new Date(Date.now() - 1000) });
    const reaper = workerBench.reaper();
    expect(await reaper.reap()).toMatchObject([{ Id, Status: 'Abandoned' }]);
    release!();
    await worker.stop();
    expect(await workerBench.stored(Id)).toMatchObject({ Status: 'Abandoned' });
    expect(await workerBench.database.knex('RunOutputs').where({ ActivityRunId: Id })).toEqual([]);
    expect(await workerBench.messages(Id)).toEqual(['The server that was executing the run no longer responds']);
    expect(await workerBench.storeSize()).toBe(before);
  });

  test('is renewed while a run takes longer than it', async ({ workerBench }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    workerBench.executor.onRun = () => released.then(() => SUCCESS);
    const Id = await workerBench.run();
    // The worker renews it four times per period, so a process that stalls for some seconds does not lose it.
    workerBench.work({ lease: onItsDatabase(12) });
    const reaper = workerBench.reaper(100);
    onTestFinished(() => reaper.stop());
    reaper.start();
    const { LeaseUntil: first } = await workerBench.status(Id, 'Started');
    await until('the lease is renewed', async () => (await workerBench.stored(Id)).LeaseUntil > first);
    expect(await reaper.reap()).toEqual([]);
    release();
    await workerBench.status(Id, 'Succeeded');
  });

  test('that cannot be renewed ends the work of its holder', async ({ workerBench }) => {
    let stopped = false;
    workerBench.executor.onRun = (request) => untilAborted(request).finally(() => (stopped = true));
    const Id = await workerBench.run();
    // Long enough for a slow machine to write the start of the run before the lease ends.
    workerBench.work({ lease: onItsDatabase(4), pollInterval: 60_000 });
    await workerBench.status(Id, 'Started');
    // Simulate a claim by another worker: the renewal does not find the run.
    await workerBench.database.knex('ActivityRuns').where({ Id }).update({ Fence: 9 });
    await until('the work ends', () => stopped);
    expect(await workerBench.stored(Id)).toMatchObject({ Status: 'Started', Fence: 9 });
  });
});

describe('the reaper', () => {
  const expired = { WorkerId: nameWorker(), LeaseUntil: new Date(0) };

  test('ends the runs of dead workers once, however many reap', async ({ workerBench: { run, reaper, messages } }) => {
    const ids: number[] = [];
    for (let i = 0; i < 20; i++) ids.push(await run({ Status: 'Started', ...expired }));
    const answers = await Promise.all([reaper().reap(), reaper().reap(), reaper().reap()]);
    expect(
      answers
        .flat()
        .map(({ Id }) => Id)
        .sort((a, b) => a - b),
    ).toEqual(ids);
    for (const Id of ids) expect(await messages(Id)).toHaveLength(1);
  });

  test('queues a run again that was only picked up, and no run that may have acted', async ({
    workerBench: { run, reaper, stored, messages },
  }) => {
    const pickedUp = { Status: 'PickedUp', PickupTime: new Date(0), ...expired };
    const again = await run({ ...pickedUp, Fence: 3, Turn: 7 });
    const started = await run({ ...pickedUp, Status: 'Started', StartTime: new Date(0) });
    const cancelled = await run({ ...pickedUp, CancelTime: new Date() });
    const ofOlderVersion = await run({ ...pickedUp, WorkerId: randomUUID() });
    const oftenClaimed = await run({ ...pickedUp, Fence: 10 });
    const reaped = await reaper().reap();
    expect(reaped.map(({ Id, Status }) => [Id, Status])).toEqual([
      [again, 'Queued'],
      [started, 'Abandoned'],
      [cancelled, 'Cancelled'],
      [ofOlderVersion, 'Abandoned'],
      [oftenClaimed, 'Abandoned'],
    ]);
    const queued = { Status: 'Queued', WorkerId: null, PickupTime: null, LeaseUntil: null, EndTime: null, Turn: 7 };
    expect(await stored(again)).toMatchObject({ ...queued, Fence: 3 });
    expect(await messages(again)).toEqual([]);
    expect(await reaper().reap()).toEqual([]);
  });

  test('calls a run Cancelled that a person had cancelled', async ({ workerBench: { run, reaper } }) => {
    const Id = await run({ Status: 'Started', ...expired, CancelTime: new Date() });
    expect(await reaper().reap()).toMatchObject([{ Id, Status: 'Cancelled' }]);
  });

  test('lets the oldest waiting run in when nothing of its activity is pending', async ({
    workerBench: { run, reaper, stored },
  }) => {
    const dead = await run({ Status: 'Started', ...expired, SingleRun: true });
    const next = await run({ Status: 'QueuedInSeq', SingleRun: true });
    const last = await run({ Status: 'QueuedInSeq', SingleRun: true });
    await reaper().reap();
    expect((await stored(dead)).Status).toBe('Abandoned');
    expect((await stored(next)).Status).toBe('Queued');
    await reaper().reap();
    expect((await stored(last)).Status).toBe('QueuedInSeq');
  });
});
