/** Runs that wait in a worker's local queue while the runs before them take milliseconds. */
import { expect } from 'vitest';
import { cancelRun } from '#server/queue/cancel-run.ts';
import { startRun, type NewRun } from '#server/queue/enqueue-run.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { until } from '#test/support/until.ts';
import { test as base } from '#test/support/fixtures/worker-bench.ts';
import { LocalRuns } from './local-runs.ts';

const test = base.extend('localQueue', ({ workerBench }) => {
  async function start() {
    const { knex } = workerBench.database;
    const [[ActivityId], [UserId]] = (await Promise.all([
      knex('Activities').pluck('Id'),
      knex('Users').pluck('UserId'),
    ])) as [[number], [number]];
    const run: NewRun = {
      ActivityId,
      ActivityVersion: 1,
      UserId,
      UniqueId: null,
      RetryOf: null,
      MemoryCost: 0,
      SingleRun: false,
    };
    return { ActivityId, ...(await startRun(workerBench.database, workerBench.signals, run, [])) };
  }

  /** A worker with one slot that has executed many short runs. */
  async function workerOfShortRuns() {
    const worker = workerBench.work({ concurrency: 1, pollInterval: 60_000 });
    await until('it takes what is started', async () => (await start()).Status === 'PickedUp');
    // After a run from the queue the worker polls again, and on a slow machine the next start may follow it there.
    for (let direct = 0; direct < 15;) {
      const { Id, Status } = await start();
      await workerBench.status(Id, 'Succeeded');
      direct = Status === 'PickedUp' ? direct + 1 : 0;
    }
    await until(
      'all have ended',
      async () => (await workerBench.database.knex('ActivityRuns').whereNull('EndTime').first()) === undefined,
    );
    return worker;
  }

  /** Makes runs continue until go() is called, and records the order in which they begin. */
  function holdRuns(): { startedRuns: string[]; go: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: string[] = [];
    workerBench.executor.onRun = async (request) => {
      started.push(request.versionKey);
      await Promise.race([promise, untilAborted(request)]);
      return SUCCESS;
    };
    return { startedRuns: started, go: resolve };
  }

  return { start, workerOfShortRuns, holdRuns };
});

test('starts come straight to a worker of short runs that has no slot left, eight of them, and are calculated one by one', async ({
  workerBench,
  localQueue: { workerOfShortRuns, holdRuns, start },
}) => {
  await workerOfShortRuns();
  const { startedRuns, go } = holdRuns();
  const started = [];
  for (let count = 0; count < 10; count++) started.push(await start());
  // Later starts may find that the first ones have waited too long.
  expect(started[1]!.Status).toBe('PickedUp');
  expect(started.at(-1)!.Status).toBe('Queued');
  expect(startedRuns).toHaveLength(1);
  go();
  for (const { Id } of started) await workerBench.status(Id, 'Succeeded');
  expect(startedRuns).toHaveLength(10);
});

test('one that waits longer than it would have to elsewhere goes back to the queue, and others go there at once', async ({
  workerBench,
  localQueue: { workerOfShortRuns, holdRuns, start },
}) => {
  await workerOfShortRuns();
  const { startedRuns, go } = holdRuns();
  await start();
  const waiting = await start();
  await workerBench.status(waiting.Id, 'Queued');
  expect((await start()).Status).toBe('Queued');
  expect(startedRuns).toHaveLength(1);
  const others = workerBench.otherSignals();
  workerBench.work({ concurrency: 2, signals: others });
  await until('the other worker has begun both', () => startedRuns.length === 3);
  expect(await workerBench.stored(waiting.Id)).toMatchObject({ Fence: 2 });
  go();
  await workerBench.status(waiting.Id, 'Succeeded');
  await others.close();
});

test('one that waits is cancelled, and never calculated', async ({
  workerBench,
  localQueue: { workerOfShortRuns, holdRuns, start },
}) => {
  await workerOfShortRuns();
  const { startedRuns, go } = holdRuns();
  await start();
  const waiting = await start();
  await cancelRun(workerBench.database, workerBench.signals, { ...waiting, SingleRun: false });
  await workerBench.status(waiting.Id, 'Cancelled');
  go();
  const { Id } = await start();
  await workerBench.status(Id, 'Succeeded');
  expect(startedRuns).toHaveLength(2);
});

test('a worker that stops gives back what waits with it', async ({
  workerBench,
  localQueue: { workerOfShortRuns, holdRuns, start },
}) => {
  const worker = await workerOfShortRuns();
  holdRuns();
  await start();
  const waiting = await start();
  await worker.stop();
  expect(await workerBench.stored(waiting.Id)).toMatchObject({ Status: 'Queued', WorkerId: null });
});

const FREE = { ActivityId: 1, Pool: 'default', RunsAtOnce: 0, MemoryCost: 0, isStart: true };
const runsWithOneSlot = (): LocalRuns => new LocalRuns({ concurrency: 1, memoryBudget: 100 });
const calculate = (runs: LocalRuns, milliseconds: number, times: number): void => {
  for (let time = 0; time < times; time++) {
    const run = runs.reserve(FREE, true)!;
    runs.begin(run, () => {});
    runs.calculated(run, 0, milliseconds);
    runs.leave(run);
  }
};

test('it is open after many short calculations, and closed by one that is long', () => {
  const runs = runsWithOneSlot();
  expect(runs.freeToWait).toBe(0);
  calculate(runs, 5, 20);
  expect(runs.freeToWait).toBe(8);
  calculate(runs, 300, 1);
  expect(runs.freeToWait).toBe(0);
  calculate(runs, 5, 20);
  expect(runs.freeToWait).toBe(8);
});

test('who has waited longest is let in first; who leaves before gives its place back', async () => {
  const runs = runsWithOneSlot();
  calculate(runs, 1, 20);
  const reserve = () => runs.reserve(FREE, true)!;
  const executing = reserve();
  runs.begin(executing, () => {});
  const [first, gone, second, stored] = [reserve(), reserve(), reserve(), reserve()];
  for (const run of [first, gone, second]) runs.begin(run, () => {});
  runs.leave(gone);
  expect(runs.freeToWait).toBe(5);
  runs.leave(executing);
  await first.admission!.promise;
  expect([first, second, stored].map(({ phase }) => phase)).toEqual(['Executing', 'Waiting', 'Reserved']);
  // A calculated run releases its slot before its end is stored.
  expect(runs.calculated(first, 0, 1)).toBe(true);
  await second.admission!.promise;
  // A run that is still being stored gets no slot.
  runs.leave(second);
  expect(stored.phase).toBe('Reserved');
  expect(runs.freeToWait).toBe(7);
  runs.leave(stored);
  expect(runs.freeToWait).toBe(8);
  runs.leave(first);
  expect(runs.size).toBe(0);
});

test('a run cannot leave twice', () => {
  const runs = runsWithOneSlot();
  const run = runs.reserve(FREE, true)!;
  runs.leave(run);
  expect(() => runs.leave(run)).toThrow('a run that is Left is not one of the worker');
});
