/** Starts that go directly to a worker while it polls the queue. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { startRun, type NewRun } from '#server/queue/enqueue-run.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import { until } from '#test/support/until.ts';
import { test as base } from '#test/support/fixtures/worker-bench.ts';

/** Lets the current claim continue; undefined while claims are not held up. */
let gate: PromiseWithResolvers<void> | undefined;
let started = 0;
let ended = 0;

const test = base.extend('queues', ({ workerBench }) => {
  async function start(): Promise<string> {
    const { knex } = workerBench.database;
    const [[ActivityId], [UserId]] = (await Promise.all([
      knex('Activities').pluck('Id'),
      knex('Users').pluck('UserId'),
    ])) as [[number], [number]];
    const never = { UniqueId: null, RetryOf: null };
    const run: NewRun = { ActivityId, ActivityVersion: 1, UserId, ...never, MemoryCost: 0, SingleRun: false };
    return (await startRun(workerBench.database, workerBench.signals, run, [])).Status;
  }

  function workWithGate(): void {
    const queue = createRunQueue(workerBench.database, 30);
    const claim: typeof queue.claim = async (...args) => {
      started += 1;
      const claimed = await queue.claim(...args);
      await gate?.promise;
      ended += 1;
      return claimed;
    };
    workerBench.work({ queue: { ...queue, claim }, pollInterval: 60_000 });
  }

  /** Starts a poll that continues until the gate opens, directly after a poll that found nothing. */
  async function startLongPoll(): Promise<void> {
    await until('the worker waits', async () => (await start()) === 'PickedUp');
    await until(
      'nothing is pending',
      async () => (await workerBench.database.knex('ActivityRuns').whereNull('EndTime').first()) === undefined,
    );
    const before = ended;
    workerBench.signals.queued();
    await until('a look', () => ended > before && ended === started);
    gate = Promise.withResolvers();
    workerBench.signals.queued();
    await until('another look', () => started > ended);
  }

  return { start, workWithGate, lookThatGoesOn: startLongPoll };
});

afterEach(() => gate?.resolve());

const open = (): void => {
  gate?.resolve();
  gate = undefined;
};

test('a start does not follow a few others into the queue, when nothing waited there a moment ago', async ({
  queues: { workWithGate, lookThatGoesOn: startLongPoll, start },
}) => {
  workWithGate();
  await until('one that goes straight to the worker', async () => {
    await startLongPoll();
    const status = await start();
    open();
    return status === 'PickedUp';
  });
});

test('a start follows those that may have waited for longer', async ({
  queues: { workWithGate, lookThatGoesOn: startLongPoll, start },
}) => {
  workWithGate();
  await startLongPoll();
  await pause(60);
  expect(await start()).toBe('Queued');
  open();
});
