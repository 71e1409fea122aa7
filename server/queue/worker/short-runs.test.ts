/** Runs of activities that are known to be short, while long runs occupy all other slots. */
import { expect } from 'vitest';
import { createWorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { enqueueRun, startRun } from '#server/queue/enqueue-run.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { definitionOf, DOUBLE } from '#test/support/workbook-executors.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { test as base } from '#test/support/fixtures/worker-bench.ts';

/** One thread: two slots for long runs, of which one calculates at a time, and a third slot reserved for short runs. */
const ONE_THREAD = { concurrency: 3, longRuns: { concurrency: 2, shortMs: 60_000 }, pollInterval: 60_000 };
const SHORT_MS = 500;
const EARLIER = new Date('2026-11-01T10:00:00Z');

const test = base.extend('portal', async ({ workerBench }) => {
  const { database, signals, executor } = workerBench;
  const { knex } = database;
  const [UserId] = (await knex('Users').pluck('UserId')) as [number];
  const activity = (MemoryCost = 0) => insertActivity(knex, { UserId, MemoryCost, FileId: 'workbook' });
  /** Inserts an earlier run. @param ms how long it took */
  const ran = (ActivityId: number, ms: number) => {
    const times = { QueueTime: EARLIER, StartTime: EARLIER, EndTime: new Date(EARLIER.getTime() + ms) };
    return insertRun(knex, { ActivityId, UserId, Status: 'Succeeded', ...times });
  };
  const start = async (ActivityId: number, more: { MemoryCost?: number } = {}): Promise<number> => {
    const plain = { ActivityVersion: 1, UniqueId: null, RetryOf: null, SingleRun: false };
    const run = { ActivityId, UserId, MemoryCost: 0, ...plain, ...more };
    return (await startRun(database, signals, run, [])).Id;
  };
  /** Queues a run without offering it to the worker first. */
  const queue = async (ActivityId: number, user = UserId): Promise<number> => {
    const plain = { ActivityVersion: 1, UniqueId: null, RetryOf: null, SingleRun: false, MemoryCost: 0 };
    return (await enqueueRun(database, { ActivityId, UserId: user, ...plain }, [])).Id;
  };

  const ends = new Map<string, PromiseWithResolvers<void>>();
  const started: string[] = [];
  executor.onRun = async (request) => {
    started.push(request.versionKey);
    const held = ends.get(request.versionKey);
    if (held) await Promise.race([held.promise, untilAborted(request)]);
    return SUCCESS;
  };
  /** From now on, runs of the activity continue until go() is called. */
  const hold = (ActivityId: number): { started: () => number; go: () => void } => {
    const key = `${ActivityId}/1`;
    const held = Promise.withResolvers<void>();
    ends.set(key, held);
    const go = (): void => {
      ends.delete(key);
      held.resolve();
    };
    return { started: () => started.filter((one) => one === key).length, go };
  };
  const order = (): number[] => started.map((key) => Number(key.split('/')[0]));
  return { activity, ran, start, queue, hold, order };
});

test('a short run ends while long runs have all other slots and more of them wait; one of an unknown activity waits with these', async ({
  workerBench,
  portal: { activity, ran, start, hold },
}) => {
  const [heavy, short, unknown] = [await activity(), await activity(), await activity()];
  await ran(short, 20);
  const heavies = hold(heavy);
  workerBench.work(ONE_THREAD);
  for (let count = 0; count < 5; count++) await start(heavy);
  await until('two long runs work', () => heavies.started() === 2);
  const waits = await start(unknown);
  for (let count = 0; count < 3; count++) await workerBench.status(await start(short), 'Succeeded');
  expect(heavies.started()).toBe(2);
  expect(await workerBench.stored(waits)).toMatchObject({ Status: 'Queued' });
  heavies.go();
  await workerBench.status(waits, 'Succeeded');
});

test('on one calculating thread, a workbook of one formula is calculated beside long runs; the second of these has not started', async ({
  workerBench,
  portal: { activity, ran, start },
  onTestFinished,
}) => {
  const threads = createWorkbookExecutor({ threads: 1 });
  onTestFinished(() => threads.close());
  const bytes = await buildWorkbook(DOUBLE);
  const definition = await definitionOf(DOUBLE, threads);
  const [heavy, short] = [await activity(), await activity()];
  await ran(short, 20);
  workerBench.executor.run = async (request) => {
    const isHeavy = request.versionKey === `${heavy}/1`;
    // The thread of a long run waits for its file until the run is stopped.
    const readWorkbook = (): Promise<Uint8Array> =>
      isHeavy ? new Promise(() => {}) : Promise.resolve(Uint8Array.from(bytes));
    const { status } = await threads.run({ ...request, definition, readWorkbook });
    return { ...SUCCESS, status };
  };
  workerBench.work(ONE_THREAD);
  const heavies = [await start(heavy), await start(heavy)];
  // Either of them may reach the thread first.
  const statuses = async (): Promise<string[]> => {
    const runs = await Promise.all(heavies.map((id) => workerBench.stored(id)));
    return runs.map((run) => String(run?.Status)).toSorted();
  };
  await expect.poll(statuses).toEqual(['PickedUp', 'Started']);
  await workerBench.status(await start(short), 'Succeeded');
  expect(await statuses()).toEqual(['PickedUp', 'Started']);
});

test('a short run does not wait for the memory that a long run before it needs', async ({
  workerBench,
  portal: { activity, ran, start, hold },
}) => {
  const [heavy, costly, short] = [await activity(), await activity(80), await activity()];
  await ran(short, 20);
  const heavies = hold(heavy);
  workerBench.work(ONE_THREAD);
  await start(heavy, { MemoryCost: 60 });
  await start(heavy, { MemoryCost: 40 });
  await until('two long runs work', () => heavies.started() === 2);
  const large = await start(costly, { MemoryCost: 80 });
  // It has waited so long that no run that could take its memory may overtake it.
  const { knex } = workerBench.database;
  await knex('ActivityRuns').where({ Id: large }).update({ QueueTime: EARLIER });
  await workerBench.status(await start(short), 'Succeeded');
  expect(await workerBench.stored(large)).toMatchObject({ Status: 'Queued' });
  heavies.go();
  await workerBench.status(large, 'Succeeded');
});

test('an activity that has become long has the kept slot for one run, and not for the next', async ({
  workerBench,
  portal: { activity, ran, start, hold },
}) => {
  const [heavy, former, short] = [await activity(), await activity(), await activity()];
  await ran(former, 20);
  await ran(short, 20);
  const heavies = hold(heavy);
  const formers = hold(former);
  workerBench.work({ ...ONE_THREAD, longRuns: { concurrency: 2, shortMs: SHORT_MS } });
  for (let count = 0; count < 2; count++) await start(heavy);
  await until('two long runs work', () => heavies.started() === 2);
  const all = [await start(former), await start(former), await start(former)];
  // Any of them may reach the reserved slot first.
  const taken = await until('one of them is no longer short', async () => {
    const runs = await Promise.all(all.map((id) => workerBench.stored(id)));
    return runs.find(({ StartTime }) => StartTime !== null && Date.now() - StartTime.getTime() > SHORT_MS * 2)?.Id;
  });
  formers.go();
  hold(former);
  await workerBench.status(taken, 'Succeeded');
  await workerBench.status(await start(short), 'Succeeded');
  expect(heavies.started()).toBe(2);
  for (const other of all.filter((id) => id !== taken))
    expect(await workerBench.stored(other)).toMatchObject({ Status: 'Queued' });
});

test('people take turns at the kept slot', async ({
  workerBench,
  portal: { activity, ran, start, queue, hold, order },
}) => {
  const [heavy, first, second, other] = [await activity(), await activity(), await activity(), await activity()];
  for (const short of [first, second, other]) await ran(short, 20);
  const heavies = hold(heavy);
  const held = hold(first);
  workerBench.work(ONE_THREAD);
  for (let count = 0; count < 2; count++) await start(heavy);
  await until('two long runs work', () => heavies.started() === 2);
  await start(first);
  await until('one has the kept slot', () => held.started() === 1);
  const hers = [await queue(second), await queue(second)];
  const his = await queue(other, await insertUser(workerBench.database.knex));
  held.go();
  for (const id of [...hers, his]) await workerBench.status(id, 'Succeeded');
  expect(order()).toEqual([heavy, heavy, first, other, second, second]);
});
