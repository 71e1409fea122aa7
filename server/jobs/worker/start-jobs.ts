import { availableParallelism } from 'node:os';
import type { Config } from '#server/config/config-schema.ts';
import { ALWAYS, type MayBe } from '#server/db/lookout.ts';
import type { JobContext } from './end-run.ts';
import { createReaper } from './reaper.ts';
import { createRunQueue } from '#server/jobs/queue/run-queue.ts';
import type { RunSignals } from '#server/jobs/queue/run-signals.ts';
import { SHORT_RUN_MS } from '#server/executors/executor.ts';
import { createWorker } from './worker.ts';
import type { WorkerSettings } from './worker-settings.ts';

/** Without signals of the database, as on SQL Server, looking is all there is. */
const POLL_MS = { told: 5_000, untold: 1_000 };
/** What a stop leaves to runs that are being calculated, and how long stopping may take in all. */
const STOP_GRACE_MS = 6_000;
export const JOBS_STOP_LIMIT_MS = STOP_GRACE_MS + 2_000;
const JOURNAL_MS = 500;
const REAPS_PER_LEASE = 2;
const LONGEST_REAP_MS = 10_000;

export type JobsConfig = Pick<
  Config,
  'workerThreads' | 'workerMemoryBudget' | 'leaseSeconds' | 'runTimeLimitSeconds' | 'workerPools' | 'runsPerPerson'
>;

/** Threads that calculate: as configured, or one for each processor but one. */
export function calculationThreads({ workerThreads }: Pick<Config, 'workerThreads'>): number {
  return workerThreads > 0 ? workerThreads : Math.max(1, availableParallelism() - 1);
}

/**
 * One slot more than there are threads: while one run is calculated, another is on its way to a thread. Of the threads, one is left to short runs;
 * a single thread has a second one beside it for them.
 */
function workerSlots(threads: number): Pick<WorkerSettings, 'concurrency' | 'longRuns'> {
  const all = Math.max(2, threads);
  return { concurrency: all + 1, longRuns: { concurrency: all, shortMs: SHORT_RUN_MS } };
}

/** Milliseconds between two looks for what a server that died left behind. */
export function reapInterval({ leaseSeconds }: Pick<JobsConfig, 'leaseSeconds'>): number {
  return Math.min(LONGEST_REAP_MS, (leaseSeconds * 1000) / REAPS_PER_LEASE);
}

/**
 * Starts the worker and the reaper of this process; answers how to stop them. `told`: whether the database tells of new runs. `mayPend`
 * is asked before looks that nothing gave reason for.
 */
export function startJobs(
  context: Omit<JobContext, 'queue' | 'worker' | 'timeLimit' | 'journalInterval'>,
  signals: RunSignals,
  config: JobsConfig,
  { told, mayPend = ALWAYS }: { told: boolean; mayPend?: MayBe },
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
      pollInterval: told ? POLL_MS.told : POLL_MS.untold,
      stopGrace: STOP_GRACE_MS,
      mayPend,
    },
  );
  const reaper = createReaper(database, signals, { intervalMs: reapInterval(config), log, mayPend });
  reaper.start();
  worker.start();
  return async () => {
    await worker.stop();
    await reaper.stop();
  };
}
