import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { insertStoredFiles } from '#server/files/stored-files.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { createFakeExecutor, SUCCESS, untilAborted, type FakeExecutor } from '#test/support/fake-executor.ts';
import { insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import { createRunSignals, type RunSignals } from '#server/queue/run-signals.ts';
import { startRun } from '#server/queue/enqueue-run.ts';
import { createWorker, type Worker } from './worker.ts';

const log = pino({ level: 'silent' });
const NOTHING_STORED = { put: () => Promise.reject(new Error('no files here')) } as unknown as FileStore;
const INPUT = {
  ActivityParameterId: 7,
  ArrayIndex: 0,
  Value: '41',
  Rows: null,
  UseDefault: false,
  HasPresetValue: false,
  FileId: null,
  FileName: null,
  ContentLength: null,
};

let database: TestDatabase;
let signals: RunSignals;
let executor: FakeExecutor;
let worker: Worker;
let UserId: number;
let ActivityId: number;

beforeAll(async () => {
  database = await testDatabase();
  UserId = await insertUser(database.knex);
  const file = { FileId: 'workbook', StoreKey: 'k', FileName: 'a.xlsx', ContentLength: 1, Sha256: '' };
  await insertStoredFiles(database.knex, [{ ...file, Purpose: 'version', UserId: null, ActivityParameterId: null }]);
  ActivityId = await insertActivity(database.knex, { UserId, FileId: 'workbook' });
});
beforeEach(async () => {
  await database.knex('ActivityRuns').delete();
  signals = createRunSignals(database, log);
  executor = createFakeExecutor();
  const context = {
    database,
    queue: createRunQueue(database, 30),
    versions: createVersionCatalog(database.knex),
    files: NOTHING_STORED,
    executor,
    isLicensed: async () => true,
    log,
    timeLimit: 60_000,
    journalInterval: 20,
  };
  worker = createWorker(context, signals, { concurrency: 2, memoryBudget: 100, pollInterval: 60_000, stopGrace: 100 });
});
afterEach(async () => {
  await worker.stop();
  await signals.close();
});
afterAll(() => database.drop());

/** A run without memory cost, in the pool that every server serves. */
const FREE_RUN = { ActivityId: 0, Pool: 'default', RunsAtOnce: 0, MemoryCost: 0 };

const start = (MemoryCost = 0, more: object = {}) =>
  startRun(
    database,
    signals,
    { ActivityId, ActivityVersion: 1, UserId, UniqueId: null, RetryOf: null, MemoryCost, SingleRun: false, ...more },
    [INPUT],
  );
const stored = (Id: number) => database.knex('ActivityRuns').where({ Id }).first();
/** Returns true if a start could go directly to the worker now. */
const canReserveSlots = (count = 1): boolean => {
  const reservations = Array.from({ length: count }, () => signals.reserve(FREE_RUN));
  for (const reservation of reservations) reservation?.release();
  return reservations.every((reservation) => reservation !== undefined);
};
/** Waits until both slots of the worker can be reserved: it has polled the queue and holds no run. */
const untilIdle = () => until('the worker keeps both its places', () => canReserveSlots(2));
const ready = async (): Promise<void> => {
  worker.start();
  await untilIdle();
};
/** Makes runs continue until `end` is called. */
function held(): { end(): void; started: number[] } {
  const ends: (() => void)[] = [];
  const started: number[] = [];
  executor.onRun = async (request) => {
    started.push(started.length);
    await Promise.race([new Promise<void>((resolve) => ends.push(resolve)), untilAborted(request)]);
    return SUCCESS;
  };
  return { started, end: () => ends.forEach((end) => end()) };
}

describe('a start', () => {
  test('goes straight to a worker of the process that has room, with its inputs stored', async () => {
    await ready();
    const { Id, Status } = await start();
    expect(Status).toBe('PickedUp');
    const ended = await until('the end', async () => {
      const row = await stored(Id);
      return row.EndTime ? row : undefined;
    });
    expect(ended).toMatchObject({ Status: 'Succeeded', WorkerId: worker.name, Fence: 1, LeaseUntil: null });
    expect(ended.PickupTime >= ended.QueueTime && ended.StartTime >= ended.PickupTime).toBe(true);
    expect(ended.EndTime >= ended.StartTime).toBe(true);
    expect(await database.knex('RunInputs').where({ ActivityRunId: Id }).pluck('Value')).toEqual(['41']);
  });

  test('waits in the queue where no worker runs here, where it must run alone, and where all places are taken', async () => {
    expect((await start()).Status).toBe('Queued');
    await database.knex('ActivityRuns').delete();
    await ready();
    expect((await start(0, { SingleRun: true })).Status).toBe('Queued');
    await until(
      'the run alone',
      async () => (await database.knex('ActivityRuns').whereNull('EndTime').first()) === undefined,
    );
    // The database knows of its end before the worker does, which then polls for others.
    await untilIdle();
    const going = held();
    // On a slow machine the second start may be so late that it goes through the queue.
    await start();
    await start();
    await until('two runs', async () => going.started.length === 2);
    expect((await start()).Status).toBe('Queued');
    going.end();
    await until('the third', async () => going.started.length === 3);
    going.end();
  });

  test('has one place beyond the slots while runs that keep them are still being stored', async () => {
    await ready();
    const going = held();
    const reservations = [signals.reserve(FREE_RUN), signals.reserve(FREE_RUN)];
    const both = [await start(), await start()];
    expect(both.map(({ Status }) => Status)).toEqual(['PickedUp', 'Queued']);
    for (const reservation of reservations) reservation?.release();
    await until('both runs', async () => going.started.length === 2);
    going.end();
  });

  test('does not overtake an older run that waits for memory', async () => {
    await ready();
    const going = held();
    expect((await start(60)).Status).toBe('PickedUp');
    const large = await start(80);
    expect(large.Status).toBe('Queued');
    await until('the worker knows that it waits', () => !canReserveSlots());
    expect((await start(10)).Status).toBe('Queued');
    // A run that was just picked up has not begun yet; the small one may follow it from the queue immediately.
    await until('the first run', () => going.started.length >= 1);
    going.end();
    await until('the large one', async () => (await stored(large.Id)).Status !== 'Queued');
    await until('all', async () => {
      going.end();
      return (await database.knex('ActivityRuns').whereNull('EndTime').first()) === undefined;
    });
  });

  test('returns a run without notifications to the queue, but none that is still being stored', async () => {
    await ready();
    const lost = signals.reserve(FREE_RUN)!;
    const late = signals.reserve(FREE_RUN)!;
    const of = { WorkerId: worker.name, Status: 'PickedUp', Fence: 1, LeaseUntil: new Date(Date.now() + 30_000) };
    const lostId = await insertRun(database.knex, { ActivityId, UserId, ...of });
    const lateId = await insertRun(database.knex, { ActivityId, UserId, ...of });
    lost.fail();
    expect(signals.reserve(FREE_RUN)).toBeUndefined();
    const going = held();
    late.begin(
      {
        Id: lateId,
        ActivityId,
        ActivityVersion: 1,
        MemoryCost: 0,
        SingleRun: false,
        Fence: 1,
        ChecklistRunId: null,
        ParentRunId: null,
      },
      [],
    );
    await until('the lost one', async () => (await stored(lostId)).Fence === 2);
    expect((await stored(lateId)).Fence).toBe(1);
    await until('both', async () => going.started.length === 2);
    going.end();
  });

  test('frees its place where the run was refused', async () => {
    await ready();
    await expect(start(0, { ActivityVersion: 99 })).rejects.toThrow();
    const reservations = [signals.reserve(FREE_RUN), signals.reserve(FREE_RUN)];
    expect(reservations.every((reservation) => reservation !== undefined)).toBe(true);
    for (const reservation of reservations) reservation!.release();
  });
});
