/**
 * Measures how many runs worker processes execute, and how long a run takes under this load. An API process serves the
 * calls; 1, 2 and 4 processes of role `worker` use the same database. For each number, runs are first started as fast
 * as the API accepts them and all of them are executed. Then they are started at half that rate. The database, whose
 * clock applies to all, gives the time from the start to the stored end.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Activity } from '#shared/contract/activities.ts';
import { PENDING_STATUSES } from '#shared/contract/run-status.ts';
import type { StartResult } from '#shared/contract/runs.ts';
import { percentile, printMachine } from './measure.ts';
import { publishOneCell, startOf } from './one-cell.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';

const MAIN = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const PROCESSES = [1, 2, 4];
/** Number of concurrent starts, each by a simulated user. */
const STARTERS = 8;
const WARM_UP_RUNS = 50;
const FULL_PACE_MS = 10_000;
const HALF_PACE_MS = 10_000;
/**
 * Maximum number of pending runs at full rate: enough for all workers to be busy, too few to fill the queue for
 * minutes.
 */
const BACKLOG = 200;
const POLL_INTERVAL_MS = 100;

interface WorkerProcess {
  stop(): Promise<void>;
}

export async function benchWorkers(): Promise<void> {
  const portal = await startBenchPortal({ role: 'api' });
  try {
    const activity = await publishOneCell(portal, 'One cell');
    printMachine();
    for (const count of PROCESSES) {
      const workers = await Promise.all(Array.from({ length: count }, () => startWorker(portal)));
      try {
        await measure(portal, activity, count);
      } finally {
        await Promise.all(workers.map((worker) => worker.stop()));
      }
    }
    printMachine();
  } finally {
    await portal.stop();
  }
}

async function measure(portal: BenchPortal, activity: Activity, count: number): Promise<void> {
  await startMany(portal, activity, { runs: WARM_UP_RUNS * count });
  await allEnded(portal);
  const startedAt = performance.now();
  const full = await startMany(portal, activity, { forMs: FULL_PACE_MS });
  await allEnded(portal);
  const perSecond = full.length / ((performance.now() - startedAt) / 1000);
  const half = await startMany(portal, activity, { forMs: HALF_PACE_MS, perSecond: perSecond / 2 });
  await allEnded(portal);
  const times = await timesOf(portal, half);
  const word = count === 1 ? 'process' : 'processes';
  console.log(
    `${count} worker ${word}: ${perSecond.toFixed(1)} runs per second started and executed (${full.length} runs)\n` +
      `  at half that rate, from start to Succeeded: p50 ${percentile(times, 50)} ms, p99 ${percentile(times, 99)} ms (${half.length} runs)\n`,
  );
}

interface Plan {
  /** Number of runs, or as many as can be started in the time. */
  runs?: number;
  forMs?: number;
  perSecond?: number;
}

/**
 * Starts runs with several simulated users at a time, and returns their Ids. Nobody starts a run while too many are
 * pending.
 */
async function startMany(
  portal: BenchPortal,
  activity: Activity,
  { runs = Infinity, forMs = Infinity, perSecond = Infinity }: Plan,
): Promise<number[]> {
  const startedAt = performance.now();
  const ids: number[] = [];
  const state = { asked: 0, waiting: 0, isOver: false };
  const watching = watchQueue(portal, state);
  const starter = async (): Promise<void> => {
    while (state.asked < runs && performance.now() - startedAt < forMs) {
      const due = startedAt + (state.asked / perSecond) * 1000;
      state.asked += 1;
      if (due > performance.now()) await pause(due - performance.now());
      while (state.waiting > BACKLOG) await pause(POLL_INTERVAL_MS);
      ids.push((await portal.call<StartResult>('POST', '/api/activities/start', startOf(activity))).Id);
    }
  };
  await Promise.all(Array.from({ length: STARTERS }, starter));
  state.isOver = true;
  await watching;
  return ids;
}

async function watchQueue(portal: BenchPortal, state: { waiting: number; isOver: boolean }): Promise<void> {
  while (!state.isOver) {
    state.waiting = await countPending(portal);
    await pause(POLL_INTERVAL_MS);
  }
}

async function countPending({ database: { knex } }: BenchPortal): Promise<number> {
  const [row] = (await knex('ActivityRuns').whereIn('Status', PENDING_STATUSES).count({ count: '*' })) as {
    count: number;
  }[];
  return Number(row?.count);
}

async function allEnded(portal: BenchPortal): Promise<void> {
  while ((await countPending(portal)) > 0) await pause(POLL_INTERVAL_MS);
}

/** Milliseconds from the start to the stored end. */
async function timesOf({ database: { knex } }: BenchPortal, ids: readonly number[]): Promise<number[]> {
  const rows = (await knex('ActivityRuns')
    .whereBetween('Id', [Math.min(...ids), Math.max(...ids)])
    .select('Status', 'QueueTime', 'EndTime')) as { Status: string; QueueTime: Date; EndTime: Date }[];
  const failed = rows.filter(({ Status }) => Status !== 'Succeeded').length;
  if (failed > 0) throw new Error(`${failed} of ${rows.length} runs did not succeed`);
  return rows.map(({ QueueTime, EndTime }) => EndTime.getTime() - QueueTime.getTime());
}

/** Starts a process of role `worker` on the portal's database and files. */
async function startWorker({ databaseUrl, dataDir }: BenchPortal): Promise<WorkerProcess> {
  const { PATH, HOME } = process.env;
  const settings = { RUNSHEET_ROLE: 'worker', RUNSHEET_DATABASE_URL: databaseUrl, RUNSHEET_DATA_DIR: dataDir };
  const env = { PATH, HOME, ...settings, RUNSHEET_WORKER_THREADS: '1', RUNSHEET_SAMPLES: 'false' };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await untilItWorks(child);
  return {
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function untilItWorks(child: ChildProcess): Promise<void> {
  const works = Promise.withResolvers<void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    if (/Runsheet \S+ works/.test(line)) works.resolve();
  });
  child.once('exit', (code) => works.reject(new Error(`a worker ended with ${code}`)));
  await works.promise;
}
