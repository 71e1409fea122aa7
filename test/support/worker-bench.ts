/** A database, a file store, an executor of which a test says what it does, and workers: registers what sets them up and takes them down. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import { createDeltaBases, withDeltas } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import { insertStoredFiles } from '#server/files/stored-files.ts';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import { createReaper } from '#server/jobs/worker/reaper.ts';
import { createRunQueue, type RunQueue } from '#server/jobs/queue/run-queue.ts';
import { createRunSignals, type RunSignals } from '#server/jobs/queue/run-signals.ts';
import { createWorker, type Worker, type WorkerSettings } from '#server/jobs/worker/worker.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { createFakeExecutor, type FakeExecutor } from './fake-executor.ts';
import { EMPTY_DEFINITION, insertActivity, insertRun, insertUser } from './runs.ts';
import { until } from './until.ts';

const log = pino({ level: 'silent' });
const definition = {
  ...EMPTY_DEFINITION,
  outputs: [{ Name: 'Total' }, { Name: 'Report' }],
} as unknown as ActivityDefinition;

type WorkOptions = Partial<WorkerSettings> & {
  /** Seconds. */
  lease?: number;
  signals?: RunSignals;
  queue?: RunQueue;
  /** Waited for before each file of a run is stored. */
  onStore?: () => Promise<void>;
  /** Whether small results are kept as deltas. */
  hasDeltas?: boolean;
};

export function workerBench() {
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
    files = withDeltas(await createFolderFileStore(folder), database);
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

  function work(options: WorkOptions = {}): Worker {
    const {
      lease = 30,
      signals: heard = signals,
      queue = createRunQueue(database, lease),
      onStore,
      hasDeltas = false,
      ...settings
    } = options;
    const worker = createWorker(
      {
        database,
        queue,
        versions: createVersionCatalog(database.knex),
        files: onStore ? { ...files, put: async (...given) => (await onStore(), files.put(...given)) } : files,
        ...(hasDeltas && { deltaBases: createDeltaBases(files) }),
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

  const reaper = (intervalMs = 1000) => createReaper(database, signals, { intervalMs, log });
  return {
    get database() {
      return database;
    },
    get signals() {
      return signals;
    },
    get executor() {
      return executor;
    },
    /** Signals of another process. */
    otherSignals: () => createRunSignals(database, log),
    get files() {
      return files;
    },
    reaper,
    work,
    run,
    stored,
    status,
    messages,
    storeSize,
  };
}
