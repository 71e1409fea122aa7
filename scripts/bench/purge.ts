/**
 * Measures how a purge affects other users. Nine in ten of a million runs are purged, each with an input value, an
 * output value and a log line. Measures a run of another activity and a history page of the purged runs, first alone
 * and then during the purge. The same server does all of it.
 */
import type { Activity } from '#shared/contract/activities.ts';
import type { StartResult } from '#shared/contract/runs.ts';
import { percentile, printMachine } from './measure.ts';
import { publishOneCell, startOf } from './one-cell.ts';
import { startBenchPortal, type BenchPortal } from './portal.ts';
import { fillHistory } from './reading.ts';
import { watch } from './run.ts';

const RUNS = 1_000_000;
const PURGED_SHARE = 0.9;
const WARM_UP_ROUNDS = 20;
const ALONE_ROUNDS = 200;
/** Long enough to include a chunk of the purge and a database checkpoint. A purge of this size may take minutes. */
const DURING_PURGE_MS = 60_000;
const RETENTION_DAYS = 7;
const DAY_MS = 86_400_000;

type Times = Record<'run' | 'page', number[]>;

export async function benchPurge(): Promise<void> {
  const portal = await startBenchPortal();
  try {
    const many = await publishOneCell(portal, 'Many runs');
    const other = await publishOneCell(portal, 'Another');
    await fillOldHistory(portal, many);
    const round = async (times: Times): Promise<void> => {
      times.run.push(await timeOf(() => runOnce(portal, other)));
      times.page.push(await timeOf(() => pageOf(portal, many)));
    };
    printMachine();
    for (let count = 0; count < WARM_UP_ROUNDS; count += 1) await round({ run: [], page: [] });
    const alone: Times = { run: [], page: [] };
    for (let count = 0; count < ALONE_ROUNDS; count += 1) await round(alone);
    const purge = startPurge(portal, many);
    const during: Times = { run: [], page: [] };
    while (purge.isUnderWay() && purge.elapsed() < DURING_PURGE_MS) await round(during);
    const took = await purge.stop();
    const left = await countRuns(portal, many);
    const perSecond = (RUNS - left) / (took / 1000);
    console.log(
      `Purged ${RUNS - left} of ${RUNS} runs in ${(took / 1000).toFixed(1)} s, ${perSecond.toFixed(0)} a second\n`,
    );
    print('A run of another activity, start to Succeeded', alone.run, during.run);
    print('A page of the history of the runs that are purged', alone.page, during.page);
    printMachine();
  } finally {
    await portal.stop();
  }
}

/** Nine in ten of the runs are older than the retention period. */
async function fillOldHistory(portal: BenchPortal, activity: Activity): Promise<void> {
  const { knex } = portal.database;
  const { last } = await fillHistory(portal, activity, RUNS, {
    endedBefore: RETENTION_DAYS + 1,
    newest: 1 - PURGED_SHARE,
  });
  await knex.raw(
    `insert into "RunLogEntries" ("ActivityRunId", "StatusCode", "Category", "Message")
     select n, 0, 1, 'The run has ended' from generate_series(?::bigint, ?::bigint) n`,
    [last - RUNS + 1, last],
  );
  await knex.raw('vacuum analyze');
}

async function runOnce(portal: BenchPortal, activity: Activity): Promise<void> {
  const { Id } = await portal.call<StartResult>('POST', '/api/activities/start', startOf(activity));
  await watch(portal, Id);
}

async function pageOf(portal: BenchPortal, activity: Activity): Promise<void> {
  await portal.call('POST', '/api/activities/runhistory', { ActivityId: activity.Id, ApproxRows: 20, PrevRunId: null });
}

interface Purge {
  isUnderWay(): boolean;
  /** Milliseconds since the purge began. */
  elapsed(): number;
  /** Aborts the request, as if the user left the page. Returns how long the purge ran, in milliseconds. */
  stop(): Promise<number>;
}

function startPurge(portal: BenchPortal, activity: Activity): Purge {
  const startedAt = performance.now();
  const leaving = new AbortController();
  let ended: number | undefined;
  const date = new Date(Date.now() - RETENTION_DAYS * DAY_MS).toISOString().slice(0, 10);
  const purgeAll = async (): Promise<void> => {
    try {
      const answer = await fetch(`${portal.address}/api/activities/purgeRunData/${date}/All`, {
        method: 'POST',
        headers: { ...portal.headers, 'content-type': 'application/json' },
        body: JSON.stringify([activity.Id]),
        signal: leaving.signal,
      });
      if (!answer.ok) throw new Error(`the purge was answered with status ${answer.status}: ${await answer.text()}`);
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    } finally {
      ended = performance.now();
    }
  };
  const purging = purgeAll();
  return {
    isUnderWay: () => ended === undefined,
    elapsed: () => performance.now() - startedAt,
    stop: async () => {
      leaving.abort();
      await purging;
      return ended! - startedAt;
    },
  };
}

async function countRuns({ database: { knex } }: BenchPortal, activity: Activity): Promise<number> {
  const [row] = (await knex('ActivityRuns').where('ActivityId', activity.Id).count({ count: '*' })) as {
    count: number;
  }[];
  return row!.count;
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function print(name: string, alone: readonly number[], during: readonly number[]): void {
  const ms = (times: readonly number[], percent: number): number => percentile(times, percent);
  const show = (times: readonly number[]): string =>
    `p50 ${ms(times, 50).toFixed(1)} ms, p99 ${ms(times, 99).toFixed(1)} ms (${times.length})`;
  const ratio = (percent: number): string => (ms(during, percent) / ms(alone, percent)).toFixed(2);
  console.log(
    `${name}\n  without a purge ${show(alone)}\n  during the purge ${show(during)}\n  ratio p50 ${ratio(50)}, p99 ${ratio(99)}\n`,
  );
}
