/** Cancelled runs, and workers that stop. */
import { describe, expect } from 'vitest';
import { cancelRun } from '#server/queue/cancel-run.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { test } from '#test/support/fixtures/worker-bench.ts';

describe('a cancelled run', () => {
  test.for([
    ['told by a signal', 60_000, true],
    ['found by polling', 30, false],
  ] as const)('is really stopped when %s', async ([, pollInterval, isSignalled], { workerBench }) => {
    let stopped = false;
    workerBench.executor.onRun = (request) => untilAborted(request).finally(() => (stopped = true));
    const Id = await workerBench.run();
    workerBench.work({ pollInterval });
    await workerBench.status(Id, 'Started');
    await workerBench.database.knex('ActivityRuns').where({ Id }).update({ CancelTime: new Date() });
    if (isSignalled) workerBench.signals.cancelled(Id);
    await workerBench.status(Id, 'Cancelled');
    expect(stopped).toBe(true);
    expect(await workerBench.messages(Id)).toEqual(['The run was cancelled']);
  });
});

test('a run that is cancelled before the response to its claim arrives is stopped', async ({ workerBench }) => {
  const answer = Promise.withResolvers<void>();
  const queue = createRunQueue(workerBench.database, 30);
  const slow = async (...asked: Parameters<typeof queue.claim>) => {
    const runs = await queue.claim(...asked);
    await answer.promise;
    return runs;
  };
  workerBench.executor.onRun = untilAborted;
  const Id = await workerBench.run();
  workerBench.work({ queue: { ...queue, claim: slow }, pollInterval: 30 });
  const { ActivityId, SingleRun } = await workerBench.status(Id, 'PickedUp');
  const run = { Id, ActivityId, SingleRun };
  expect(await cancelRun(workerBench.database, workerBench.signals, run)).toBe('stopping');
  answer.resolve();
  await workerBench.status(Id, 'Cancelled');
  expect(await workerBench.messages(Id)).toEqual(['The run was cancelled']);
});

describe('a stop', () => {
  test('ends what has Started as Abandoned after the grace, and says why', async ({ workerBench }) => {
    workerBench.executor.onRun = untilAborted;
    const Id = await workerBench.run();
    const worker = workerBench.work({ stopGrace: 20 });
    await workerBench.status(Id, 'Started');
    const waiting = await workerBench.run();
    await worker.stop();
    expect(await workerBench.stored(Id)).toMatchObject({ Status: 'Abandoned' });
    expect(await workerBench.messages(Id)).toEqual(['The server was stopped before the run ended']);
    expect((await workerBench.stored(waiting)).Status).toMatch(/Queued|Abandoned/);
  });

  test('ends what was cancelled before it began as Cancelled, with this reason alone', async ({ workerBench }) => {
    // As a run that waits for a thread.
    workerBench.executor.run = untilAborted;
    const Id = await workerBench.run();
    const worker = workerBench.work({ pollInterval: 60_000 });
    await workerBench.status(Id, 'PickedUp');
    await workerBench.database.knex('ActivityRuns').where({ Id }).update({ CancelTime: new Date() });
    await worker.stop();
    expect(await workerBench.stored(Id)).toMatchObject({ Status: 'Cancelled' });
    expect(await workerBench.messages(Id)).toEqual(['The run was cancelled']);
  });

  test('hands back what it is given after its end', async ({ workerBench }) => {
    const answer = Promise.withResolvers<void>();
    const queue = createRunQueue(workerBench.database, 30);
    const slow = async (...asked: Parameters<typeof queue.claim>) => {
      const runs = await queue.claim(...asked);
      await answer.promise;
      return runs;
    };
    let started = 0;
    workerBench.executor.onRun = async () => {
      started += 1;
      return SUCCESS;
    };
    const Id = await workerBench.run();
    const worker = workerBench.work({ queue: { ...queue, claim: slow } });
    await workerBench.status(Id, 'PickedUp');
    await worker.stop();
    answer.resolve();
    await workerBench.status(Id, 'Queued');
    expect(started).toBe(0);
  });

  test('waits for a run that ends within the grace', async ({ workerBench }) => {
    const ending = Promise.withResolvers<void>();
    workerBench.executor.onRun = async () => {
      await ending.promise;
      return SUCCESS;
    };
    const Id = await workerBench.run();
    const worker = workerBench.work({ stopGrace: 10_000 });
    await workerBench.status(Id, 'Started');
    const stopped = worker.stop();
    ending.resolve();
    await stopped;
    expect(await workerBench.stored(Id)).toMatchObject({ Status: 'Succeeded' });
  });
});
