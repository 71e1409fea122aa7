/**
 * Runs of several users wait while their server is repeatedly killed at random times. Each run ends once, and the queue
 * remains fair.
 * RUNSHEET_FAULT_SEED repeats a run.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { expect, test } from 'vitest';
import { enqueueRun } from '#server/queue/enqueue-run.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { insertUser } from '#test/support/runs.ts';
import { anySeed, seededRandom } from '#test/support/seeded-random.ts';
import { untilProgress } from '#test/support/until.ts';
import { administratorToken } from './administrator-token.ts';
import { checkRuns, endedRuns, untilNothingPending } from './check-runs.ts';
import { eventually, launch, temporaryDatabase, temporaryFolder, TEST_TIMEOUT_MS } from './fault-bench.ts';
import { doublingWorkbook } from './load.ts';
import { portalClient } from './portal-client.ts';

const random = seededRandom(Number(process.env['RUNSHEET_FAULT_SEED']) || anySeed());
/** Number of waiting runs per user, in the order in which they were started. */
const WAITING = [120, 60, 12];
const LATECOMERS_RUNS = 4;
const KILLS = 10;

interface TakenRun {
  Id: number;
  UserId: number;
  Turn: number;
}

const takenRuns = ({ knex }: TestDatabase): Knex.QueryBuilder => knex('ActivityRuns').whereNotNull('PickupTime');

/**
 * Returns the runs that a worker has picked up once, in this order. Others had returned to the queue, because the server
 * was killed before they started, or because they had waited too long for a thread; runs behind them were picked up
 * before that.
 */
const takenOnce = (database: TestDatabase): Promise<TakenRun[]> =>
  takenRuns(database)
    .where('Fence', 1)
    .orderBy([{ column: 'PickupTime' }, { column: 'Turn' }, { column: 'Id' }])
    .select('Id', 'UserId', 'Turn');

/** Returns the runs that are not in `known`, in the order in which the queue gives them to workers. */
async function laterRuns({ knex }: TestDatabase, known: readonly number[]): Promise<TakenRun[]> {
  const inOrder = knex('ActivityRuns').orderBy([{ column: 'Turn' }, { column: 'Id' }]);
  return inOrder.whereNotIn('Id', known).select('Id', 'UserId', 'Turn');
}

function expectInOrder(taken: readonly TakenRun[]): void {
  const ranks = taken.map(({ Turn }) => Turn);
  expect(ranks, 'the turns of runs in the order in which they were taken').toEqual(ranks.toSorted((a, b) => a - b));
}

async function untilItsStatementsEnd({ knex, dialect }: TestDatabase): Promise<void> {
  const atWork =
    dialect.name === 'pg'
      ? `select 1 as found from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
      : `select 1 as found from sys.dm_exec_sessions where database_id = db_id() and session_id <> @@spid and status not in ('sleeping', 'idle')`;
  await eventually(
    'the statements of the killed server have ended',
    async () => (await knex.select().from(knex.raw(`(${atWork}) as statements`))).length === 0,
  );
}

test(
  `runs of several people take turns although their server is killed (seed ${random.seed})`,
  async () => {
    const database = await temporaryDatabase();
    const { knex } = database;
    const dataDir = await temporaryFolder();
    const server = launch('portal', { RUNSHEET_DATABASE_URL: database.url, RUNSHEET_DATA_DIR: dataDir });
    await server.start();
    const { token } = await administratorToken(database);
    const client = portalClient(() => server.address, token);
    const fields = { Id: '0', Schema: 'General', Name: 'Double', SingleRun: 'false' };
    const ActivityId = await client.upload(fields, 'double.xlsx', await doublingWorkbook());
    await server.kill();

    const acknowledged = new Map<string, { Id: number; double: number }>();
    const enqueue = async (UserId: number, count: number): Promise<void> => {
      for (let at = 0; at < count; at++) {
        const UniqueId = randomUUID();
        const run = {
          ActivityId,
          ActivityVersion: 1,
          UserId,
          UniqueId,
          RetryOf: null,
          MemoryCost: 0,
          SingleRun: false,
        };
        acknowledged.set(UniqueId, { Id: (await enqueueRun(database, run, [])).Id, double: 2 });
      }
    };
    const people: number[] = [];
    for (const count of WAITING) {
      people.push(await insertUser(knex));
      await enqueue(people.at(-1)!, count);
    }

    await server.start();
    let endedBefore = await endedRuns(knex);
    const latecomer = await insertUser(knex);
    let takenBefore: number[] = [];
    for (let kills = 0; kills < KILLS; kills++) {
      const before = endedBefore.size;
      await untilProgress(
        'more runs have ended',
        async () => (await endedRuns(knex)).size,
        (ended) => ended > before + 2,
      );
      await pause(random.between(0, 150));
      await server.kill();
      endedBefore = await endedRuns(knex);
      if (kills === 2) {
        await untilItsStatementsEnd(database);
        takenBefore = await takenRuns(database).pluck('Id');
        await enqueue(latecomer, LATECOMERS_RUNS);
      }
      await server.start();
    }
    await untilNothingPending(knex);

    const files = join(dataDir, 'files');
    const counts = await checkRuns(knex, { acknowledged, endedBefore, files });
    const taken = await takenOnce(database);
    expectInOrder(taken.filter(({ UserId }) => UserId !== latecomer));
    // The latecomer's first rank may be lower than that of runs taken before they came.
    expectInOrder(taken.filter(({ Id }) => !takenBefore.includes(Id)));
    // All runs of the user with few are picked up while about as many of a user with many are.
    const few = taken.findLastIndex(({ UserId }) => UserId === people[2]);
    expect(taken.slice(0, few).filter(({ UserId }) => UserId === people[0]).length).toBeLessThanOrEqual(
      WAITING[2]! + 1,
    );
    // The latecomer waits for at most one run of each other user.
    const next = await laterRuns(database, takenBefore);
    const overtaken = next.slice(
      0,
      next.findIndex(({ UserId }) => UserId === latecomer),
    );
    for (const person of people)
      expect(overtaken.filter(({ UserId }) => UserId === person).length).toBeLessThanOrEqual(1);
    process.stdout.write(`seed ${random.seed}: ${JSON.stringify(counts)}\n`);
  },
  TEST_TIMEOUT_MS,
);
