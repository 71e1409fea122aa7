import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVersionCatalog } from '#server/features/activities/version-catalog.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import { insertStoredFiles } from '#server/files/stored-files.ts';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { createFakeExecutor, SUCCESS, untilAborted, type FakeExecutor } from '#test/support/fake-executor.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun, insertUser } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { createReaper } from './reaper.ts';
import { createRunQueue } from './run-queue.ts';
import { createRunSignals, type RunSignals } from './run-signals.ts';
import { createWorker, type Worker, type WorkerSettings } from './worker.ts';

const log = pino({ level: 'silent' });
const definition = {
  ...EMPTY_DEFINITION,
  outputs: [{ Name: 'Total' }, { Name: 'Report' }],
} as unknown as ActivityDefinition;

let database: TestDatabase;
let folder: string;
let files: FileStore;
let signals: RunSignals;
let executor: FakeExecutor;
let UserId: number;
let ActivityId: number;
let workers: Worker[];

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'worker-test-'));
  files = await createFolderFileStore(folder);
  signals = createRunSignals(database, log);
  UserId = await insertUser(database.knex);
  const { key, contentLength, sha256 } = await files.put(Buffer.from('workbook'));
  await insertStoredFiles(database.knex, [
    {
      FileId: 'workbook',
      StoreKey: key,
      FileName: 'a.xlsx',
      ContentLength: contentLength,
      Sha256: sha256,
      Purpose: 'version',
      UserId: null,
      ActivityParameterId: null,
    },
  ]);
  ActivityId = await insertActivity(database.knex, { UserId, definition, FileId: 'workbook' });
});
beforeEach(async () => {
  executor = createFakeExecutor();
  workers = [];
  await database.knex('RunOutputs').delete();
  await database.knex('ActivityRuns').delete();
});
afterEach(() => Promise.all(workers.map((worker) => worker.stop())));
afterAll(async () => {
  await signals.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

function work(options: Partial<WorkerSettings> & { lease?: number; signals?: RunSignals } = {}): Worker {
  const { lease = 30, signals: heard = signals, ...settings } = options;
  const worker = createWorker(
    {
      database,
      queue: createRunQueue(database, lease),
      versions: createVersionCatalog(database.knex),
      files,
      executor,
      log,
      timeLimit: 60_000,
      journalInterval: 20,
      isLicensed: async () => true,
    },
    heard,
    { concurrency: 2, memoryBudget: 100, pollInterval: 50, stopGrace: 100, ...settings },
  );
  workers.push(worker);
  worker.start();
  return worker;
}

const run = (more: Record<string, unknown> = {}) => insertRun(database.knex, { ActivityId, UserId, ...more });
const stored = (Id: number) => database.knex('ActivityRuns').where({ Id }).first();
const status = (Id: number, wanted: string) =>
  until(`${Id} is ${wanted}`, async () => {
    const row = await stored(Id);
    return row.Status === wanted ? row : undefined;
  });
const messages = (ActivityRunId: number): Promise<string[]> =>
  database.knex('RunLogEntries').where({ ActivityRunId }).orderBy('Id').pluck('Message');
const storeSize = async (): Promise<number> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;

describe('a worker', () => {
  test('carries a run out and stores its outputs, files and log', async () => {
    executor.onRun = async (request) => {
      request.onLog({ Message: `read ${(await request.readWorkbook()).byteLength} bytes`, StatusCode: 1, Category: 1 });
      return {
        status: 'SucceededWarn',
        outputs: [
          { Name: 'Total', Value: '42', Rows: null },
          { Name: 'Report', Value: null, Rows: null },
        ],
        files: [
          { Name: null, FileName: 'a.xlsx', bytes: Buffer.from('calculated') },
          { Name: 'Report', FileName: 'r1.csv', bytes: Buffer.from('1') },
          { Name: 'Report', FileName: 'r2.csv', bytes: Buffer.from('22') },
        ],
      };
    };
    const Id = await run();
    work();
    const row = await status(Id, 'SucceededWarn');
    expect(row.StartTime).toBeInstanceOf(Date);
    expect(row.EndTime >= row.StartTime).toBe(true);
    expect(await messages(Id)).toEqual(['read 8 bytes']);
    const outputs = await database
      .knex('RunOutputs')
      .where({ ActivityRunId: Id })
      .orderBy('Id')
      .select('Value', 'ArrayIndex', 'FileName', 'ContentLength');
    expect(outputs).toEqual([
      { Value: '42', ArrayIndex: 0, FileName: null, ContentLength: null },
      { Value: null, ArrayIndex: 0, FileName: 'a.xlsx', ContentLength: 10 },
      { Value: null, ArrayIndex: 0, FileName: 'r1.csv', ContentLength: 1 },
      { Value: null, ArrayIndex: 1, FileName: 'r2.csv', ContentLength: 2 },
    ]);
  });

  test('is told of a run by another process through the database', async () => {
    const others = createRunSignals(database, log);
    await others.open();
    work({ pollInterval: 60_000, signals: others });
    await until('the first look', () => true);
    const Id = await run();
    signals.queued();
    await status(Id, 'Succeeded');
    await others.close();
  });

  test('never holds more memory cost than its budget, and takes the next when one ends', async () => {
    let now = 0;
    let most = 0;
    executor.onRun = async () => {
      now += 1;
      most = Math.max(most, now);
      // However slowly the queue is read, the first goes on until there is a second beside it; a third would have its time to come.
      await until('two are carried out at once', () => most >= 2);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now -= 1;
      return SUCCESS;
    };
    const ids = await Promise.all(Array.from({ length: 6 }, () => run({ MemoryCost: 40 })));
    work({ concurrency: 10, pollInterval: 60_000 });
    for (const Id of ids) await status(Id, 'Succeeded');
    expect(most).toBe(2);
  });

  test('ends a run InternalError with an id and no stack when the executor fails', async () => {
    executor.onRun = () => Promise.reject(new Error('secret detail'));
    const Id = await run();
    work();
    await status(Id, 'InternalError');
    const [message = ''] = await messages(Id);
    expect(message).toMatch(/^System error \(id [0-9a-f-]{36}\)$/);
  });

  test('shows log lines and progress while a run goes on, each line once', async () => {
    let go: (() => void) | undefined;
    executor.onRun = async (request) => {
      request.onLog({ Message: 'one', StatusCode: 1, Category: 1 });
      request.onProgress('Calculating', 0.5);
      await new Promise<void>((resolve) => (go = resolve));
      request.onLog({ Message: 'two', StatusCode: 1, Category: 1 });
      return SUCCESS;
    };
    const Id = await run();
    work();
    await until('the first line', async () => (await messages(Id)).length === 1);
    expect(await status(Id, 'Started')).toMatchObject({ Phase: 'Calculating', Share: 0.5 });
    go!();
    const ended = await status(Id, 'Succeeded');
    expect(ended).toMatchObject({ Phase: '', Share: null });
    expect(await messages(Id)).toEqual(['one', 'two']);
  });
});

describe('a cancelled run', () => {
  test.each([
    ['told by a signal', 60_000, true],
    ['found by polling', 30, false],
  ])('is really stopped when %s', async (_, pollInterval, tell) => {
    let stopped = false;
    executor.onRun = (request) => untilAborted(request).finally(() => (stopped = true));
    const Id = await run();
    work({ pollInterval });
    await status(Id, 'Started');
    await database.knex('ActivityRuns').where({ Id }).update({ CancelTime: new Date() });
    if (tell) signals.cancelled(Id);
    await status(Id, 'Cancelled');
    expect(stopped).toBe(true);
    expect(await messages(Id)).toEqual(['The run was cancelled']);
  });
});

describe('a lease', () => {
  test('that is lost stops the work, and its files are taken back', async () => {
    const before = await storeSize();
    let reached: (() => void) | undefined;
    const reading = new Promise<void>((resolve) => (reached = resolve));
    let release: (() => void) | undefined;
    executor.onRun = async () => {
      reached!();
      await new Promise<void>((resolve) => (release = resolve));
      return { ...SUCCESS, files: [{ Name: null, FileName: 'x', bytes: Buffer.from('x') }] };
    };
    const Id = await run();
    const worker = work();
    await reading;
    await status(Id, 'Started');
    await database
      .knex('ActivityRuns')
      .where({ Id })
      .update({ LeaseUntil: new Date(Date.now() - 1000) });
    const reaper = createReaper(database, signals, { intervalMs: 1000, log });
    expect(await reaper.reap()).toEqual([{ Id, Status: 'Abandoned' }]);
    release!();
    await worker.stop();
    expect(await stored(Id)).toMatchObject({ Status: 'Abandoned' });
    expect(await database.knex('RunOutputs').where({ ActivityRunId: Id })).toEqual([]);
    expect(await messages(Id)).toEqual(['The server that worked on the run does not answer any more']);
    expect(await storeSize()).toBe(before);
  });

  test('is kept while a run goes on longer than it', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    executor.onRun = () => released.then(() => SUCCESS);
    const Id = await run();
    // Not so short that a process which did not run for a second, as on a busy machine, would lose it.
    work({ lease: 4 });
    const reaper = createReaper(database, signals, { intervalMs: 100, log });
    reaper.start();
    const { LeaseUntil: first } = await status(Id, 'Started');
    await until('the first lease is over', () => Date.now() > (first as Date).getTime());
    release();
    await status(Id, 'Succeeded');
    await reaper.stop();
  });

  test('that cannot be renewed ends the work of its holder', async () => {
    let stopped = false;
    executor.onRun = (request) => untilAborted(request).finally(() => (stopped = true));
    const Id = await run();
    work({ lease: 1, pollInterval: 60_000 });
    await status(Id, 'Started');
    // As if another had claimed it: the renewal does not find it.
    await database.knex('ActivityRuns').where({ Id }).update({ Fence: 9 });
    await until('the work ends', () => stopped);
    expect(await stored(Id)).toMatchObject({ Status: 'Started', Fence: 9 });
  });
});

describe('a stop', () => {
  test('ends what has Started as Abandoned after the grace, and says why', async () => {
    executor.onRun = untilAborted;
    const Id = await run();
    const worker = work({ stopGrace: 20 });
    await status(Id, 'Started');
    const waiting = await run();
    await worker.stop();
    expect(await stored(Id)).toMatchObject({ Status: 'Abandoned' });
    expect(await messages(Id)).toEqual(['The server was stopped before the run had ended']);
    expect((await stored(waiting)).Status).toMatch(/Queued|Abandoned/);
  });

  test('waits for a run that ends within the grace', async () => {
    const ending = Promise.withResolvers<void>();
    executor.onRun = async () => {
      await ending.promise;
      return SUCCESS;
    };
    const Id = await run();
    const worker = work({ stopGrace: 10_000 });
    await status(Id, 'Started');
    const stopped = worker.stop();
    ending.resolve();
    await stopped;
    expect(await stored(Id)).toMatchObject({ Status: 'Succeeded' });
  });
});

describe('the reaper', () => {
  const reaper = () => createReaper(database, signals, { intervalMs: 1000, log });
  const expired = { WorkerId: 'dead', LeaseUntil: new Date(0) };

  test('ends the runs of dead workers once, however many reap', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 20; i++) ids.push(await run({ Status: i % 2 ? 'Started' : 'PickedUp', ...expired }));
    const answers = await Promise.all([reaper().reap(), reaper().reap(), reaper().reap()]);
    expect(
      answers
        .flat()
        .map(({ Id }) => Id)
        .sort((a, b) => a - b),
    ).toEqual(ids);
    for (const Id of ids) expect(await messages(Id)).toHaveLength(1);
  });

  test('calls a run Cancelled that a person had cancelled', async () => {
    const Id = await run({ Status: 'Started', ...expired, CancelTime: new Date() });
    expect(await reaper().reap()).toEqual([{ Id, Status: 'Cancelled' }]);
  });

  test('lets the oldest waiting run in when nothing of its activity is pending any more', async () => {
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
