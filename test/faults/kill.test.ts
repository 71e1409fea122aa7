/**
 * Under load, servers and workers are killed or suspended at random times. `npm run test:faults`; RUNSHEET_FAULT_SEED
 * repeats a run, RUNSHEET_FAULT_ROUNDS sets the number of kills.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { isFullSet, rounds } from '#test/support/test-set.ts';
import { untilProgress } from '#test/support/until.ts';
import { checkRuns, endedRuns, untilNothingPending, type EndedRuns } from './check-runs.ts';
import { countSucceeded, publish, SETTINGS, TEST_TIMEOUT_MS, untilMoreSucceeded } from './fault-bench.ts';
import { startLoad } from './load.ts';
import type { ServerProcess } from './server-process.ts';
import { addWorker, killAndRestart, twoServers, untilRunExecutes } from './two-servers.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
const KILLS = Number(process.env['RUNSHEET_FAULT_ROUNDS']) || rounds(2, 18);

/** After this time, another server has ended the runs of a suspended worker. */
const REAPED_SECONDS = 3 * Number(SETTINGS.RUNSHEET_LEASE_SECONDS);

interface Claim {
  Id: number;
  Fence: number;
  StartTime: Date | null;
}

/**
 * Suspends a worker for longer than its leases, until another server has ended one of its runs or queued it again.
 * Returns the runs ended by then: the worker, unaware of this, must not end them a second time. A run whose start was
 * written may have acted; no worker may claim it again.
 */
async function standStill({ knex, dialect }: Database, worker: ServerProcess): Promise<EndedRuns> {
  for (;;) {
    await untilRunExecutes(knex);
    process.kill(worker.pid, 'SIGSTOP');
    const held = (await knex('ActivityRuns').whereNotNull('LeaseUntil').select('Id', 'Fence', 'StartTime')) as Claim[];
    const isHeld = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
      query.where((claim) => {
        for (const { Id, Fence } of held) void claim.orWhere({ Id, Fence });
      });
    // A row locked by the worker does not change before the worker continues.
    const unlocked = (): Promise<unknown[]> =>
      inTransaction(knex, (trx) =>
        dialect.lockRows(trx, {
          table: 'ActivityRuns',
          columns: ['Id', 'LeaseUntil'],
          where: (query) => void isHeld(query).where('LeaseUntil', '>', dialect.nowPlus(knex, -REAPED_SECONDS)),
          orderBy: [{ column: 'Id' }],
          locked: 'skip',
        }),
      );
    const isOver = (runs: unknown[]): boolean => runs.length === 0;
    if (held.length > 0) await untilProgress('the runs of the worker end', unlocked, isOver, { pauseMs: 100 });
    const ended = await endedRuns(knex);
    process.kill(worker.pid, 'SIGCONT');
    if (held.length === 0) continue;
    // Includes runs that were queued again and have since been claimed by another worker.
    const still = (await isHeld(knex('ActivityRuns')).whereNot('Status', 'Queued').pluck('Id')) as number[];
    const again = held.filter(({ Id }) => !still.includes(Id));
    for (const { Id, StartTime } of again) expect(StartTime, `run ${Id} was queued again after its start`).toBeNull();
    if (again.length > 0 || held.some(({ Id }) => ended.get(Id)?.startsWith('Abandoned'))) return ended;
  }
}

test(
  `servers and workers that are killed lose no run and double none (seed ${random.seed})`,
  async () => {
    const servers = await twoServers();
    const { database, dataDir, portal, worker, client } = servers;
    const { knex } = database;
    const workers = isFullSet ? [worker, await addWorker(servers)] : [worker];
    const [parallel, single] = await publish(client);
    const load = startLoad(client, [parallel!, parallel!, parallel!, parallel!, single!], random, 2);
    const untilMore = (): Promise<void> => untilMoreSucceeded(load, () => countSucceeded(knex), 5);

    await untilMore();
    const endedBefore = await standStill(database, worker);
    for (let kills = 0; kills < KILLS; kills++) {
      await untilMore();
      await pause(random.between(0, 300));
      await untilRunExecutes(knex);
      const [victim = random.pick([portal, ...workers])] = [portal, worker].slice(kills);
      // Kills right after an acknowledgement: a start acknowledged before its commit would be lost.
      if (victim === portal) await load.nextAcknowledged();
      await killAndRestart(victim, random);
    }
    await untilMore();
    await load.stop();
    await untilNothingPending(knex);

    const files = join(dataDir, 'files');
    const counts = await checkRuns(knex, { acknowledged: load.acknowledged, endedBefore, files });
    expect(counts['Succeeded']).toBeGreaterThan(5 * KILLS);
    expect(endedBefore.size).toBeGreaterThan(0);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
