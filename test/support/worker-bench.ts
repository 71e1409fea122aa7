/** Workers with a database and a file store. The test defines what the executor does. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Log } from '#server/base/log.ts';
import { createVersionCatalog } from '#server/versions/version-catalog.ts';
import { createDeltaBases, withDeltas } from '#server/files/deltas.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import { insertStoredFiles } from '#server/files/stored-files.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { createReaper } from '#server/queue/worker/reaper.ts';
import type { RunProcedures } from '#server/queue/procedures/run-procedures.ts';
import { createRunQueue, type RunQueue } from '#server/queue/run-queue.ts';
import { createRunSignals, type RunSignals } from '#server/queue/run-signals.ts';
import type { RunSteps } from '#server/queue/steps/run-steps.ts';
import { createWorker, type Worker } from '#server/queue/worker/worker.ts';
import type { WorkerSettings } from '#server/queue/worker/worker-settings.ts';
import { testDatabase } from './database.ts';
import { createFakeExecutor } from './fake-executor.ts';
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
  /** Awaited before each file of a run is stored. */
  onStore?: () => Promise<void>;
  /** True if small results are stored as deltas. */
  hasDeltas?: boolean;
  steps?: RunSteps;
  procedures?: RunProcedures;
  isLicensed?: () => Promise<boolean>;
  log?: Log;
};

type WorkerStore = Awaited<ReturnType<typeof startWorkerStore>>;
export type WorkerBench = ReturnType<typeof createWorkerBench>;

/** Shared by the tests of a file: the database, the file store and an activity. */
export async function startWorkerStore() {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'worker-test-'));
  const files = withDeltas(await createFolderFileStore(folder), database);
  const signals = createRunSignals(database, log);
  const UserId = await insertUser(database.knex);
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
  const ActivityId = await insertActivity(database.knex, { UserId, definition, FileId: 'workbook' });
  const close = async (): Promise<void> => {
    await signals.close();
    await database.drop();
    await rm(folder, { recursive: true });
  };
  return { database, folder, files, signals, UserId, ActivityId, close };
}

/** The executor and the workers of one test. */
export function createWorkerBench({ database, folder, files, signals, UserId, ActivityId }: WorkerStore) {
  const executor = createFakeExecutor();
  const workers: Worker[] = [];

  function work(options: WorkOptions = {}): Worker {
    const {
      lease = 30,
      signals: ownSignals = signals,
      queue = createRunQueue(database, lease),
      onStore,
      hasDeltas = false,
      steps,
      procedures,
      isLicensed = async () => true,
      log: ownLog = log,
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
        ...(steps && { steps }),
        ...(procedures && { procedures }),
        log: ownLog,
        timeLimit: 60_000,
        journalInterval: 20,
        isLicensed,
      },
      ownSignals,
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
    database,
    signals,
    executor,
    /** Signals of another process. */
    otherSignals: () => createRunSignals(database, log),
    files,
    reaper,
    work,
    run,
    stored,
    status,
    messages,
    storeSize,
    stop: async (): Promise<void> => void (await Promise.all(workers.map((worker) => worker.stop()))),
  };
}
