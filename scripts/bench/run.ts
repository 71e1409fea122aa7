/**
 * Compares a run with a pg-boss job on the same database. The target refers to a job as pg-boss processes it: sent,
 * found by a worker with the shortest possible polling interval, handled, completed. It is part of the comparison that
 * the server here is notified of a start and need not poll. The second measurement is the strictest possible one: send,
 * fetch and complete by hand, without a waiting user, input checks, rights, HTTP or files. It shows the cost of the
 * run's own work.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createPgBoss, type PgBoss } from './peers.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { RunState, StartResult } from '#shared/contract/runs.ts';
import { compare, summary, type Comparison, type Timings } from './measure.ts';
import { startOf } from './one-cell.ts';
import type { BenchPortal } from './portal.ts';

const TARGET = 2;
const ROUNDS = 200;
/** Fewer rounds, because a polled job takes at least a quarter of a second. */
const POLLED_ROUNDS = 30;
const MIN_POLL_SECONDS = 0.5;
/**
 * Milliseconds between two status requests. Polling must not become the load, because server and bench share a process.
 */
const WATCH_MS = 2;

export interface RunReadings {
  comparisons: Comparison[];
  /** Time until Succeeded was stored, without the polling. */
  stored: Timings;
}

export async function benchRun(portal: BenchPortal, activity: Activity): Promise<RunReadings> {
  const runIds: number[] = [];
  const sent = new Map<number, number>();
  const ours = async (): Promise<void> => {
    const at = Date.now();
    const { Id } = await portal.call<StartResult>('POST', '/api/activities/start', startOf(activity));
    sent.set(Id, at);
    runIds.push(Id);
    await watch(portal, Id);
  };
  const boss = createPgBoss({ connectionString: portal.databaseUrl, supervise: false, schedule: false });
  await boss.start();
  const peers = [await polledJob(boss), await jobByHand(boss)] as const;
  const name = 'A run of one cell, start to Succeeded';
  const used = await compare(`${name}, beside a job through pg-boss: sent, handled by its worker, completed`, {
    ours,
    peer: peers[0],
    rounds: POLLED_ROUNDS,
    target: TARGET,
  });
  await boss.offWork('polled');
  const hardest = await compare(`${name}, beside pg-boss by hand: send, fetch, complete, and nobody polling`, {
    ours,
    peer: peers[1],
    rounds: ROUNDS,
    target: null,
  });
  await boss.stop({ graceful: false });
  return { comparisons: [used, hardest], stored: await storedAfter(portal, sent, runIds.slice(-ROUNDS)) };
}

/** Polls until the run has succeeded. */
export async function watch(portal: BenchPortal, runId: number): Promise<void> {
  for (;;) {
    const state = await portal.call<RunState>('POST', `/api/activities/status/${runId}`, []);
    if (state.Status === 'Succeeded') return;
    if (!['Queued', 'PickedUp', 'Started'].includes(state.Status))
      throw new Error(`the run ended with status ${state.Status}`);
    await pause(WATCH_MS);
  }
}

async function polledJob(boss: PgBoss): Promise<() => Promise<void>> {
  await boss.createQueue('polled');
  await boss.work('polled', { pollingIntervalSeconds: MIN_POLL_SECONDS }, async () => ({ value: 42 }));
  return async () => {
    const id = await boss.send('polled', { value: 41 });
    for (;;) {
      const job = await boss.getJobById('polled', id!);
      if (job?.state === 'completed') return;
      await pause(WATCH_MS);
    }
  };
}

async function jobByHand(boss: PgBoss): Promise<() => Promise<void>> {
  await boss.createQueue('bare');
  return async () => {
    await boss.send('bare', { value: 41 });
    const [job] = await boss.fetch('bare');
    await boss.complete('bare', job!.id, { value: 42 });
  };
}

/** Uses the clock of the machine, which the database shares. Precision is one millisecond. */
async function storedAfter({ database }: BenchPortal, sent: ReadonlyMap<number, number>, runIds: readonly number[]) {
  const rows = (await database.knex('ActivityRuns').whereIn('Id', runIds).select('Id', 'EndTime')) as {
    Id: number;
    EndTime: Date;
  }[];
  return summary(rows.map(({ Id, EndTime }) => EndTime.getTime() - sent.get(Id)!));
}
