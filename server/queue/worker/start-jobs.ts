import { availableParallelism } from 'node:os';
import type { Config } from '#server/config/config-schema.ts';
import type { WorkProbe } from '#server/db/work-probes.ts';
import type { JobContext } from './end-run.ts';
import { createReaper } from './reaper.ts';
import { createRunQueue } from '#server/queue/run-queue.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import { SHORT_RUN_MS } from '#server/executors/executor.ts';
import { createWorker } from './worker.ts';
import type { WorkerSettings } from './worker-settings.ts';

/**
 * Poll interval with and without database notifications. Without them, as on SQL Server, polling is the only way to
 * notice new runs.
 */
const POLL_MS = { withNotifications: 5_000, withoutNotifications: 1_000 };
/** How long a stop waits for executing runs, and the maximum duration of the whole stop. */
const STOP_GRACE_MS = 6_000;
export const JOBS_STOP_LIMIT_MS = STOP_GRACE_MS + 2_000;
const JOURNAL_MS = 500;
const REAPS_PER_LEASE = 2;
const MAX_REAP_INTERVAL_MS = 10_000;

export type JobsConfig = Pick<
  Config,
  'workerThreads' | 'workerMemoryBudget' | 'leaseSeconds' | 'runTimeLimitSeconds' | 'workerPools' | 'runsPerPerson'
>;

/** Number of calculation threads: as configured, or one less than the number of processors. */
export function calculationThreads({ workerThreads }: Pick<Config, 'workerThreads'>): number {
  return workerThreads > 0 ? workerThreads : Math.max(1, availableParallelism() - 1);
}

/**
 * There is one more slot than threads: while one run calculates, another can be on its way to a thread. One of the
 * threads is left to short runs; a single thread gets a second one beside it for them.
 */
function workerSlots(threads: number): Pick<WorkerSettings, 'concurrency' | 'longRuns'> {
  const all = Math.max(2, threads);
  return { concurrency: all + 1, longRuns: { concurrency: all, shortMs: SHORT_RUN_MS } };
}

/** Milliseconds between two rounds of the reaper. */
export function reapInterval({ leaseSeconds }: Pick<JobsConfig, 'leaseSeconds'>): number {
  return Math.min(MAX_REAP_INTERVAL_MS, (leaseSeconds * 1000) / REAPS_PER_LEASE);
}

/**
 * Starts the worker and the reaper of this process, and returns a function that stops them. `hasNotifications` is true
 * if the database sends notifications of new runs. `hasPendingWork` is the work probe called before polls that no event
 * has caused.
 */
export function startJobs(
  context: Omit<JobContext, 'queue' | 'worker' | 'timeLimit' | 'journalInterval'>,
  signals: RunSignals,
  config: JobsConfig,
  { hasNotifications, hasPendingWork }: { hasNotifications: boolean; hasPendingWork?: WorkProbe },
): () => Promise<void> {
  const { database, log } = context;
  const { leaseSeconds, runTimeLimitSeconds, workerMemoryBudget } = config;
  const served = { pools: config.workerPools, runsPerPerson: config.runsPerPerson };
  const queue = createRunQueue(database, leaseSeconds, served);
  const worker = createWorker(
    { ...context, queue, timeLimit: runTimeLimitSeconds * 1000, journalInterval: JOURNAL_MS },
    signals,
    {
      ...workerSlots(calculationThreads(config)),
      memoryBudget: workerMemoryBudget,
      pollInterval: hasNotifications ? POLL_MS.withNotifications : POLL_MS.withoutNotifications,
      stopGrace: STOP_GRACE_MS,
      hasPendingWork,
    },
  );
  const reaper = createReaper(database, signals, { intervalMs: reapInterval(config), log, hasPendingWork });
  reaper.start();
  worker.start();
  return async () => {
    await worker.stop();
    await reaper.stop();
  };
}
